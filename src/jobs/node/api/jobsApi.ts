import { readUsableId } from '../../common/decodeJob.ts';
import { Failure } from '../../../base/failure.ts';
import { isJsonObject, parseJson } from '../../../base/json/json.ts';
import type { ListEndpoint, ListParams } from '../../common/listParams.ts';
import type { HttpClient } from '../../../platform/http/httpClient.ts';
import type { KeyMask } from '../../../platform/http/keyMask.ts';
import { nextTurn } from '../../../base/clock.ts';
import { readPage } from './readPage.ts';
import { listPath, encodeListQuery } from './listQuery.ts';
import type { Connection } from '../../../connections/common/connection.ts';
import type { ListPage } from '../../common/decodePage.ts';
import type { SubmitOutcome } from '../../common/submission.ts';

/** The service's API (contract 4) over one connection. Page URLs are never followed. */
export class JobsApi {
  readonly #connection: Connection;
  readonly #client: HttpClient<Connection>;

  /** @param client for the same connection. */
  constructor(connection: Connection, client: HttpClient<Connection>) {
    this.#connection = connection;
    this.#client = client;
  }

  /**
   * Contract 4.1 to 4.3.
   * @param sharesText as in PageOptions
   * @throws Failure of any code; `cancelled` when the signal fires. ParameterError, before anything is sent.
   */
  async listJobs(
    endpoint: ListEndpoint,
    params: ListParams,
    signal?: AbortSignal,
    sharesText = false,
  ): Promise<ListPage> {
    const query = encodeListQuery(endpoint === 'combined' ? params : { ...params, kinds: [] }, this.#connection);
    const kind = endpoint === 'combined' ? undefined : endpoint;
    return this.#client.get(
      listPath(endpoint),
      query,
      async ({ text, serviceDateMs, slowDown }) => {
        const page = await inSteps(readPage(text, { kind, limit: params.limit, sharesText }), signal);
        return { ...page, serviceDateMs, slowDown };
      },
      signal,
    );
  }

  /** Contract 4.4. Sends at most one POST. */
  async submit(body: string, signal?: AbortSignal): Promise<SubmitOutcome> {
    const outcome = await this.#client.post('/v2/pre-recorded', body, signal);
    if (outcome.type !== 'accepted') return outcome;
    const { status, answer } = outcome;
    return { type: 'accepted', status, id: createdId(outcome), ...(answer && { answer }) };
  }
}

/** Sends exactly one POST; never throws. */
export type RequestSink = Pick<JobsApi, 'submit'>;

/**
 * Returns the `id` in a POST response, whose shape contract 4.4 does not show. It is journaled, so an id that contains
 * the key is refused.
 */
function createdId({ text, keyMask }: { readonly text: string; readonly keyMask: KeyMask }): string | undefined {
  const answer = parseJson(text);
  const id = isJsonObject(answer) ? readUsableId(answer['id'], text) : undefined;
  return id === undefined || keyMask.holds(id) ? undefined : id;
}

/** Runs a generator to its end and yields to the event loop between steps. */
async function inSteps<T>(steps: Generator<undefined, T>, signal: AbortSignal | undefined): Promise<T> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    await nextTurn();
    if (signal?.aborted === true) throw new Failure('cancelled');
  }
}
