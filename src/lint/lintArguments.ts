type LintFormat = 'text' | 'sarif';

/** What the command line asks for. */
export type LintArguments =
  | { readonly type: 'check'; readonly format: LintFormat; readonly files: readonly string[] }
  | { readonly type: 'help' }
  /** It cannot be understood; `problem` says why. */
  | { readonly type: 'badUse'; readonly problem: string };

/** @param given without the program and the script */
export function lintArguments(given: readonly string[]): LintArguments {
  const files: string[] = [];
  let format: LintFormat = 'text';
  let onlyFiles = false;
  for (let index = 0; index < given.length; index++) {
    const argument = given[index] ?? '';
    if (onlyFiles || !argument.startsWith('-')) files.push(argument);
    else if (argument === '--') onlyFiles = true;
    else if (argument === '--help' || argument === '-h') return { type: 'help' };
    else {
      const value = argument === '--format' ? given[++index] : /^--format=(.*)$/u.exec(argument)?.[1];
      if (value === undefined) return { type: 'badUse', problem: `unknown argument ${argument}` };
      if (value !== 'text' && value !== 'sarif') return { type: 'badUse', problem: `unknown format ${value}` };
      format = value;
    }
  }
  return files.length === 0 ? { type: 'badUse', problem: 'no file was named' } : { type: 'check', format, files };
}
