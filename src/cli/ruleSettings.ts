import { lstatSync, realpathSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import type { RuleLevels } from '../language/check.ts';
import { readRulesFile, readSettingsRules } from '../language/ruleLevels.ts';
import { readSource, reasonOf, SourceError, withoutMark } from './readSource.ts';
import type { LevelSource } from './reporter.ts';
import { findRepository } from './repository.ts';

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
  readonly sources: readonly LevelSource[];
}

/**
 * Reads the rule levels for the files of a folder: from the workspace settings, so that editor and command agree, overridden by
 * those of the rules file.
 * @throws SourceError if the rules file cannot be used
 */
export function readLevels(folder: string, { rulesFile, usesSettings }: RuleSources): ReadLevels {
  const workspace = usesSettings ? readWorkspaceLevels(folder) : noLevels;
  if (rulesFile === undefined) return workspace;
  const { value, problems } = readRulesFile(withoutMark(readSource(resolve(folder, rulesFile), rulesFile)));
  if (value === undefined || problems.length > 0) throw new SourceError(`${rulesFile}: ${problems.join(' ')}`);
  return {
    levels: new Map([...workspace.levels, ...value]),
    problems: workspace.problems,
    sources: [...workspace.sources, { name: rulesFile, levels: value }],
  };
}

const noLevels: ReadLevels = { levels: new Map(), problems: [], sources: [] };

function readWorkspaceLevels(folder: string): ReadLevels {
  // Without a repository, settings of folders above belong to others.
  const root = findRepository(folder) ?? folder;
  const file = findWorkspaceSettings(folder, root);
  if (file === undefined) return noLevels;
  const name = relative(folder, file).split(sep).join('/');
  try {
    if (!isFileBelow(file, root)) throw new SourceError(`${name} is not used: it is no file inside of the repository`);
    const { value, problems } = readSettingsRules(withoutMark(readSource(file, name)));
    const levels: RuleLevels = value ?? new Map();
    const sources = levels.size > 0 ? [{ name, levels }] : [];
    return { levels, problems: problems.map((problem) => `${name}: ${problem}`), sources };
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    return { ...noLevels, problems: [error.message] };
  }
}

/** Finds the workspace settings of a folder: in the folder or its ancestors, up to the root of the repository. */
function findWorkspaceSettings(folder: string, root: string): string | undefined {
  for (let at = resolve(folder); ; at = dirname(at)) {
    const file = join(at, '.vscode', 'settings.json');
    // A link that leads nowhere counts, too: it should be reported.
    if (lstatSync(file, { throwIfNoEntry: false }) !== undefined) return file;
    if (at === resolve(root) || dirname(at) === at) return undefined;
  }
}

/** True if a path is a regular file that lies, after all links, in a folder. @throws SourceError if that cannot be found out */
function isFileBelow(path: string, folder: string): boolean {
  try {
    const file = realpathSync(path);
    return file.startsWith(realpathSync(folder) + sep) && lstatSync(file).isFile();
  } catch (error) {
    throw new SourceError(`${path} can't be read: ${reasonOf(error)}`);
  }
}
