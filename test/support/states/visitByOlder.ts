// What version 0.1.0 does to the states of a later one when it is installed again:
//   git worktree add ../older 66359ad
//   node test/support/states/visitByOlder.ts ../older test/fixtures/upgrade/0.2.0 test/fixtures/upgrade/0.2.0-after-0.1.0
// Its own stores open everything that there is, as when its views are shown, and then everything is used once. What it has
// seen is written down as `seen.json`.
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { KeptLog } from '../keptLog.ts';
import { JsonMemory } from './jsonMemory.ts';
import { MemorySecrets } from './memorySecrets.ts';
import { usedProduct } from './usedProduct.ts';

type Json = Readonly<Record<string, unknown>>;
type Owner = typeof usedProduct.connection;

interface OlderJournal {
  folderOf(owner: Owner): string;
  add(owner: Owner, submission: object): Promise<object>;
  settle(owner: Owner, submission: object, outcome: object): Promise<object>;
  read(owner: Owner): Promise<Json & { readonly submissions: readonly Json[] }>;
}

interface OlderLedger {
  read(): Promise<object | undefined>;
  begin(): Promise<unknown>;
  claim(item: object): Promise<boolean>;
  settle(item: string, outcome: object): Promise<void>;
  end(end: object): Promise<void>;
}

interface OlderList {
  read(value: unknown): readonly unknown[] | undefined;
  form(jobs: readonly unknown[]): unknown;
}

/** The modules of version 0.1.0 that store something, by their path below its `src`. */
interface OlderModules {
  'editor/browse/storedFilters.ts': {
    readonly StoredFilters: new (memory: JsonMemory) => {
      read(connection: string): Promise<object>;
      write(connection: string, filter: object): Promise<void>;
    };
  };
  'editor/secrets.ts': {
    readonly KeyStore: new (
      secrets: MemorySecrets,
      lent: undefined,
    ) => {
      get(owner: Owner): Promise<string | undefined>;
      set(owner: Owner, key: string): Promise<void>;
      forget(name: string): Promise<void>;
    };
  };
  'domain/watchPlan/watchedJob.ts': { readonly keptWatchedJobs: OlderList };
  'domain/watchPlan/keptFailures.ts': { readonly keptFailures: OlderList };
  'domain/protocol.ts': {
    readonly pageState: (value: unknown) => object;
    readonly keptPageState: (state: object) => object;
  };
  'domain/connection/connectionsEdit.ts': {
    readonly withConnection: (
      written: unknown,
      entry: object,
      replaced: string | undefined,
      defaults: object,
    ) => unknown;
  };
  'service/journal/journal.ts': {
    readonly Journal: new (folder: string, clock: { now(): number }, log: KeptLog) => OlderJournal;
  };
  'service/journal/batchLedger.ts': {
    readonly BatchLedger: {
      at(folder: string, id: string): OlderLedger;
      create(folder: string, plan: object): Promise<{ readonly id: string; readonly ledger: OlderLedger }>;
    };
    readonly batchIds: (...folders: readonly string[]) => Promise<readonly string[]>;
  };
}

async function visit(older: string, from: string, to: string): Promise<void> {
  const { connection, visit: made, atMs } = usedProduct;
  const load = async <K extends keyof OlderModules>(path: K): Promise<OlderModules[K]> =>
    (await import(pathToFileURL(resolve(older, 'src', path)).href)) as OlderModules[K];
  rmSync(to, { recursive: true, force: true });
  cpSync(from, to, { recursive: true });
  const read = (name: string): Json => JSON.parse(readFileSync(join(to, name), 'utf8')) as Json;
  const write = (name: string, content: unknown): void =>
    writeFileSync(join(to, name), `${JSON.stringify(content, undefined, 2)}\n`);
  const seen: Record<string, unknown> = {};

  const memory = new JsonMemory(read('workspace.json'));
  const { StoredFilters } = await load('editor/browse/storedFilters.ts');
  const filters = new StoredFilters(memory);
  for (const name of [...Object.keys(usedProduct.filters), ...Object.keys(usedProduct.since020.filters)])
    seen[`filter of ${name}`] = await filters.read(name);
  await filters.write(made.connection, made.filter);
  const { keptWatchedJobs } = await load('domain/watchPlan/watchedJob.ts');
  const { keptFailures } = await load('domain/watchPlan/keptFailures.ts');
  for (const [name, list] of [
    ['watchedJobs', keptWatchedJobs],
    ['unseenFailures', keptFailures],
  ] as const) {
    const jobs = list.read(memory.get(name));
    seen[name] = jobs?.length;
    // As at each change.
    if (jobs !== undefined) await memory.update(name, list.form(jobs));
  }
  write('workspace.json', memory.content);

  const protocol = await load('domain/protocol.ts');
  write('page.json', protocol.keptPageState(protocol.pageState(read('page.json'))));

  const secrets = new MemorySecrets();
  for (const [name, secret] of Object.entries(read('secrets.json'))) await secrets.store(name, String(secret));
  const { KeyStore } = await load('editor/secrets.ts');
  const keys = new KeyStore(secrets, undefined);
  seen['key'] = (await keys.get(connection)) ?? 'none';
  await keys.set({ name: made.connection, baseUrl: made.setting.baseUrl } as unknown as Owner, made.key);
  // The harshest that it can do to the connection's own key.
  await keys.forget(connection.name);
  write('secrets.json', secrets.content);

  const { withConnection } = await load('domain/connection/connectionsEdit.ts');
  const settings = read('settings.json');
  const written = settings['transcriptionJobs.connections'];
  const [entry] = written as readonly Json[];
  const kept = withConnection(written, { name: 'Work', baseUrl: entry?.['baseUrl'] }, 'Work', {});
  write('settings.json', {
    ...settings,
    'transcriptionJobs.connections': withConnection(kept, made.setting, undefined, {}),
  });

  const { Journal } = await load('service/journal/journal.ts');
  const journal = new Journal(join(to, 'submissions'), { now: () => atMs }, new KeptLog());
  const { submissions, ...rest } = await journal.read(connection);
  seen['journal'] = { ...rest, submissions: submissions.length };
  const added = await journal.add(connection, { ...usedProduct.submission, batch: undefined, file: made.file });
  await journal.settle(connection, added, { type: 'accepted', status: 201, id: 'older' });

  const { BatchLedger, batchIds } = await load('service/journal/batchLedger.ts');
  const folder = join(journal.folderOf(connection), 'batches');
  const ids = await batchIds(folder);
  const batches = await Promise.all(ids.map((id) => BatchLedger.at(folder, id).read()));
  seen['batches'] = { files: ids.length, readable: batches.filter((batch) => batch !== undefined).length };
  const { ledger } = await BatchLedger.create(folder, { ...usedProduct.plan, startedAtMs: atMs + 2000 });
  await ledger.begin();
  for (const { outcome, ...item } of usedProduct.items) {
    await ledger.claim(item);
    await ledger.settle(item.item, outcome);
  }
  await ledger.end({ type: 'done' });
  write('seen.json', seen);
}

const [older, from, to, surplus] = process.argv.slice(2);
if (older === undefined || from === undefined || to === undefined || surplus !== undefined) {
  console.error('It takes three folders: of version 0.1.0, of the states, and where the states that it leaves go.');
  process.exitCode = 2;
} else {
  await visit(older, from, to);
}
