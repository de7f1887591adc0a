import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  commonReason,
  decideResends,
  echoedFile,
  replacedJobs,
  type PresentRequest,
  type RequestSources,
  type Resend,
} from '../../../../../src/features/submit/common/resubmission.ts';
import type { ListedAudio } from '../../../../../src/features/submit/common/audioList.ts';
import { audioLabel, listedBody, readTemplate } from '../../../../../src/features/submit/common/bodyEdits.ts';
import type { Submission } from '../../../../../src/jobs/common/submission.ts';
import { bareJob } from '../../../../support/builders/bareJob.ts';
import { propertyRuns } from '../../../../support/propertyRuns.ts';
import { aSubmission } from '../node/aSubmission.ts';
import type { AudioMatch } from '../../../../../src/features/submit/common/matchConfidence.ts';

const digest = (text: string): string => createHash('sha256').update(text).digest('hex');
const isAudio: AudioMatch = ({ audioHash }, url) => (audioHash === undefined ? undefined : audioHash === digest(url));
const nowMs = Date.parse('2026-11-20T12:00:00Z');
const dead = 'https://audio.example/a.wav?expires=1763000000';

/** The real history of a job and its request. */
interface Truth {
  readonly from: 'file' | 'list' | 'elsewhere';
  readonly now: 'untouched' | 'edited' | 'deleted';
  readonly list: 'withUrl' | 'withoutUrl';
  readonly isEchoed: boolean;
  readonly isExpired: boolean;
  readonly code: number | undefined;
  readonly again: 'no' | 'accepted' | 'unknown' | 'rejected';
  /** True if the file was later submitted for another job, with other content. */
  readonly wasReused: boolean;
}

const truths: fc.Arbitrary<Truth> = fc.record({
  from: fc.constantFrom('file', 'list', 'elsewhere'),
  now: fc.constantFrom('untouched', 'edited', 'deleted'),
  list: fc.constantFrom('withUrl', 'withoutUrl'),
  isEchoed: fc.boolean(),
  isExpired: fc.boolean(),
  code: fc.constantFrom(undefined, 9, 415, 500),
  again: fc.constantFrom('no', 'accepted', 'unknown', 'rejected'),
  wasReused: fc.boolean(),
});

function request(body: string): PresentRequest {
  return { body, audioUrl: body.split(' ')[1], problem: undefined };
}

/** Returns a body in the short form of these tests: a name and the audio URL. */
function bodyOf(index: number, { isExpired }: Truth): string {
  return `sent-${index} ${isExpired ? dead : 'https://audio.example/a.wav'}`;
}

/** Creates a journal of these histories, in any order, and the current state of the files and jobs. */
function world(all: readonly Truth[], shuffle: readonly number[]) {
  const journal: Submission[] = [];
  const add = (changes: Partial<Submission>): void => void journal.push(aSubmission(changes));
  for (const [index, truth] of all.entries()) {
    const file = `file:///w/${index}.transcription.json`;
    const sent = { file, bodyHash: digest(bodyOf(index, truth)), audioHash: digest(`audio-${index}`) };
    const job = `job-${index}`;
    if (truth.from !== 'elsewhere') {
      const outcome = { type: 'accepted', status: 201, id: job } as const;
      add({ ...sent, sentAtMs: 1, batch: truth.from === 'list' ? 'list' : undefined, outcome });
    }
    if (truth.wasReused) {
      const outcome = { type: 'accepted', status: 201, id: `${job}-later` } as const;
      add({ file, bodyHash: digest('else'), sentAtMs: 2, outcome });
    }
    const again = { ...sent, replaces: job, sentAtMs: 3 };
    if (truth.again === 'accepted') add({ ...again, outcome: { type: 'accepted', status: 201, id: `${job}-again` } });
    if (truth.again === 'unknown')
      add({ ...again, outcome: { type: 'unknown', code: 'timeout', lookedAtMs: undefined } });
    if (truth.again === 'rejected') {
      add({ ...again, outcome: { type: 'rejected', code: 'rejected', status: 422, requestId: undefined } });
    }
  }
  const places = new Map(journal.map((each, at) => [each, shuffle[at % shuffle.length] ?? 0]));
  const keyed = journal
    .toSorted((a, b) => (places.get(a) ?? 0) - (places.get(b) ?? 0))
    .map((each, at) => ({ ...each, key: String(at).padStart(5, '0') }))
    .toReversed();
  const truthOf = (file: string): readonly [number, Truth] => {
    const index = Number(/\d+/.exec(file)?.[0]);
    return [index, all[index] ?? assert.fail()];
  };
  const sources: RequestSources = {
    readFile: async (file) => {
      const [index, truth] = truthOf(file);
      if (truth.now === 'deleted') return undefined;
      const body = bodyOf(index, truth);
      return request(`${truth.from === 'list' ? 'template-' : ''}${truth.now === 'edited' ? 'edited-' : ''}${body}`);
    },
    isTemplate: async ({ batch }) => batch === 'list',
    readListed: async ({ file }, template) =>
      truthOf(file)[1].list === 'withUrl' ? request(template.body.replace('template-', '')) : undefined,
    echoOf: ({ id }) => {
      const [index, truth] = truthOf(id);
      return truth.isEchoed ? { ...request(`echo-${bodyOf(index, truth)}`), isWhole: true } : undefined;
    },
  };
  const jobs = all.map(({ code }, index) =>
    bareJob({ id: `job-${index}`, kind: 'pre-recorded', status: 'error', errorCode: code }),
  );
  return { jobs, journal: keyed, sources };
}

