/** What can be wrong with a list parameter before it is sent. */
export type ParameterProblem =
  'notAnOffset' | 'notALimit' | 'notADate' | 'notADateTime' | 'nestedMetadata' | 'emptyMetadata' | 'unwritableMetadata';

/** A list parameter of contract 4.5 that cannot be sent. Thrown before anything leaves the machine. */
export class ParameterError extends Error {
  override readonly name = 'ParameterError';
  /** As contract 4.5 spells it; with the key for metadata: `custom_metadata.user`. */
  readonly parameter: string;
  readonly problem: ParameterProblem;

  constructor(parameter: string, problem: ParameterProblem) {
    super(`${parameter}: ${problem}`);
    this.parameter = parameter;
    this.problem = problem;
  }
}
