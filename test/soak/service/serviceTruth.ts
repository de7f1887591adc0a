import type { SampleService } from '../../../src/sample/sampleService.ts';

/** More than the number of jobs the service has. */
const whole = 10_000;

/** What a list says of a job. */
interface ListedJob {
  readonly id: string;
  readonly status: string;
  readonly created_at: string;
}

/** The jobs of a list, requested from the service without the product. @param status undefined: all statuses */
export async function serviceJobs(
  { baseUrl, key }: SampleService,
  kind: string,
  status: string | undefined,
): Promise<readonly ListedJob[]> {
  const query = status === undefined ? '' : `&status=${status}`;
  const response = await fetch(`${baseUrl}/v2/${kind}?offset=0&limit=${whole}${query}`, {
    headers: { 'x-service-key': key },
  });
  const page = (await response.json()) as { readonly items: readonly ListedJob[] };
  return page.items;
}

/** The ids of a list, requested in the same way. */
export async function serviceTruth(
  sample: SampleService,
  kind: string,
  status: string | undefined,
): Promise<readonly string[]> {
  return (await serviceJobs(sample, kind, status)).map(({ id }) => id);
}
