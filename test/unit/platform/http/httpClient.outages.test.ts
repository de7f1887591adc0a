import assert from 'node:assert/strict';
import { suite, test, type TestContext } from 'node:test';
import fc from 'fast-check';
import { Failure, isFailure } from '../../../../src/base/failure.ts';
import { hourMs, minuteMs } from '../../../../src/base/time.ts';
import { HttpClient, type RequestObserver } from '../../../../src/platform/http/httpClient.ts';
import { connectionDefaults } from '../../../support/builders/workConnection.ts';
import { FakeClock } from '../../../support/fakeClock/fakeClock.ts';
import { startFaultServer, type FaultServer, type Play } from '../../../support/faults/faultServer.ts';
import { answer, garbage, goodPage, pageText, reset } from '../../../support/faults/plays.ts';
import { KeptLog } from '../../../support/keptLog.ts';
import { propertyRuns } from '../../../support/propertyRuns.ts';
import { stateMs } from '../../../support/until.ts';

const retryAfter = (status: number, text: string): Play => answer(status, '', { 'retry-after': text });

/** What a path can respond. */
const plays: ReadonlyMap<string, Play> = new Map([
  ['up', goodPage],
  ['404', answer(404)],
  ['401', answer(401)],
  ['408', answer(408)],
  ['429', answer(429)],
  ['429, 2', retryAfter(429, '2')],
  ['500', answer(500)],
  ['503', answer(503)],
  ['503, 0', retryAfter(503, '0')],
  ['503, 2', retryAfter(503, '2')],
  ['503, 29', retryAfter(503, '29')],
  ['503, hour', retryAfter(503, '3600')],
  ['503, huge', retryAfter(503, '9'.repeat(300))],
  ['503, past', retryAfter(503, 'Thu, 01 Jan 1970 00:00:00 GMT')],
  ['503, negative', retryAfter(503, '-5')],
  ['no JSON', answer(200, '<p>Maintenance</p>')],
  ['reset', reset()],
  ['garbage', garbage],
]);
/** The state of a path whose GETs get no response until the state changes. */
const silent = 'silent';
/** The states in which a path works, whatever it responds: each waiting call is sent again. */
const working: ReadonlySet<string | undefined> = new Set(['up', '404']);

/** The paths of a service, whose states can be changed. */
class Paths {
  readonly #states = new Map<string, string>();
  readonly #pending = new Map<string, Set<() => void>>();

  readonly play: Play = (stage) => {
    const path = withoutQuery(stage.request.url ?? '');
    const respond = (): void => (plays.get(this.stateOf(path)) ?? answer(503))(stage);
    if (this.stateOf(path) !== silent || stage.request.method === 'POST') return respond();
    const pending = this.#pending.get(path) ?? new Set();
    this.#pending.set(path, pending.add(respond));
    stage.response.once('close', () => pending.delete(respond));
  };

  stateOf(path: string): string {
    return this.#states.get(path) ?? 'up';
  }

  set(path: string, state: string): void {
    this.#states.set(path, state);
    if (state !== silent) for (const respond of this.#pending.get(path) ?? []) respond();
  }

  /** The number of GETs without a response, of one path or all. */
  pending(path?: string): number {
    const all = path === undefined ? [...this.#pending.values()] : [this.#pending.get(path)];
    return all.reduce((sum, each) => sum + (each?.size ?? 0), 0);
  }
}

/** A call of the client. */
interface Call {
  readonly path: string;
  readonly caller: AbortController;
  readonly beganMs: number;
  state: 'sending' | 'waiting' | 'ended';
  /** The text, or the code of the failure. */
  result: unknown;
  endedMs: number;
  over: Promise<void>;
}

/** A service whose paths fail and recover, and the calls to it. Time passes on request. */
class Scene {
  readonly clock = new FakeClock();
  readonly paths: Paths;
  readonly calls: Call[] = [];
  key = 'key';
  readonly #server: FaultServer;
  readonly #client: HttpClient;
  #observer: RequestObserver | undefined;

  constructor(paths: Paths, server: FaultServer, timeoutSeconds: number) {
    this.paths = paths;
    this.#server = server;
    const connection = { ...connectionDefaults, name: 'A', baseUrl: server.origin, timeoutSeconds };
    this.#client = new HttpClient(connection, async () => this.key, {
      clock: this.clock,
      log: new KeptLog(),
      random: () => 0.5,
      observe: () => this.#observer,
    });
  }

