import type { SampleService } from '../../../src/sample/sampleService.ts';

/** More than the number of jobs the service has. */
const whole = 10_000;

/** Fields of a job in a list. */
interface ListedJob {
  readonly id: string;
  readonly status: string;
  readonly created_at: string;
  readonly file?: { readonly source?: string | null } | null;
}

/** Requests the jobs of a list from the service without the product. @param status undefined: all statuses */
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

/** Requests the ids of a list in the same way. */
export async function serviceTruth(
  sample: SampleService,
  kind: string,
  status: string | undefined,
): Promise<readonly string[]> {
  return (await serviceJobs(sample, kind, status)).map(({ id }) => id);
}
