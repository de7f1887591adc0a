import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { FacetCondition } from '../../../../../src/features/board/common/boardView.ts';
import { noFilter, type FilterTime } from '../../../../../src/jobs/common/jobFilter.ts';
import {
  boardTitle,
  describeNothing,
  describeStandout,
  describeStandoutDetail,
  describeTimes,
  describeUnsupported,
  describeValue,
  formatPeriod,
  formatTook,
  nameConditions,
} from '../../../../../src/features/board/common/boardText.ts';

const english = { language: 'en', timeZone: 'UTC' };
const french = { language: 'fr', timeZone: 'UTC' };
const noon = Date.UTC(2026, 10, 22, 12);

it('processing times are formatted as elsewhere, with no more precision than needed for comparison', () => {
  const minute = 60_000;
  for (const [ms, expected] of [
    [12_340, '12.3 sec'],
    [59_949, '59.9 sec'],
    [59_960, '1 min'],
    [91_700, '1 min 32 sec'],
    [38.3 * minute, '38 min 18 sec'],
    [3_599_600, '1 hr'],
    [90 * minute + 20_000, '1 hr 30 min'],
  ] as const) {
    assert.equal(formatTook(ms, english), expected);
  }
});

it('without a finding, the text reports too few failures or differences that chance could explain', () => {
  const found = { group: 5, compared: 100, conditions: [] };
  assert.equal(describeNothing({ ...found, group: 0, of: 'failures' }), 'No failures.');
  assert.match(describeNothing({ ...found, group: 4, of: 'failures' }), /^Too few jobs/);
  assert.match(describeNothing({ ...found, compared: 9, of: 'failures' }), /^Too few other jobs/);
  assert.match(
    describeNothing({ ...found, of: 'selection' }),
    /differ from the others by no more than chance could explain\.$/,
  );
  assert.match(describeNothing({ ...found, of: 'failures' }), /differ from the other finished jobs by no more than/);
  const conditions = [{ key: 'custom_metadata.customer', value: 'acme', isExcluded: false }];
  assert.match(describeNothing({ ...found, conditions, of: 'failures' }), /^Among the jobs that meet the conditions/);
});

it('a finding describes what the jobs share, their share of failures, that of the rest, and since or until when', () => {
  const is = (key: string, value: string): FacetCondition => ({ key, value, isExcluded: false });
  const customer = is('custom_metadata.customer', 'Aurora Health');
  const figures = { having: { hits: 24, of: 26 }, rest: { hits: 40, of: 1200 } };
  const say = (
    shared: readonly FacetCondition[],
    side: 'since' | 'until' | undefined,
    about: Parameters<typeof describeStandout>[1] = { of: 'failures', isNarrowed: false },
  ): string =>
    describeStandout(
      { shared, time: side && { side, atMs: noon }, ...figures, incident: undefined, code: undefined },
      about,
      english,
      noon,
    );
  const shares = '24 of 26 failed (92.3%), compared with 40 of 1,200';
  assert.equal(
    say([customer], 'since'),
    `customer = Aurora Health: ${shares} other jobs (3.3%), all created since Nov 22, 2026, 12:00 PM`,
  );
  assert.equal(
    say([customer, is('custom_metadata.language', 'fr')], 'until'),
    `customer = Aurora Health, language = fr: ${shares} other jobs (3.3%), all created before Nov 22, 2026, 12:00 PM`,
  );
  assert.equal(say([], 'since'), `Jobs created since Nov 22, 2026, 12:00 PM: ${shares} before (3.3%)`);
  assert.equal(say([], 'until'), `Jobs created before Nov 22, 2026, 12:00 PM: ${shares} afterwards (3.3%)`);
  const among = (what: string): string => `24 of 26 are among these ${what} (92.3%), compared with 40 of 1,200`;
  const narrowed = { of: 'failures', isNarrowed: true } as const;
  assert.equal(
    say([customer], undefined, { of: 'selection', isNarrowed: false }),
    `customer = Aurora Health: ${among('jobs')} other jobs (3.3%)`,
  );
  assert.equal(
    say([customer], undefined, narrowed),
    `customer = Aurora Health: ${among('failures')} other jobs (3.3%)`,
  );
  assert.equal(
    say([], 'since', narrowed),
    `Jobs created since Nov 22, 2026, 12:00 PM: ${among('failures')} before (3.3%)`,
  );
  assert.equal(
    say([], 'until', narrowed),
    `Jobs created before Nov 22, 2026, 12:00 PM: ${among('failures')} afterwards (3.3%)`,
  );
});