  dispose(): void {
    this.#client.dispose();
  }

  async stop(): Promise<void> {
    this.dispose();
    await this.#server.stop();
  }

  read(path: string): Call {
    const call: Call = {
      path,
      caller: new AbortController(),
      beganMs: this.clock.passedMs,
      state: 'sending',
      result: undefined,
      endedMs: Infinity,
      over: Promise.resolve(),
    };
    this.calls.push(call);
    this.#observer = {
      sent: () => void (call.state = 'sending'),
      retrying: () => void (call.state = 'waiting'),
      ended: () => {},
    };
    call.over = this.#end(call);
    this.#observer = undefined;
    return call;
  }

  async #end(call: Call): Promise<void> {
    const query = `n=${this.calls.length}`;
    try {
      call.result = await this.#client.get(call.path, query, decode, call.caller.signal);
    } catch (error) {
      call.result = isFailure(error) ? error.code : error;
    }
    call.state = 'ended';
    call.endedMs = this.clock.passedMs;
  }

  async post(path: string): Promise<void> {
    await this.#client.post(path, '{}');
  }

  /** Waits until each call has ended, waits for a timer or has no response. */
  async rest(): Promise<void> {
    for (let turns = 0; turns < 3;) {
      await new Promise((resolve) => setImmediate(resolve));
      turns = this.calls.filter(({ state }) => state === 'sending').length === this.paths.pending() ? turns + 1 : 0;
    }
  }

  /** Lets time pass until the next timer, and everything happen that follows from it. */
  async step(): Promise<void> {
    await this.clock.advanceToNext();
    await this.rest();
  }

  /** Lets time pass as long as there are timers. */
  async finish(): Promise<void> {
    for (let steps = 0; this.clock.pending > 0; steps++) {
      assert.ok(steps < 1000, 'timers without end');
      await this.step();
    }
  }

  /** The number of requests that the service saw at a path. */
  sent(path: string, method = 'GET'): number {
    return this.#server.seen.filter((each) => each.method === method && withoutQuery(each.path) === path).length;
  }

  /** The numbers of requests of the calls. */
  get sentByCall(): readonly number[] {
    const targets = this.#server.seen.map(({ path }) => path);
    return [...new Set(targets)]
      .filter((each) => each.includes('?'))
      .map((each) => targets.filter((other) => other === each).length);
  }

  /** The keys of all requests. */
  get keys(): readonly (string | undefined)[] {
    return this.#server.seen.map(({ rawHeaders }) => rawHeaders[rawHeaders.indexOf('x-service-key') + 1]);
  }

  /** The calls that have not ended. */
  open(path?: string): readonly Call[] {
    return this.calls.filter((call) => call.state !== 'ended' && (path === undefined || call.path === path));
  }

  get results(): readonly unknown[] {
    return this.calls.map(({ result }) => result);
  }
}

const withoutQuery = (target: string): string => target.replace(/\?.*/, '');

function decode({ text }: { readonly text: string }): string {
  if (text !== pageText) throw new Failure('notJson');
  return text;
}

async function startScene(timeoutSeconds = 30): Promise<Scene> {
  const paths = new Paths();
  return new Scene(paths, await startFaultServer(paths.play), timeoutSeconds);
}

async function sceneOf(t: TestContext, timeoutSeconds?: number): Promise<Scene> {
  const scene = await startScene(timeoutSeconds);
  t.after(() => scene.stop());
  return scene;
}

const twoPaths = ['/a', '/b'] as const;

type Act =
  | { readonly type: 'read'; readonly path: string; readonly count: number }
  | { readonly type: 'cancel'; readonly nth: number }
  | { readonly type: 'step' }
  | { readonly type: 'setClock'; readonly byMs: number }
  | { readonly type: 'post'; readonly path: string }
  | { readonly type: 'state'; readonly path: string; readonly state: string };

const path = fc.constantFrom(...twoPaths);
const state = fc.oneof(fc.constantFrom('up', silent), fc.constantFrom(...plays.keys()));
const count = fc.integer({ min: 1, max: 4 });
const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ type: fc.constant('read'), path, count }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('cancel'), nth: fc.nat(50) }) },
  { weight: 4, arbitrary: fc.record({ type: fc.constant('step') }) },
  {
    weight: 1,
    arbitrary: fc.record({ type: fc.constant('setClock'), byMs: fc.constantFrom(-9 * hourMs, 9 * hourMs) }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('post'), path }) },
  { weight: 3, arbitrary: fc.record({ type: fc.constant('state'), path, state }) },
);

