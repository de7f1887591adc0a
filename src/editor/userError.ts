import type { NextStep } from './showMessage.ts';

/** Something went wrong in a way that a sentence explains. `message` is shown as it is. */
export class UserError extends Error {
  override readonly name = 'UserError';
  readonly nextSteps: readonly NextStep[];

  /** @param message localised. */
  constructor(message: string, nextSteps: readonly NextStep[] = []) {
    super(message);
    this.nextSteps = nextSteps;
  }
}
