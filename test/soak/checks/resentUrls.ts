import type { SoakBatch } from '../service/soakService.ts';

/** Returns the audio URLs that were sent more than once at a time. A batch that is continued repeats what was rejected. */
export function resentUrls(batches: readonly SoakBatch[], posts: readonly string[]): readonly string[] {
  return batches.flatMap(({ urls, runs }) =>
    runs.flatMap((from, run) => {
      const sent = posts.slice(from, runs[run + 1]).filter((url) => urls.includes(url));
      return sent.filter((url, at) => sent.indexOf(url) < at);
    }),
  );
}