/** Acts, and returns how many GETs may follow at a path. */
async function perform(scene: Scene, act: Act): Promise<(path: string) => number> {
  const { paths } = scene;
  const open = new Map<string, number>(twoPaths.map((each) => [each, scene.open(each).length]));
  const pending = new Map<string, number>(twoPaths.map((each) => [each, paths.pending(each)]));
  const openAt = (each: string): number => open.get(each) ?? 0;
  const pendingAt = (each: string): number => pending.get(each) ?? 0;
  const isWorking = (each: string): boolean => working.has(paths.stateOf(each));
  switch (act.type) {
    case 'read':
      for (let nth = 0; nth < act.count; nth++) scene.read(act.path);
      return (each) => (each === act.path ? act.count + (isWorking(each) ? openAt(each) : 0) : 0);
    case 'cancel': {
      const calls = scene.open();
      const call = calls[act.nth % calls.length];
      call?.caller.abort();
      // The next call takes the place of a retry that was sent.
      return (each) => (each === call?.path ? Math.min(pendingAt(each), 1) : 0);
    }
    case 'step':
      await scene.clock.advanceToNext();
      return (each) => (isWorking(each) ? openAt(each) : 1);
    case 'setClock':
      scene.clock.set(act.byMs);
      return () => 0;
    case 'post':
      await scene.post(act.path);
      return () => 0;
    case 'state':
      paths.set(act.path, act.state);
      return (each) => (each === act.path && pendingAt(each) > 0 && isWorking(each) ? openAt(each) : 0);
  }
}

async function checkAct(scene: Scene, act: Act): Promise<void> {
  const gets = twoPaths.map((each) => scene.sent(each));
  const posts = twoPaths.map((each) => scene.sent(each, 'POST'));
  const maxSent = await perform(scene, act);
  await scene.rest();
  for (const [index, each] of twoPaths.entries()) {
    const sent = scene.sent(each) - (gets[index] ?? 0);
    assert.ok(sent <= maxSent(each), `${sent} GETs instead of ${maxSent(each)} at ${each}`);
    const isPosted = act.type === 'post' && act.path === each;
    assert.equal(scene.sent(each, 'POST') - (posts[index] ?? 0), isPosted ? 1 : 0, 'POSTs');
  }
  assert.ok(scene.clock.pending <= scene.open().length, 'more timers than calls');
}

/** Checks that an outage has one retry for all calls of a path, and that nothing is left of it once the service works. */
async function checkOutage(first: string, acts: readonly Act[]): Promise<void> {
  const scene = await startScene();
  try {
    for (const each of twoPaths) scene.paths.set(each, first);
    for (const each of acts) await checkAct(scene, each);
    for (const each of twoPaths) scene.paths.set(each, 'up');
    await scene.rest();
    await scene.finish();
    assert.deepEqual(scene.open(), []);
    for (const { result, caller, beganMs, endedMs } of scene.calls) {
      assert.ok(result !== 'cancelled' || caller.signal.aborted, 'cancelled with another');
      assert.ok(endedMs - beganMs <= minuteMs, `waited ${endedMs - beganMs} ms`);
    }
    assert.deepEqual(
      scene.sentByCall.filter((sent) => sent > 3),
      [],
    );
    for (const each of twoPaths) {
      const sent = scene.sent(each);
      const call = scene.read(each);
      await scene.rest();
      assert.deepEqual([call.result, scene.sent(each)], [pageText, sent + 1]);
    }
  } finally {
    await scene.stop();
  }
}

