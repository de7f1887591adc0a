import assert from 'node:assert/strict';
import { Failure } from '../../../src/base/failure.ts';
import type { Job } from '../../../src/jobs/common/job.ts';
import { formatJobLink, readJobLink } from '../../../src/jobs/common/jobLink.ts';
import { FindPick, type FindPickOptions } from '../../../src/features/browse/editor/findJob.ts';
import { preRecordedItem } from '../../support/builders/jobItem.ts';
import { KeptLog } from '../../support/keptLog.ts';
import { until } from '../../support/until.ts';
import { jobOf, noSource } from '../details/fakeDetailsDeps.ts';
import { openBrowseScene } from './browseScene.ts';
import { acceptLabel, acceptRow, reportActive, typeInto, withPicks, type ShownPick } from './withPicks.ts';
import { fakeReader } from '../../support/lists/fakeLists.ts';

const typed = 'Interview with a windmill';
const other = jobOf(preRecordedItem({ id: 'other', custom_metadata: { title: 'Reel 7', note: typed } }));
const elsewhere = jobOf(preRecordedItem({ id: 'elsewhere', custom_metadata: { title: 'Reel 8' } }));
const named = jobOf(preRecordedItem({ id: 'named', custom_metadata: { title: typed } }));

const facts = { locale: { language: 'en', timeZone: 'UTC' }, nowMs: 0, labelKeys: ['title'], errorLabels: {} };

/** Creates the pick without loaded jobs and filter, except for the given dependencies. */
function findPickOf(given: Partial<FindPickOptions>): FindPick {
  return new FindPick({
    log: new KeptLog(),
    jobs: [],
    whole: (job) => job,
    isFiltered: false,
    source: () => noSource,
    queries: () => [{ endpoint: 'pre-recorded', params: {} }],
    facts,
    pick: async () => undefined,
    openLink: () => undefined,
    ...given,
  });
}