it('a range has the same punctuation within a day and over several days', () => {
  const hours = (count: number) => ({ fromMs: noon, toMs: noon + count * 3_600_000 });
  assert.equal(formatPeriod(hours(2), french), 'created 22 nov. 2026, 12:00 – 14:00');
  assert.equal(formatPeriod(hours(24), french), 'created 22 nov. 2026, 12:00 – 23 nov. 2026, 12:00');
  assert.equal(formatPeriod(hours(2), english), 'created Nov 22, 2026, 12:00 PM – 2:00 PM');
  assert.equal(formatPeriod({ fromMs: noon, toMs: undefined }, english), 'created since Nov 22, 2026, 12:00 PM');
});

it('a value that could be mistaken for another one is quoted', () => {
  const key = 'custom_metadata.customer';
  const values = ['a', ' a', 'a  b', 'a b', '', 'none', undefined, '"a"', '" a"', 'a\u202eb'];
  const labels = values.map((value) => describeValue(key, value, {}));
  const expected = ['a', '" a"', '"a  b"', 'a b', '""', '"none"', 'none', String.raw`"\"a\""`, String.raw`"\" a\""`];
  assert.deepEqual(labels, [...expected, String.raw`"a\u202eb"`]);
  assert.equal(new Set(labels).size, values.length);
});

it('conditions that a filter of the jobs view leaves out are listed, at most three and truncated', () => {
  const condition = (key: string, value: string, isExcluded = false) => ({ key, value, isExcluded });
  const code = condition('error_code', '503');
  const live = condition('kind', 'live', true);
  const say = (canFilter: boolean, ...unsupported: readonly ReturnType<typeof condition>[]): string | undefined =>
    describeUnsupported({ canFilter, unsupported }, english);
  assert.equal(say(true), undefined);
  assert.equal(say(true, code), "The filter will ignore Error code = 503: the jobs view can't filter by it");
  assert.equal(
    say(true, code, live),
    "The filter will ignore Error code = 503, Kind ≠ Live: the jobs view can't filter by them",
  );
  assert.equal(say(false, code), "The jobs view can't filter by this condition");
  assert.equal(say(false, code, live), "The jobs view can't filter by these conditions");
  const floors = Array.from({ length: 1205 }, (_, floor) => condition('custom_metadata.room.floor', String(floor)));
  assert.equal(nameConditions(floors, english), 'room.floor = 0, room.floor = 1, room.floor = 2 and 1,202 more');
  const long = nameConditions(
    floors.map((each) => ({ ...each, value: 'x\u202e\n'.repeat(200) })),
    english,
  );
  assert.ok(long.length < 160, long);
  assert.doesNotMatch(long, /[\n\u202e]/u);
});

it('the title of a board begins with the values of its conditions, or with the filter that it was opened for', () => {
  const is = (key: string, value: string | undefined): FacetCondition => ({ key, value, isExcluded: false });
  const titleOf = (...conditions: readonly FacetCondition[]): string =>
    boardTitle({ connection: 'Work', filter: noFilter, conditions, range: undefined }, english);
  const failed = is('status', 'error');
  const customer = is('custom_metadata.customer', 'Aurora Health');
  assert.equal(titleOf(), 'Board: Work');
  assert.equal(titleOf(failed), 'Failed');
  // For the group of a failure, the title has its code.
  assert.equal(titleOf(failed, is('error_code', '422'), customer), '422, Aurora Health');
  assert.equal(titleOf(failed, { ...is('error_code', '422'), isExcluded: true }), 'Failed, Error code ≠ 422');
  const unclear = [is('custom_metadata.show', undefined), is('custom_metadata.vip', 'true')];
  assert.equal(titleOf(...unclear), 'show = none, vip = true');
  const long = titleOf(is('custom_metadata.customer', 'x\u202e'.repeat(500)), failed);
  assert.ok(long.length <= 60 && long.startsWith('"x\\u202e'), long);
  const ofView = { ...noFilter, metadata: { team: 'tier-2' } };
  const scope = { connection: 'Work', filter: ofView, conditions: [], range: undefined };
  assert.equal(boardTitle(scope, english), 'team: tier-2');
  assert.equal(boardTitle({ ...scope, conditions: [failed] }, english), 'Failed');
});