/** Returns the expected source for a job, given its history. */
function expected({ from, now, list, isEchoed }: Truth): Resend['source'] {
  const echoOr = (source: Resend['source']): Resend['source'] => (isEchoed ? 'echo' : source);
  if (from === 'elsewhere') return echoOr('notOurs');
  if (now === 'deleted') return echoOr('fileGone');
  if (from === 'list' && list === 'withoutUrl') return echoOr('notInList');
  return now === 'edited' ? 'changed' : 'same';
}

test('the source shown for each job is correct, whatever the journal contains', async () => {
  const worlds = fc.tuple(
    fc.array(truths, { minLength: 1, maxLength: 6 }),
    fc.array(fc.nat(50), { minLength: 1, maxLength: 20 }),
  );
  await fc.assert(
    fc.asyncProperty(worlds, async ([all, shuffle]) => {
      const { jobs, journal, sources } = world(all, shuffle);
      const resends = await decideResends(jobs, journal, sources, {
        nowMs,
        digest,
        isAudio,
        labelOf: () => undefined,
        statusOf: (code) => code,
      });
      assert.deepEqual(
        resends.map(({ source }) => source),
        all.map(expected),
      );
      for (const [index, { source, batch, request: would, isProposed, remarks, isSentAgain }] of resends.entries()) {
        const truth = all[index] ?? assert.fail();
        assert.equal(batch, truth.from === 'list' ? 'list' : undefined);
        const sent = bodyOf(index, truth);
        const bodies = { same: sent, changed: `edited-${sent}`, echo: `echo-${sent}` };
        assert.equal(would?.body, source in bodies ? bodies[source as keyof typeof bodies] : undefined);
        assert.equal(isSentAgain, truth.again === 'accepted' || truth.again === 'unknown');
        const isSafe = (source === 'same' || source === 'echo') && !truth.isExpired && !isSentAgain;
        assert.equal(isProposed, isSafe, remarks.join(' '));
        const against = remarks.filter((remark) => !remark.startsWith('The error looks permanent.'));
        assert.equal(isProposed, against.length === 0);
        if (isSafe) assert.equal(remarks.length, truth.code === 415 ? 1 : 0);
      }
    }),
    { numRuns: propertyRuns },
  );
});