describe('Find Job', () => {
  /** Searches a service whose second page arrives after `between`. @returns the label of the item that Enter acts on at the end */
  async function search(between: (pick: ShownPick) => void): Promise<string> {
    let label = '';
    let go = (): void => undefined;
    const gate = new Promise<void>((resolve) => (go = resolve));
    const jobs: readonly Job[] = [other, named];
    await withPicks(async (next) => {
      const findPick = findPickOf({
        source: () =>
          fakeReader(async (_endpoint, { offset = 0 }) => {
            if (offset > 0) await gate;
            const hasMore = offset + 1 < jobs.length;
            return { entries: jobs.slice(offset, offset + 1), hasMore, serviceDateMs: undefined, deviations: [] };
          }),
      });
      const pick = await next();
      typeInto(pick, typed);
      const rowOf = (text: string): number => pick.items.findIndex((item) => item.label.includes(text));
      await until('the service can be searched', () => rowOf('Search the service') >= 0);
      acceptRow(pick, rowOf('Search the service'));
      await until('the first page is there', () => rowOf('Reel 7') >= 0);
      between(pick);
      go();
      await until('the search is over', () => rowOf('searched') >= 0 && rowOf('…') < 0);
      label = pick.activeItems[0]?.label ?? '';
      findPick.dispose();
    });
    return label;
  }

  const itemOf = (pick: ShownPick, text: string) => pick.items.find(({ label }) => label.includes(text));

  it('keeps the first job active, whatever the editor reports while rows arrive', async () => {
    assert.equal(await search((pick) => reportActive(pick, itemOf(pick, 'Reel 7'))), typed);
    const settles = (pick: ShownPick): void => {
      reportActive(pick, itemOf(pick, 'Reel 7'));
      reportActive(pick, pick.activeItems[0]);
    };
    assert.equal(await search(settles), typed);
  });

  it('keeps the row that the user has moved to', async () => {
    const move = (pick: ShownPick): void => {
      reportActive(pick, pick.activeItems[0]);
      reportActive(pick, itemOf(pick, 'Reel 7'));
    };
    assert.equal(await search(move), 'Reel 7');
  });

  it('stops the search with Enter while it runs', async () => {
    let running = '';
    await search((pick) => (running = pick.activeItems[0]?.description ?? ''));
    assert.equal(running, 'Stop');
  });

  /** Returns the labels after the service was searched to the end of its list, as its responses show it. */
  async function searched(
    jobs: readonly Job[],
    isFiltered: boolean,
    label: string,
    hasMore = false,
  ): Promise<readonly string[]> {
    let labels: readonly string[] = [];
    await withPicks(async (next) => {
      const findPick = findPickOf({
        isFiltered,
        source: () =>
          fakeReader(async (_endpoint, { offset = 0 }) => ({
            entries: jobs.slice(offset),
            hasMore,
            serviceDateMs: undefined,
            deviations: [],
          })),
      });
      const pick = await next();
      typeInto(pick, typed);
      const rowOf = (text: string): number => pick.items.findIndex((item) => item.label.includes(text));
      await until('the service can be searched', () => rowOf(label) >= 0);
      assert.ok(rowOf('No match in loaded jobs') >= 0);
      acceptRow(pick, rowOf(label));
      await until('the search is over', () =>
        pick.items.some((item) => /jobs were searched|Found within/.test(item.label)),
      );
      labels = pick.items.map((item) => item.label);
      findPick.dispose();
    });
    return labels;
  }

  /** Returns a pick whose search of the service has begun. @param list returns a page, by the number of the request */
  async function searching(
    list: (nth: number, offset: number, signal?: AbortSignal) => Promise<readonly Job[]>,
    hasMore: boolean,
    text: string,
    body: (pick: ShownPick, rowOf: (text: string) => number) => Promise<void>,
  ): Promise<void> {
    let asked = 0;
    await withPicks(async (next) => {
      const findPick = findPickOf({
        source: () =>
          fakeReader(async (_endpoint, { offset = 0 }, signal) => {
            const entries = await list(++asked, offset, signal);
            return { entries, hasMore, serviceDateMs: undefined, deviations: [] };
          }),
      });
      const pick = await next();
      typeInto(pick, text);
      const rowOf = (part: string): number => pick.items.findIndex(({ label }) => label.includes(part));
      await until('the service can be searched', () => rowOf('Search the service') >= 0);
      acceptRow(pick, rowOf('Search the service'));
      await body(pick, rowOf);
      findPick.dispose();
    });
  }

  it('reports how far the search got when it is stopped', async () => {
    const untilStopped = (signal?: AbortSignal): Promise<never> =>
      new Promise((_resolve, reject) => {
        signal?.addEventListener('abort', () => reject(new Failure('cancelled')));
      });
    await searching(
      async (_nth, offset, signal) => (offset === 0 ? [elsewhere] : untilStopped(signal)),
      true,
      typed,
      async (pick, rowOf) => {
        await until('one job is searched', () => rowOf('1 jobs searched…') >= 0);
        acceptRow(pick, rowOf('searched…'));
        await until('it has stopped', () => rowOf('Stopped after 1 jobs') >= 0);
      },
    );
  });

  it('reports why a search failed, and finds the job after a retry', async () => {
    await searching(
      async (nth) => {
        if (nth === 1) throw new Failure('serverFailed', { status: 500, serviceMessage: 'Down for a moment' });
        return [named];
      },
      false,
      typed,
      async (pick, rowOf) => {
        await until('the cause is told', () => rowOf('Down for a moment') >= 0);
        acceptRow(pick, rowOf('Try Again'));
        await until('the job is found', () => rowOf(typed) >= 0);
      },
    );
  });

  it('stops a search for a complete id as soon as the job is found', async () => {
    await searching(
      async (_nth, offset) => (offset === 0 ? [named] : assert.fail('no further page is asked for')),
      true,
      named.id,
      async (_pick, rowOf) => {
        await until('it has ended', () => rowOf('Found within 1 jobs') >= 0);
        assert.ok(rowOf(typed) >= 0);
      },
    );
  });

  it('opens a job and reveals its row if it has one', async () => {
    const scene = await openBrowseScene(0);
    try {
      const loaded = scene.sample.add({
        kind: 'live',
        status: 'queued',
        fields: { custom_metadata: { title: 'Loaded' } },
      });
      const late = scene.sample.add({
        kind: 'live',
        status: 'done',
        fields: { custom_metadata: { title: 'Not loaded' } },
      });
      await scene.store.load({ kind: 'live', status: 'queued' });
      scene.takeRequests();
      for (const [text, isLoaded] of [
        [loaded.slice(0, 13), true],
        ['not LOADED', false],
      ] as const) {
        await withPicks(async (next) => {
          await scene.run('findJob');
          const pick = await next();
          const rowOf = (part: string): number => pick.items.findIndex(({ label }) => label === part);
          typeInto(pick, text);
          await until('the service can be searched', () =>
            pick.items.some(({ label }) => label.includes('Search the')),
          );
          if (isLoaded) assert.deepEqual(scene.takeRequests(), [], 'looking among loaded jobs asks nothing');
          else acceptLabel(pick, 'Search the service');
          const title = isLoaded ? 'Loaded' : 'Not loaded';
          await until('it is found', () => rowOf(title) >= 0);
          acceptRow(pick, rowOf(title));
          await until('it is opened', () => scene.opened.includes(isLoaded ? loaded : late));
        });
      }
      assert.deepEqual(scene.revealed, [loaded]);
    } finally {
      await scene.close();
    }
  });

  it('opens a job that was found by its transcript at the matching text', async () => {
    const scene = await openBrowseScene(0);
    try {
      const said = { text: 'Every evening the lantern is lit.', start: 0, end: 4, speaker: 0, language: 'en' };
      const fields = {
        custom_metadata: { title: 'Harbour lights' },
        result: { transcription: { utterances: [said], full_transcript: said.text } },
      };
      scene.sample.add({ kind: 'pre-recorded', status: 'done', fields });
      await scene.store.load({ kind: 'pre-recorded', status: 'done' });
      for (const [typed, count] of [
        ['harbour LANTERN', 1],
        ['harbour', 2],
      ] as const) {
        await withPicks(async (next) => {
          await scene.run('findJob');
          const pick = await next();
          typeInto(pick, typed);
          await until('it is found', () => pick.items.some(({ label }) => label === 'Harbour lights'));
          acceptLabel(pick, 'Harbour lights');
          await until('it is opened', () => scene.opened.length === count);
        });
      }
      assert.deepEqual(scene.found, [['harbour LANTERN', 'lantern'], []]);
    } finally {
      await scene.close();
    }
  });

  it('reports that no job matches only if all were searched, and never if one was found', async () => {
    const says = (labels: readonly string[]): readonly string[] =>
      labels.filter((label) => /No (?:job|match)/.test(label));
    assert.deepEqual(says(await searched([other, named], false, 'Search the service')), []);
    const [none, ...more] = says(await searched([], false, 'Search the service'));
    assert.ok(none === '$(info) No job matches' && more.length === 0, none);
    // A service that keeps announcing more, but sends none, has not shown that no job matches.
    assert.deepEqual(says(await searched([elsewhere], false, 'Search the service', true)), [
      '$(info) No match in loaded jobs',
      '$(info) No match. 1 jobs were searched; there may be more',
    ]);
    assert.deepEqual(says(await searched([], true, 'without the filter')), ['$(info) No job matches']);
    assert.deepEqual(says(await searched([], true, 'within the filter')), ['$(info) No job within the filter matches']);
  });

  it('searches all jobs that a search of the whole service has read, without new requests', async () => {
    let asked = 0;
    await withPicks(async (next) => {
      const findPick = findPickOf({
        jobs: [other],
        source: () =>
          fakeReader(async (_endpoint, { offset = 0 }) => {
            asked++;
            const entries = [other, named].slice(offset);
            return { entries, hasMore: false, serviceDateMs: undefined, deviations: [] };
          }),
      });
      const pick = await next();
      const labels = (): readonly string[] => pick.items.map(({ label }) => label);
      const rowOf = (text: string): number => labels().findIndex((label) => label.includes(text));
      const all = '$(info) All 2 jobs were searched';
      const service = ['on the service', all, '$(search) Search the service again'];

      typeInto(pick, 'nothing has this');
      await until('the service can be searched', () => rowOf('Search the service') >= 0);
      acceptRow(pick, rowOf('Search the service'));
      await until('all were searched', () => labels().at(-1) === all);
      assert.equal(pick.title, 'Find Job · All 2 jobs were searched');
      const sent = asked;

      typeInto(pick, typed);
      await until('both are found', () => rowOf('Reel 7') >= 0 && rowOf(typed) >= 0);
      assert.deepEqual(labels(), ['loaded jobs', 'Reel 7', 'on the service', typed, ...service.slice(1)]);
      typeInto(pick, 'nor this');
      await until('none is found', () => rowOf('No match') >= 0);
      assert.deepEqual(
        labels(),
        ['$(info) No match in the jobs that were read', ...service],
        'others may have come since',
      );
      assert.equal(asked, sent);

      const link = formatJobLink({ kind: 'live', id: 'a', createdAtMs: 0 }, 'https://api.example.com', 'vscode');
      typeInto(pick, link ?? '');
      await until('the link is understood', () => rowOf('link') >= 0);
      assert.equal(pick.title, 'Find Job');
      typeInto(pick, '');
      await until('what is loaded is listed', () => labels().join() === 'Reel 7');
      assert.equal(pick.title, 'Find Job');

      typeInto(pick, 'nor this');
      await until('it can be searched again', () => rowOf('again') >= 0);
      acceptRow(pick, rowOf('again'));
      await until('it was searched again', () => labels().at(-1) === all);
      assert.ok(asked > sent);
      findPick.dispose();
    });
  });

  it('closes when it loses the focus again after the searched text is replaced', async () => {
    await withPicks(async (next) => {
      const findPick = findPickOf({
        source: () => fakeReader(async () => new Promise(() => undefined)),
      });
      const pick = await next();
      const rowOf = (text: string): number => pick.items.findIndex((item) => item.label.includes(text));
      typeInto(pick, typed);
      await until('the service can be searched', () => rowOf('Search the service') >= 0);
      acceptRow(pick, rowOf('Search the service'));
      assert.equal(pick.ignoreFocusOut, true);
      typeInto(pick, 'Reel');
      assert.equal(pick.ignoreFocusOut, false);
      findPick.dispose();
    });
  });

  it('opens the job of a pasted link, and accepts nothing else as a link', async () => {
    const link = formatJobLink({ kind: 'live', id: 'a b', createdAtMs: 0 }, 'https://api.example.com', 'vscode') ?? '';
    const opened: string[] = [];
    await withPicks(async (next) => {
      const findPick = findPickOf({
        jobs: [named],
        source: () => noSource,
        queries: () => [],
        openLink: (uri) => opened.push(readJobLink(uri)?.id ?? ''),
      });
      const pick = await next();
      for (const other of [
        `${link}&more=1`,
        link.replace('kind=live', 'kind=x'),
        'https://api.example.com/job',
        'a://',
      ]) {
        typeInto(pick, other);
        await until('it is searched for', () => pick.items.some(({ label }) => label.includes('Search the service')));
      }
      typeInto(pick, ` ${link} `);
      await until(
        'the link is understood',
        () => pick.items.length === 1 && pick.items[0]?.label.includes('link') === true,
      );
      acceptRow(pick, 0);
      findPick.dispose();
    });
    assert.deepEqual(opened, ['a b']);
  });
});
