import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { RuleLevels } from '../language/check.ts';
import { readRulesFile, readSettingsRules } from '../language/ruleLevels.ts';
import { readSource, SourceError } from './requestSources.ts';

/** Sources of rule levels. */
export interface RuleSources {
  /** A separate rules file, which must be valid. */
  readonly rulesFile: string | undefined;
  /** True if the levels of the workspace apply, too. */
  readonly usesSettings: boolean;
}

/** Rule levels, and problems in their sources. */
export interface ReadLevels {
  readonly levels: RuleLevels;
  /** Sentences about invalid entries in the workspace settings; the other entries apply. */
  readonly problems: readonly string[];
}

/**
 * Reads the rule levels for the files of a folder: from the workspace settings, so that editor and command agree, overridden by
 * those of the rules file.
 * @throws SourceError if the rules file cannot be used
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

/** Finds the workspace settings of a folder: in the folder or its ancestors, up to the root of the repository. */
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
