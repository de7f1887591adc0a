/** Why a request is refused; answered as a flat JSON error. The message is the service's own English. */
export class Refusal extends Error {
  readonly statusCode: number;
  readonly validationErrors: readonly string[];

  constructor(statusCode: number, message: string, validationErrors: readonly string[] = []) {
    super(message);
    this.name = 'Refusal';
    this.statusCode = statusCode;
    this.validationErrors = validationErrors;
  }
}
