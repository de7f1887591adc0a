import type { Finding } from '../language/request/finding.ts';

/** Counts what a check finds. */
export class FindingCount {
  files = 0;
  fixed = 0;
  error = 0;
  warning = 0;
  info = 0;
  hint = 0;
  #filesWithFindings = 0;
  #fixable = 0;
  #choosable = 0;

  /** Adds the findings of one file. */
  add(findings: readonly Finding[]): void {
    this.files++;
    if (findings.length > 0) this.#filesWithFindings++;
    for (const { severity, fixes } of findings) {
      this[severity]++;
      if (fixes?.some(({ safe }) => safe) === true) this.#fixable++;
      else if (fixes !== undefined && fixes.length > 0) this.#choosable++;
    }
  }

  /** Describes the run in one line. @param failures number of things that were not checked */
  describe(failures: number): string {
    const { files, error, warning, info, hint } = this;
    const counts = [
      ...(error > 0 ? [plural(error, 'error')] : []),
      ...(warning > 0 ? [plural(warning, 'warning')] : []),
      ...(info > 0 ? [`${info} info`] : []),
      ...(hint > 0 ? [plural(hint, 'hint')] : []),
    ];
    return [
      ...(this.fixed > 0 ? [`${plural(this.fixed, 'file')} fixed`] : []),
      `${plural(files, 'file')} checked`,
      ...(counts.length > 0 ? [`${counts.join(', ')} in ${plural(this.#filesWithFindings, 'file')}`] : []),
      ...(counts.length === 0 && files > 0 ? ['no problems'] : []),
      ...(this.#fixable > 0 ? [`${this.#fixable} can be fixed with check --fix`] : []),
      ...(this.#choosable > 0 ? [describeChoosable(this.#choosable)] : []),
      ...(failures > 0 ? [`not everything was checked (${plural(failures, 'failure')})`] : []),
    ].join('; ');
  }
}

/** Describes how many problems have only fixes that change what a request does. */
export function describeChoosable(count: number): string {
  return `${count} ${count === 1 ? 'has a fix' : 'have fixes'} to choose in an editor`;
}

/** Returns a number with its noun. */
export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
