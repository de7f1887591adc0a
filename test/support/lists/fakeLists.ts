import { ListReader, type ListApi } from '../../../src/jobs/node/list/listReader.ts';
import type { ServiceTraits } from '../../../src/jobs/node/list/serviceTraits.ts';
import type { ListPage } from '../../../src/jobs/common/decodePage.ts';

/** Responds to a request for a page of a list. */
export type ListAnswer = ListApi['listJobs'];

/** Test double of the API: a function returns its lists. */
class FakeApi implements ListApi {
  readonly #answer: ListAnswer;

  constructor(answer: ListAnswer) {
    this.#answer = answer;
  }

  async listJobs(...query: Parameters<ListAnswer>): Promise<ListPage> {
    return this.#answer(...query);
  }
}

/** Reads lists that a function returns. */
export function fakeReader(answer: ListAnswer, traits?: ServiceTraits): ListReader {
  return new ListReader(() => Promise.resolve(new FakeApi(answer)), traits === undefined ? {} : { traits });
}

/** A service whose lists a class returns, as the product reads them. */
export abstract class FakeService extends ListReader {
  constructor() {
    super(() => Promise.resolve(new FakeApi((...query) => this.answer(...query))));
  }

  abstract answer(...query: Parameters<ListAnswer>): Promise<ListPage>;
}
