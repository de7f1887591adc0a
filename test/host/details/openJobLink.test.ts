import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as vscode from 'vscode';
import type { Job } from '../../../src/jobs/common/job.ts';
import { extensionId, formatJobLink } from '../../../src/jobs/common/jobLink.ts';
import { openJobLink } from '../../../src/features/details/editor/openJobLink.ts';
import { runCommand } from '../../../src/platform/editor/runCommand.ts';
import type { Settings } from '../../../src/settings.ts';
import type { ConnectionState } from '../../../src/connections/common/connectionState.ts';
import type { Connection } from '../../../src/connections/common/connection.ts';
import { FakeClock } from '../../support/fakeClock/fakeClock.ts';
import { until } from '../../support/until.ts';
import { heardMessages, type HeardMessage } from '../connections/heardMessages.ts';
import { openSettings, resetSettings, setUser } from '../connections/userSettings.ts';
import { FakeDetailsDeps, jobOf } from './fakeDetailsDeps.ts';
import { fakeServices } from '../../support/fakeServices.ts';

const created = '2026-11-23T10:00:00.123Z';
const job = jobOf({ id: 'j1', kind: 'pre-recorded', created_at: created });
const field = { name: 'Field', baseUrl: 'https://field.example/eu' };
const other = { name: 'Other', baseUrl: 'https://other.example' };

function linkTo(origin: string, linked: Job = job): vscode.Uri {
  return vscode.Uri.parse(formatJobLink(linked, origin, vscode.env.uriScheme) ?? '');
}

describe('A link to a job', () => {
  let deps: FakeDetailsDeps;
  let settings: Settings;
  let state: ConnectionState;
  let states: vscode.EventEmitter<ConnectionState>;
  let asked: string[];
  let opened: Job[];
  let clock: FakeClock;
  let listening: { dispose(): unknown };

  const use = (name: string): void => {
    const connection = settings.get('connections').find((each) => each.name === name);
    if (connection === undefined) throw new Error(`no connection ${name}`);
    state = { type: 'ready', connection, keyFrom: 'secretStorage' };
    states.fire(state);
  };

  beforeEach(async () => {
    await setUser('connections', [field, other, { name: 'Field US', baseUrl: 'https://field.example/us' }]);
    deps = new FakeDetailsDeps();
    settings = openSettings();
    states = new vscode.EventEmitter();
    state = { type: 'none' };
    asked = [];
    opened = [];
    clock = new FakeClock();
    // As in the product: the connection that the setting names is in use a little later.
    listening = settings.onDidChange((change) => {
      if (change.affects('connection') && settings.get('connection') !== '') use(settings.get('connection'));
    });
  });
  afterEach(async () => {
    listening.dispose();
    settings.dispose();
    await resetSettings();
  });

  function open(uri: vscode.Uri, press?: string): Promise<readonly HeardMessage[]> {
    const services = fakeServices({
      log: deps.log,
      jobs: deps.jobs,
      settings,
      connections: {
        get state() {
          return state;
        },
        get current(): Connection | undefined {
          return 'connection' in state ? state.connection : undefined;
        },
        onDidChange: states.event,
      },
      service: {
        findJob: (kind, id) => {
          asked.push(`search ${kind}/${id}`);
          return Promise.resolve(id === job.id ? job : undefined);
        },
        findCreated: ({ kind, id, createdAtMs }) => {
          asked.push(`one request ${kind}/${id} ${createdAtMs}`);
          return Promise.resolve(id === job.id ? job : undefined);
        },
      },
    });
    return heardMessages(
      () => runCommand(deps.log, () => openJobLink(uri, services, (found) => void opened.push(found), clock)),
      press,
    );
  }
  const outcome = (heard: readonly HeardMessage[]) => ({
    said: heard.map(({ text }) => text),
    asked,
    opened: opened.map(({ id }) => id),
  });
  const oneRequest = `one request pre-recorded/j1 ${Date.parse(created)}`;

  it('of the current connection opens it with one request, and with none when it is loaded', async () => {
    use('Other');
    assert.deepEqual(outcome(await open(linkTo('https://other.example'))), {
      said: [],
      asked: [oneRequest],
      opened: ['j1'],
    });
    deps.load({ id: 'j1', kind: 'pre-recorded', created_at: created });
    assert.deepEqual(outcome(await open(linkTo('https://other.example'))).asked, [oneRequest]);
    assert.equal(opened.length, 2);
  });

  it('prefers the current connection if several have its origin', async () => {
    use('Field US');
    assert.deepEqual(outcome(await open(linkTo('https://field.example'))).opened, ['j1']);
    assert.equal(state.type === 'ready' && state.connection.name, 'Field US');
  });

  it('confirms before switching to the only connection with its origin', async () => {
    use('Field');
    const heard = await open(linkTo('https://other.example'));
    assert.equal(heard[0]?.text, 'Switch to the connection Other?');
    assert.deepEqual(outcome(heard), { said: ['Switch to the connection Other?'], asked: [], opened: [] });
    assert.equal(state.type === 'ready' && state.connection.name, 'Field');
    await open(linkTo('https://other.example'), 'Switch and Open');
    assert.deepEqual(
      { asked, opened: opened.length, used: settings.get('connection') },
      {
        asked: [oneRequest],
        opened: 1,
        used: 'Other',
      },
    );
  });

  it('waits for the key of a connection that is about to be in use', async () => {
    const connection = settings.get('connections').find(({ name }) => name === 'Other');
    if (connection === undefined) throw new Error('no connection');
    state = { type: 'lookingForKey', connection };
    const opening = open(linkTo('https://other.example'));
    await until('it waits', () => clock.pending > 0);
    assert.deepEqual(asked, []);
    use('Other');
    await opening;
    assert.equal(opened.length, 1);
  });

  it('to a service without a connection is rejected without a request, with the service and a next step', async () => {
    use('Field');
    for (const origin of ['https://field.example:8443', 'http://localhost:1234', 'https://xn--80ak6aa92e.example']) {
      const heard = await open(linkTo(origin));
      assert.deepEqual(heard, [
        {
          text: `This link leads to a job on ${origin}, for which you have no connection. Connect to that service if you trust it, then open the link again.`,
          buttons: ['Connect to a Service'],
        },
      ]);
    }
    assert.deepEqual({ asked, opened }, { asked: [], opened: [] });
  });

  it('that does not decode is rejected without a request, and none of it is shown', async () => {
    use('Other');
    const good = linkTo('https://other.example');
    const bad = [
      good.with({ query: `${good.query}&x=1` }),
      good.with({ query: good.query.replace('id=j1', 'id=[a](command:x)') }),
      good.with({ query: good.query.replace('https://', 'https://me:secret@') }),
      good.with({ path: '/submit' }),
      good.with({ fragment: 'x' }),
      good.with({ authority: 'someone.else' }),
    ];
    for (const each of bad) {
      const text = "This link doesn't lead to a job. Copy it again with Copy Link to Job and open the complete link.";
      assert.deepEqual(await open(each), [{ text, buttons: [] }]);
    }
    assert.deepEqual({ asked, opened }, { asked: [], opened: [] });
  });

  it('to a missing job reports so after one request, and searches only on request', async () => {
    use('Other');
    const gone = linkTo('https://other.example', { ...job, id: 'gone' });
    const heard = await open(gone);
    assert.deepEqual(heard, [{ text: "The link's job gone was not found on Other.", buttons: ['Search All Jobs'] }]);
    assert.deepEqual(asked, [`one request pre-recorded/gone ${Date.parse(created)}`]);
    await open(gone, 'Search All Jobs');
    await until('the search', () => asked.includes('search pre-recorded/gone'));
  });
});