test('a job that a submission of unknown outcome may have created is neither shown as foreign nor selected by default', async () => {
  const sentAtMs = nowMs - 7 * 60_000;
  const unknown = { type: 'unknown', code: 'offline', lookedAtMs: undefined } as const;
  const one = aSubmission({
    file: 'file:///w/one.transcription.json',
    sentAtMs,
    expectedByMs: sentAtMs + 45_000,
    outcome: unknown,
  });
  const failed = { kind: 'pre-recorded', status: 'error' } as const;
  const same = bareJob({ ...failed, id: 'same', createdAtMs: sentAtMs + 1000 });
  const later = bareJob({ ...failed, id: 'later', createdAtMs: sentAtMs + 3_600_000 });
  const sources: RequestSources = {
    readFile: async () => assert.fail('nothing was sent for these'),
    isTemplate: async () => false,
    readListed: async () => undefined,
    echoOf: () => undefined,
  };
  const deps = { nowMs, digest, isAudio, labelOf: () => undefined, statusOf: () => undefined };
  const [near, far] = await decideResends([same, later], [one], sources, deps);
  assert.deepEqual([near?.source, near?.name, near?.unsettled], ['maybeOurs', 'one.transcription.json', one]);
  assert.deepEqual(near?.remarks, ['May be "one.transcription.json", whose outcome is unknown: find its job first.']);
  assert.deepEqual([far?.source, far?.unsettled], ['notOurs', undefined]);
  assert.match(far?.remarks[0] ?? '', /^Its request isn't known here/);

  const [cut] = await decideResends([{ ...later, cutFields: ['request_params'] }], [one], sources, deps);
  assert.deepEqual(cut?.remarks, ['The request that the service returns is too long to be sent again from here.']);

  const echo = { body: 'echo', audioUrl: undefined, problem: undefined, isWhole: true };
  const [echoed] = await decideResends([same], [one], { ...sources, echoOf: () => echo }, deps);
  assert.deepEqual([echoed?.source, echoed?.isProposed, echoed?.unsettled], ['echo', false, one]);
  const found = { ...one, outcome: { type: 'accepted', status: undefined, id: 'other' } } as const;
  assert.equal((await decideResends([same], [found], sources, deps))[0]?.source, 'notOurs');
});

test('a list that was not provided is not reported as lacking the address', async () => {
  const job = bareJob({ id: 'one', kind: 'pre-recorded', status: 'error' });
  const sent = aSubmission({
    batch: 'b',
    label: 'audio.example/calls/fail6.mp3',
    outcome: { type: 'accepted', status: 201, id: 'one' },
  });
  const sources = (listed: 'noList' | undefined): RequestSources => ({
    readFile: async () => ({ body: 'template', audioUrl: undefined, problem: undefined }),
    isTemplate: async () => true,
    readListed: async () => listed,
    echoOf: () => undefined,
  });
  const deps = { nowMs, digest, isAudio, labelOf: () => undefined, statusOf: () => undefined };
  const [none] = await decideResends([job], [sent], sources('noList'), deps);
  assert.deepEqual([none?.source, none?.name], ['noList', 'fail6.mp3']);
  assert.match(none?.remarks[0] ?? '', /no list was selected/);
  const [lacking] = await decideResends([job], [sent], sources(undefined), deps);
  assert.equal(lacking?.source, 'notInList');
});

/** The first of a chain of resubmissions. */
interface FirstSent {
  readonly from: 'file' | 'list' | 'echo';
  /** From a list whose URL the template has as well. */
  readonly isOwnUrl: boolean;
  readonly titleKey: 'title' | undefined;
  readonly takesMetadata: boolean;
  /** An earlier version sent its first repeat, and named it after the template. */
  readonly wasUnnamed: boolean;
}

const firsts: fc.Arbitrary<FirstSent> = fc.record({
  from: fc.constantFrom('file', 'list', 'echo'),
  isOwnUrl: fc.boolean(),
  titleKey: fc.constantFrom('title', undefined),
  takesMetadata: fc.boolean(),
  wasUnnamed: fc.boolean(),
});

test('repeats have the bodies and the labels of the first submission, however often jobs fail', async () => {
  const base = 'file:///w/base.transcription.json';
  const template = '{"audio_url":"https://a.example/own.mp3","sentences":true}';
  const rowOf = (index: number, { isOwnUrl }: FirstSent): ListedAudio => ({
    row: index + 2,
    url: isOwnUrl ? 'https://a.example/own.mp3' : `https://a.example/calls/${index}.wav`,
    metadata: { customer: `acme-${index}` },
  });
  const fileOf = (index: number, { from }: FirstSent): string =>
    ({ file: `file:///w/${index}.transcription.json`, list: base, echo: echoedFile })[from];
  /** Returns the first submitted body, and its label. */
  const firstOf = (index: number, first: FirstSent): { readonly body: string; readonly label: string | undefined } => {
    const row = rowOf(index, first);
    if (first.from !== 'list') {
      return { body: `{"audio_url":"${row.url}"}`, label: first.from === 'echo' ? audioLabel(row.url) : undefined };
    }
    const { titleKey, takesMetadata } = first;
    const body = listedBody(readTemplate(template), row, { titleKey, metadataKeys: takesMetadata ? ['customer'] : [] });
    return { body: body ?? assert.fail(), label: audioLabel(row.url) };
  };
  await fc.assert(
    fc.asyncProperty(fc.array(firsts, { minLength: 1, maxLength: 4 }), fc.nat(4), async (all, repeats) => {
      const journal: Submission[] = [];
      const send = (index: number, round: number, sent: Partial<Submission> & { readonly body: string }): void => {
        const { body, ...rest } = sent;
        const audioHash = digest(rowOf(index, all[index] ?? assert.fail()).url);
        const outcome = { type: 'accepted', status: 201, id: `${index}-${round}` } as const;
        journal.unshift(aSubmission({ sentAtMs: round, bodyHash: digest(body), audioHash, outcome, ...rest }));
      };
      for (const [index, first] of all.entries()) {
        const batch = first.from === 'list' ? `list-${index}` : `files-${index}`;
        send(index, 0, { file: fileOf(index, first), batch, ...firstOf(index, first) });
      }
      const sources: RequestSources = {
        readFile: async (file) => {
          if (file === base) {
            return { body: template, audioUrl: 'https://a.example/own.mp3', problem: undefined };
          }
          const index = Number(/\d+/.exec(file)?.[0]);
          const { body } = firstOf(index, all[index] ?? assert.fail());
          return { body, audioUrl: undefined, problem: undefined };
        },
        isTemplate: async ({ batch = '' }) => batch.startsWith('list'),
        readListed: async ({ audioHash }, { body: written }, { batch = '' }) => {
          const index = Number(/\d+/.exec(batch)?.[0]);
          const { titleKey, takesMetadata, ...first } = all[index] ?? assert.fail();
          const row = rowOf(index, { titleKey, takesMetadata, ...first });
          assert.equal(audioHash, digest(row.url));
          const body = listedBody(readTemplate(written), row, {
            titleKey,
            metadataKeys: takesMetadata ? ['customer'] : [],
          });
          return { body: body ?? assert.fail(), audioUrl: row.url, problem: undefined };
        },
        echoOf: ({ id }) => {
          const index = Number.parseInt(id, 10);
          const first = all[index] ?? assert.fail();
          if (first.from !== 'echo') return undefined;
          const { url } = rowOf(index, first);
          return { body: firstOf(index, first).body, audioUrl: url, problem: undefined, isWhole: true };
        },
      };
      const deps = { nowMs, digest, isAudio, labelOf: () => undefined, statusOf: () => undefined };
      for (let round = 1; round <= repeats + 1; round++) {
        const jobs = all.map((_, index) =>
          bareJob({ id: `${index}-${round - 1}`, kind: 'pre-recorded', status: 'error' }),
        );
        const resends = await decideResends(jobs, journal, sources, deps);
        for (const [index, { source, file = echoedFile, request: would, label, job }] of resends.entries()) {
          const first = all[index] ?? assert.fail();
          const { body, label: called } = firstOf(index, first);
          assert.deepEqual(
            [source, file, would?.body, label],
            [first.from === 'echo' ? 'echo' : 'same', fileOf(index, first), body, called],
          );
          const isUnnamed = round === 1 && first.wasUnnamed && first.from === 'list';
          const named = label === undefined || isUnnamed ? {} : { label };
          send(index, round, { file, batch: `again-${round}`, body, replaces: job.id, ...named });
        }
      }
    }),
    { numRuns: propertyRuns },
  );
});

test('jobs that repeat each other in a cycle are reported as well', async () => {
  const repeat = (id: string, replaces: string): Submission =>
    aSubmission({ replaces, bodyHash: digest('a'), outcome: { type: 'accepted', status: 201, id } });
  const sources: RequestSources = {
    readFile: async () => ({ body: 'a', audioUrl: undefined, problem: undefined }),
    isTemplate: async () => false,
    readListed: async () => undefined,
    echoOf: () => undefined,
  };
  const job = bareJob({ id: 'x', kind: 'pre-recorded', status: 'error' });
  const deps = { nowMs, digest, isAudio, labelOf: () => undefined, statusOf: () => undefined };
  const [shown] = await decideResends([job], [repeat('x', 'y'), repeat('y', 'x')], sources, deps);
  assert.deepEqual([shown?.source, shown?.label], ['same', undefined]);
});

test('an error code deselects nothing, and is a hint only if the service is known or the user has named the code', async () => {
  const sources: RequestSources = {
    readFile: async () => ({ body: 'a', audioUrl: undefined, problem: undefined }),
    isTemplate: async () => false,
    readListed: async () => undefined,
    echoOf: () => undefined,
  };
  const job = bareJob({ id: 'x', kind: 'pre-recorded', status: 'error', errorCode: 415 });
  const sent = aSubmission({ bodyHash: digest('a'), outcome: { type: 'accepted', status: 201, id: 'x' } });
  const known = { nowMs, digest, isAudio };
  const hint = /^The error looks permanent\./;
  for (const [labelOf, statusOf, isHinted] of [
    [() => undefined, () => undefined, false],
    [() => undefined, (code: number) => code, true],
    [() => 'Unsupported codec', () => undefined, true],
    [() => 'Rate limit', () => undefined, false],
  ] as const) {
    const [shown] = await decideResends([job], [sent], sources, { ...known, labelOf, statusOf });
    assert.equal(shown?.isProposed, true);
    assert.deepEqual(
      shown.remarks.map((remark) => hint.test(remark)),
      isHinted ? [true] : [],
    );
  }
});

test('only the first of equal requests is selected by default', async () => {
  const sent = (id: string): Submission =>
    aSubmission({ bodyHash: digest('a'), outcome: { type: 'accepted', status: 201, id } });
  const jobs = ['one', 'two'].map((id) => bareJob({ id, kind: 'pre-recorded', status: 'error' }));
  const sources: RequestSources = {
    readFile: async () => ({ body: 'a', audioUrl: undefined, problem: undefined }),
    isTemplate: async () => false,
    readListed: async () => undefined,
    echoOf: () => undefined,
  };
  const deps = { nowMs, digest, isAudio, labelOf: () => undefined, statusOf: () => undefined };
  const resends = await decideResends(jobs, [sent('one'), sent('two')], sources, deps);
  assert.deepEqual(
    resends.map(({ isProposed, remarks }) => [isProposed, ...remarks]),
    [[true], [false, 'Same request as job one.']],
  );
});

test("a request that cannot be sent in its present form is not offered, and the batch's own submissions are no obstacle", async () => {
  const job = bareJob({ id: 'one', kind: 'pre-recorded', status: 'error' });
  const sources: RequestSources = {
    readFile: async () => ({ body: '{', audioUrl: undefined, problem: 'A brace is missing.' }),
    isTemplate: async () => false,
    readListed: async () => undefined,
    echoOf: () => ({ body: 'echo', audioUrl: undefined, problem: undefined, isWhole: false }),
  };
  const deps = { nowMs, digest, isAudio, labelOf: () => undefined, statusOf: () => undefined };
  const sent = aSubmission({ outcome: { type: 'accepted', status: 201, id: 'one' } });
  const [broken] = await decideResends([job], [sent], sources, deps);
  assert.deepEqual([broken?.source, broken?.request, broken?.remarks], ['changed', undefined, ['A brace is missing.']]);

  const own = aSubmission({
    batch: 'b',
    replaces: 'one',
    outcome: { type: 'unknown', code: undefined, lookedAtMs: 1 },
  });
  const remarksIn = async (batch: string): Promise<readonly string[]> =>
    (await decideResends([job], [own], sources, deps, batch))[0]?.remarks ?? [];
  assert.deepEqual(await remarksIn('b'), ["The service's copy is missing some of what was sent."]);
  assert.equal((await remarksIn('c')).length, 2);
});

test('a chain of repeats is followed to its first job, also in cycles', () => {
  const repeat = (id: string, replaces: string): Submission =>
    aSubmission({ replaces, outcome: { type: 'accepted', status: 201, id } });
  const journal = [repeat('c', 'b'), repeat('b', 'a'), repeat('x', 'y'), repeat('y', 'x')];
  assert.deepEqual([...replacedJobs(journal, ['c'])].sort(), ['a', 'b']);
  assert.deepEqual([...replacedJobs(journal, ['x'])].sort(), ['x', 'y']);
  assert.deepEqual([...replacedJobs(journal, ['a'])], []);
});

test('a reason that several jobs share is in the plural', async () => {
  const sources: RequestSources = {
    readFile: async () => undefined,
    isTemplate: async () => false,
    readListed: async () => undefined,
    echoOf: () => undefined,
  };
  const deps = { nowMs, digest, isAudio, labelOf: () => undefined, statusOf: () => undefined };
  const reasonOf = async (ids: readonly string[]): Promise<string | undefined> => {
    const jobs = ids.map((id) => bareJob({ id, kind: 'pre-recorded', status: 'error' }));
    const sent = ['gone-1', 'gone-2'].map((id) =>
      aSubmission({ file: `file:///w/${id}.json`, outcome: { type: 'accepted', status: 201, id } }),
    );
    return commonReason(await decideResends(jobs, sent, sources, deps));
  };
  assert.equal(await reasonOf(['a']), "Its request isn't known here, and the service doesn't return it.");
  assert.equal(await reasonOf(['a', 'b']), "Their requests aren't known here, and the service doesn't return them.");
  assert.equal(await reasonOf(['gone-1']), 'The request file no longer exists.');
  assert.equal(await reasonOf(['gone-1', 'gone-2']), 'The request files no longer exist.');
  assert.equal(await reasonOf(['a', 'gone-1']), undefined);
});