suite('An outage', () => {
  test('has one retry for all calls of a path, whatever happens', async () => {
    await fc.assert(
      fc.asyncProperty(state, fc.array(act, { minLength: 1, maxLength: 25 }), checkOutage),
      // Fewer: each has up to a hundred requests.
      { numRuns: Math.min(propertyRuns, 1000) },
    );
  });

  const read: Act = { type: 'read', path: '/a', count: 4 };
  const cancel: Act = { type: 'cancel', nth: 0 };
  const step: Act = { type: 'step' };
  const found: readonly (readonly [title: string, state: string, acts: readonly Act[]])[] = [
    ['a call is cancelled during the wait', '503', [read, cancel]],
    ['the retry is cancelled', '503', [read, { type: 'state', path: '/a', state: silent }, step, cancel]],
    ['the service asks for the same request again', '408', [read, step, step]],
  ];
  for (const [title, first, acts] of found)
    test(`has one retry if ${title}`, async () => {
      await checkOutage(first, acts);
    });

  test('has its own retry at each of many paths', async (t) => {
    const scene = await sceneOf(t);
    // More than are remembered after their retries failed.
    const paths = Array.from({ length: 120 }, (_, index) => `/${index}`);
    for (const each of paths) {
      scene.paths.set(each, '503');
      scene.read(each);
      scene.read(each);
    }
    await scene.rest();
    scene.read('/0');
    await scene.rest();
    await scene.clock.advance(500);
    await scene.rest();
    assert.deepEqual([...new Set(paths.map((each) => scene.sent(each)))], [4, 3]);
    for (const each of paths) scene.paths.set(each, 'up');
    await scene.finish();
    assert.deepEqual(new Set(scene.results), new Set([pageText]));
  });

  test('is waited for as long as any response requests', async (t) => {
    const scene = await sceneOf(t);
    const beganMs = scene.clock.passedMs;
    for (const each of ['503', '503, 2', '503, 0']) {
      scene.paths.set('/a', each);
      scene.read('/a');
      await scene.rest();
    }
    assert.equal(scene.clock.pending, 1);
    await scene.step();
    assert.deepEqual([scene.clock.passedMs - beganMs, scene.sent('/a')], [2000, 4]);
  });

  test('is not retried with a key that was changed meanwhile', async (t) => {
    const scene = await sceneOf(t);
    scene.paths.set('/a', '503');
    scene.paths.set('/b', '429');
    for (const each of ['/a', '/a', '/b']) scene.read(each);
    await scene.rest();
    scene.key = 'changed';
    for (const each of twoPaths) scene.paths.set(each, 'up');
    await scene.finish();
    assert.deepEqual(scene.results, [pageText, pageText, pageText]);
    assert.deepEqual(scene.keys, ['key', 'key', 'key', 'changed', 'changed', 'changed']);
  });

  test('leaves no timer after disposal', async (t) => {
    const scene = await sceneOf(t);
    for (const each of ['503', '429']) {
      scene.paths.set('/a', each);
      scene.read('/a');
      scene.read('/a');
      await scene.rest();
    }
    const sent = scene.sent('/a');
    scene.dispose();
    await scene.rest();
    assert.deepEqual([scene.clock.pending, scene.sent('/a')], [0, sent]);
    assert.deepEqual(new Set(scene.results), new Set(['cancelled']));
  });
});

suite('A clock that is set', () => {
  test('back does not prolong the timeout of a retry', { timeout: stateMs }, async (t) => {
    const scene = await sceneOf(t, 3);
    scene.paths.set('/a', '503');
    const call = scene.read('/a');
    await scene.rest();
    scene.paths.set('/a', silent);
    scene.clock.set(-9 * hourMs);
    await scene.step();
    assert.equal(scene.paths.pending(), 1);
    await call.over;
    assert.equal(call.result, 'timeout');
  });

  test('back does not make a call wait longer than its timeout', async (t) => {
    const scene = await sceneOf(t);
    scene.paths.set('/a', silent);
    const call = scene.read('/a');
    await scene.rest();
    scene.clock.set(-9 * hourMs);
    scene.paths.set('/a', '503, hour');
    await scene.rest();
    assert.equal(call.result, 'serverFailed');
  });

  test('back does not prolong the time without retries', async (t) => {
    const scene = await sceneOf(t);
    scene.paths.set('/a', '503');
    const sent = async (): Promise<number> => {
      const before = scene.sent('/a');
      scene.read('/a');
      await scene.rest();
      await scene.finish();
      return scene.sent('/a') - before;
    };
    assert.deepEqual([await sent(), await sent()], [3, 1]);
    scene.clock.set(-9 * hourMs);
    assert.equal(await sent(), 3);
  });

  test('forward ends a call with its own failure, instead of a timeout without a request', async (t) => {
    const scene = await sceneOf(t);
    scene.paths.set('/a', '503');
    scene.read('/a');
    scene.read('/a');
    await scene.rest();
    scene.paths.set('/a', 'up');
    scene.clock.set(9 * hourMs);
    await scene.finish();
    assert.deepEqual([scene.results, scene.sent('/a')], [['serverFailed', 'serverFailed'], 2]);
  });
});