describe('A link to a job, from the row to the page', () => {
  const environment = ['TRANSCRIPTION_API_KEY', 'TRANSCRIPTION_BASE_URL'] as const;
  const before = environment.map((name) => process.env[name]);
  const asked: URL[] = [];
  const item = { id: 'a&b', kind: 'pre-recorded', status: 'done', created_at: created, custom_metadata: {} };
  const server = createServer(({ url = '' }, response) => {
    asked.push(new URL(url, 'http://localhost'));
    const page = 'http://localhost/v2/transcription?status=done&offset=0&limit=20';
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ first: page, current: page, next: null, items: url.includes('live') ? [] : [item] }));
  });
  let origin: string;

  beforeEach(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    process.env['TRANSCRIPTION_API_KEY'] = 'sesame';
    process.env['TRANSCRIPTION_BASE_URL'] = origin;
    await vscode.extensions.getExtension(extensionId)?.activate();
    await setUser('connections', [{ name: 'Linked', baseUrl: origin }]);
    await setUser('connection', 'Linked');
  });
  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await resetSettings();
    environment.forEach((name, index) => {
      if (before[index] === undefined) delete process.env[name];
      else process.env[name] = before[index];
    });
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  const pages = (): readonly string[] =>
    vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs).map(({ label }) => label);

  it('is copied from the row, and opens the page with one request for one second before and after', async () => {
    await vscode.commands.executeCommand('vscode.open', linkTo(origin, { ...job, id: item.id }));
    await until('the page', () => pages().includes(item.id));
    const narrowed = asked.filter(({ searchParams }) => searchParams.get('after_date') === '2026-11-23T09:59:59.123Z');
    assert.deepEqual(
      narrowed.map(({ pathname, searchParams }) => [
        pathname,
        searchParams.get('before_date'),
        searchParams.get('offset'),
      ]),
      [['/v2/pre-recorded', '2026-11-23T10:00:01.123Z', narrowed[0]?.searchParams.get('offset')]],
    );

    const row = { type: 'job', kind: 'pre-recorded', id: item.id };
    const link = await until('the row', async () => {
      const key = { kind: 'pre-recorded', status: 'done' };
      await vscode.commands.executeCommand('transcriptionJobs.loadMore', { type: 'notice', key });
      await vscode.env.clipboard.writeText('');
      await vscode.commands.executeCommand('transcriptionJobs.copyLink', row);
      return vscode.env.clipboard.readText();
    });
    assert.equal(
      link,
      `${vscode.env.uriScheme}://${extensionId}/job?kind=pre-recorded&id=a%2526b&created=${created}&origin=${origin}`,
    );
  });
});