it('the title of a board ends with its time, as short as possible', () => {
  const scope = { connection: 'Work', filter: noFilter, conditions: [], range: undefined };
  const title = (time: FilterTime, locale = english): string =>
    boardTitle({ ...scope, filter: { ...noFilter, time } }, locale);
  assert.equal(title({ type: 'last', hours: 1 }), 'Board: Work · 1h');
  assert.equal(title({ type: 'last', hours: 24 }), 'Board: Work · 24h');
  assert.equal(title({ type: 'last', hours: 168 }), 'Board: Work · 7d');
  assert.match(title({ type: 'last', hours: 168 }, french), /Work · 7\sj$/);
  assert.equal(title({ type: 'yesterday' }), 'Board: Work · yesterday');
  const after = '2026-11-22T12:00:00.000Z';
  const since = 'Board: Work · since Nov 22, 2026, 12:00 PM';
  assert.equal(title({ type: 'range', after, before: undefined }).replaceAll('\u202f', ' '), since);
  const ranged = (toMs?: number): string =>
    boardTitle({ ...scope, range: { fromMs: noon, toMs } }, english).replaceAll('\u202f', ' ');
  assert.equal(ranged(), since);
  assert.equal(ranged(noon + 60_000), 'Board: Work · Nov 22, 2026, 12:00 PM – 12:01 PM');
});

it('times are named after the kind of their jobs, and a note reports that live sessions are left out', () => {
  const processing = describeTimes({ of: 'processing', isPart: false });
  assert.equal(processing.median, 'Median processing time');
  assert.equal(processing.line, 'Lower chart: median and 95th percentile (dashed) of processing times');
  assert.equal(processing.note, undefined);
  assert.match(
    describeTimes({ of: 'processing', isPart: true }).note ?? '',
    /pre-recorded jobs only, not live sessions/,
  );
  const session = describeTimes({ of: 'session', isPart: false });
  assert.equal(session.median, 'Median session length');
  assert.match(session.line, /of session lengths$/);
});

it('the most frequent error code of a finding is shown with its number of failures', () => {
  const having = { hits: 1200, of: 2000 };
  const said = (code?: { readonly code: string; readonly hits: number }) =>
    describeStandoutDetail({ shared: [], time: undefined, having, rest: having, incident: undefined, code }, english);
  assert.equal(said({ code: '422', hits: 1200 }), 'All of them have error code 422.');
  assert.equal(said({ code: '422', hits: 1100 }), '1,100 of these 1,200 failures have error code 422.');
  assert.equal(said(), undefined);
});

it('failures that became more frequent are one sentence by the creation of their jobs, with the shares of these jobs beside it', () => {
  const standout = {
    shared: [{ key: 'custom_metadata.customer', value: 'Aurora Health', isExcluded: false }],
    time: { side: 'since', atMs: noon },
    having: { hits: 24, of: 26 },
    rest: { hits: 2, of: 90 },
    incident: { since: { hits: 24, of: 26 }, before: { hits: 0, of: 312 } },
    code: { code: '422', hits: 24 },
  } as const;
  const about = { of: 'failures', isNarrowed: false } as const;
  assert.match(
    describeStandout(standout, about, english, noon + 60_000),
    /^24 of 26 failures of jobs created since 12:00\sPM: 422, customer Aurora Health \(0 of 312 before\)$/,
  );
  assert.equal(
    describeStandoutDetail(standout, english),
    'Of these jobs, 24 of 26 failed (92.3%), of the others 2 of 90 (2.2%).',
  );
});
