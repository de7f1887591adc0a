import { Failure, type FailureFacts } from '../../domain/failure.ts';

/** A text with every occurrence of the key blotted out: a service may repeat the key, as it is or escaped. */
export function withoutKey(text: string, key: string): string {
  const inUrl = new URLSearchParams([['', key]]).toString().slice(1);
  const forms = [key, JSON.stringify(key).slice(1, -1), inUrl, inUrl.replaceAll('+', '%20')];
  return forms.reduce((rest, form) => rest.replaceAll(form, '•••'), text);
}

/** The same failure, told without the key. */
export function failureWithoutKey(failure: Failure, key: string): Failure {
  const { serviceMessage, fieldErrors, requestId, cause, ...numbers } = failure.facts;
  const facts: FailureFacts = {
    ...numbers,
    ...(serviceMessage !== undefined && { serviceMessage: withoutKey(serviceMessage, key) }),
    ...(fieldErrors !== undefined && { fieldErrors: fieldErrors.map((each) => withoutKey(each, key)) }),
    ...(requestId !== undefined && { requestId: withoutKey(requestId, key) }),
    ...(cause !== undefined && { cause: withoutKey(cause, key) }),
  };
  return new Failure(failure.code, facts);
}
