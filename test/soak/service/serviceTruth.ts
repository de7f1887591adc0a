import type { SampleService } from '../../../src/sample/sampleService.ts';

/** More than the number of jobs the service has. */
const whole = 10_000;

/** The ids of a list, requested from the service without the product. @param status undefined: all statuses */
export async function serviceTruth(
  { baseUrl, key }: SampleService,
  kind: string,
  status: string | undefined,
): Promise<readonly string[]> {
  const query = status === undefined ? '' : `&status=${status}`;
  const response = await fetch(`${baseUrl}/v2/${kind}?offset=0&limit=${whole}${query}`, {
    headers: { 'x-service-key': key },
  });
  const page = (await response.json()) as { readonly items: readonly { readonly id: string }[] };
  return page.items.map(({ id }) => id);
}
