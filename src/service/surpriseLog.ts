import type { Log, PageSource } from './ports.ts';

/** A source that logs what the contract does not lead one to expect in its answers, once per shape. */
export function withSurprisesLogged(source: PageSource, log: Log): PageSource {
  const seen = new Set<string>();
  return {
    listJobs: async (endpoint, params, signal) => {
      const page = await source.listJobs(endpoint, params, signal);
      for (const { kind, path } of page.surprises) {
        const shape = `${endpoint}: ${kind} ${path}`;
        if (seen.has(shape)) continue;
        seen.add(shape);
        log.info(`unexpected in the answers of ${shape}`);
      }
      return page;
    },
  };
}
