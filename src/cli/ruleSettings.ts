import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { RuleLevels } from '../language/check.ts';
import { readRulesFile, readSettingsRules } from '../language/ruleLevels.ts';
import { readSource, SourceError } from './requestSources.ts';

/** Where the levels of rules come from. */
export interface RuleSources {
  /** A file of its own; it must be in order. */
  readonly rulesFile: string | undefined;
  /** Whether those of the workspace count, too. */
  readonly usesSettings: boolean;
}

/** Levels of rules, and what is wrong where they stand. */
export interface ReadLevels {
  readonly levels: RuleLevels;
  /** Sentences about the workspace's settings; what else stands there counts. */
  readonly problems: readonly string[];
}

/**
 * The levels of rules for the files of a folder: from the settings of its workspace, so that editor and command agree, and then from the file
 * of its own.
 * @throws SourceError when that file cannot be used
 */
export function readLevels(folder: string, { rulesFile, usesSettings }: RuleSources): ReadLevels {
  const ofWorkspace = usesSettings ? readWorkspaceLevels(folder) : { levels: new Map<never, never>(), problems: [] };
  if (rulesFile === undefined) return ofWorkspace;
  const { value, problems } = readRulesFile(withoutMark(readSource(resolve(folder, rulesFile), rulesFile)));
  if (value === undefined || problems.length > 0) throw new SourceError(`${rulesFile}: ${problems.join(' ')}`);
  return { levels: new Map([...ofWorkspace.levels, ...value]), problems: ofWorkspace.problems };
}

function readWorkspaceLevels(folder: string): ReadLevels {
  const file = findWorkspaceSettings(folder);
  if (file === undefined) return { levels: new Map(), problems: [] };
  try {
    const { value, problems } = readSettingsRules(withoutMark(readSource(file, file)));
    return { levels: value ?? new Map(), problems: problems.map((problem) => `${file}: ${problem}`) };
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    return { levels: new Map(), problems: [error.message] };
  }
}

/** The settings of the workspace that a folder is in: its own, or those of a folder above it, up to the top of the repository. */
function findWorkspaceSettings(folder: string): string | undefined {
  for (let at = resolve(folder); ; at = dirname(at)) {
    const file = join(at, '.vscode', 'settings.json');
    if (existsSync(file)) return file;
    if (existsSync(join(at, '.git')) || dirname(at) === at) return undefined;
  }
}

function withoutMark(text: string): string {
  return text.replace(/^\uFEFF/u, '');
}
