/**
 * A failure whose message is one line for the terminal user: what happened and what to do. It is shown without a stack.
 */
export class UserError extends Error {
  override readonly name = 'UserError';
}
