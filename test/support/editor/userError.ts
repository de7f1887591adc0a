/** A failure whose message is one line for the person at the terminal: what happened and what to do. No stack is shown. */
export class UserError extends Error {
  override readonly name = 'UserError';
}
