import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { extensionId } from '../../../src/jobs/common/jobLink.ts';
import { showComparison, type ComparisonViews } from '../../../src/features/details/editor/jobDetails.ts';
import { RawDocuments, rawDocumentUri, readRawDocumentUri } from '../../../src/features/details/editor/rawDocuments.ts';
import { rawDocumentScheme } from '../../../src/platform/editor/ids.ts';
import { UserError } from '../../../src/platform/editor/messages.ts';
import { Failure } from '../../../src/base/failure.ts';
import { jobKey } from '../../../src/jobs/common/job.ts';
import { WholeJobs } from '../../../src/jobs/node/store/wholeJobs.ts';
import { liveItem, preRecordedItem } from '../../support/builders/jobItem.ts';
import { until } from '../../support/until.ts';
import { FakeDetailsDeps, jobOf, noSource } from './fakeDetailsDeps.ts';
import { KeyMask } from '../../../src/platform/http/keyMask.ts';
import { keyForms, keyFormsIn, markedKey } from '../../support/hostile/keyForms.ts';

describe('Items as documents', () => {
  const deps = new FakeDetailsDeps();
  const changed = new vscode.EventEmitter<vscode.Uri>();
  const documents = new RawDocuments(deps.services, changed);
  let provider: vscode.Disposable;

  before(async () => {
    // The editor queries the newest of several providers first; the product has one, too.
    await vscode.extensions.getExtension(extensionId)?.activate();
    provider = vscode.workspace.registerTextDocumentContentProvider(rawDocumentScheme, {
      onDidChange: changed.event,
      provideTextDocumentContent: (uri) => documents.provideTextDocumentContent(uri),
    });
  });
  afterEach(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));
  after(() => {
    provider.dispose();
    documents.dispose();
    changed.dispose();
  });

  const views: ComparisonViews = {
    openSessions: () => assert.fail('these are no sessions'),
    openDiff: (left, right) => documents.openDiff(left, right, 'left and right'),
  };

  const shown = (): vscode.TextDocument => {
    const document = vscode.window.activeTextEditor?.document;
    assert.ok(document);
    return document;
  };

  it('contain exactly the received text: digits, escapes, repeated keys, unknown fields', async () => {
    const raw = '{"id":"a/b?","kind":"live","n":90071992547409931,"f":1.50,"n":"\\u00e9","colour":{"x":[]}}';
    await documents.open([deps.load(raw)]);
    assert.equal(
      shown().getText(),
      '{\n  "id": "a/b?",\n  "kind": "live",\n  "n": 90071992547409931,\n  "f": 1.50,\n  "n": "\\u00e9",\n  "colour": {\n    "x": []\n  }\n}',
    );
    assert.equal(shown().languageId, 'json');
    assert.match(shown().uri.path, /\.json$/);
  });

  it('contain no key that the service repeats, in any form, also if the item has no ID', async () => {
    const forms = keyForms.map(({ write }) => write(markedKey));
    const raw = JSON.stringify({ id: 'a', kind: 'live', custom_metadata: Object.fromEntries(forms.entries()) });
    deps.keyMask = () => new KeyMask(markedKey);
    try {
      for (const entry of [deps.load(raw), { type: 'unreadable', raw } as const]) {
        await documents.open([entry]);
        assert.deepEqual(keyFormsIn(shown().getText(), markedKey), []);
        assert.match(shown().getText(), /"0": "•••"/);
      }
    } finally {
      deps.keyMask = () => new KeyMask();
    }
  });

  it('are read-only', async () => {
    await documents.open([deps.load(preRecordedItem())]);
    const before = shown().getText();
    await vscode.commands.executeCommand('type', { text: 'x' });
    assert.equal(shown().getText(), before);
    assert.equal(shown().isDirty, false);
  });

  it('follow their jobs, and stay when the jobs are removed', async () => {
    await documents.open([deps.load(preRecordedItem({ status: 'processing' }))]);
    const { uri } = shown();
    const text = (): string =>
      vscode.workspace.textDocuments.find((each) => each.uri.toString() === uri.toString())?.getText() ?? '';
    deps.load(preRecordedItem({ status: 'done' }));
    await until('the changed text', () => text().includes('"done"'));
    deps.loaded.clear();
    deps.changes.fire({ type: 'reset' });
    assert.equal((await vscode.workspace.openTextDocument(uri)).getText(), text());
  });

  it('stay open side by side', async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await documents.open(['one', 'two', 'three'].map((id) => deps.load(preRecordedItem({ id }))));
    assert.deepEqual(
      vscode.window.tabGroups.activeTabGroup.tabs.map(({ label }) => label),
      ['one.json', 'two.json', 'three.json'],
    );
  });

  it('show unreadable items too', async () => {
    await documents.open([{ type: 'unreadable', raw: '[1,2]' }]);
    assert.equal(shown().getText(), '[\n  1,\n  2\n]');
  });

  it('report that the job is not loaded', async () => {
    const uri = rawDocumentUri({ connection: 'Test', kind: 'live', id: 'nowhere', canonical: false });
    await assert.rejects(documents.provideTextDocumentContent(uri), /This job is not loaded/);
  });

  it('have addresses that decode to the same job, whatever its id contains', () => {
    for (const id of ['a', 'a/b', 'a?b#c%d&e', '../..', ' ', 'é\u202E', '100%25']) {
      const document = { connection: 'My/Service', kind: 'live', id, canonical: id === 'a' };
      const uri = vscode.Uri.parse(rawDocumentUri(document).toString());
      assert.deepEqual(readRawDocumentUri(uri), document, id);
    }
  });

  it('include the result that rows do not store, reading it again if necessary', async () => {
    const result = { transcription: { full_transcript: 'So it goes. '.repeat(200) } };
    const whole = jobOf({ ...preRecordedItem({ id: 'spoken' }), result });
    const lean = new WholeJobs(noSource).makeLean(whole);
    assert.notEqual(lean, whole);
    deps.wholes = new Map();
    deps.readWhole = () => Promise.resolve(whole);
    try {
      await documents.open([lean]);
      assert.deepEqual(JSON.parse(shown().getText()), JSON.parse(whole.raw));
      deps.readWhole = () => Promise.reject(new Failure('offline'));
      const uriOf = (id: string) => rawDocumentUri({ connection: 'Test', kind: whole.kind, id, canonical: false });
      const shownText = shown().getText();
      assert.equal(await documents.provideTextDocumentContent(uriOf(whole.id)), shownText, 'what is open stays');
      const other = new WholeJobs(noSource).makeLean(jobOf({ ...preRecordedItem({ id: 'unseen' }), result }));
      deps.loaded.set(jobKey(other), other);
      const unseen = uriOf(other.id);
      await assert.rejects(documents.provideTextDocumentContent(unseen), (error: Error) => !(error instanceof Failure));
      deps.readWhole = () => assert.fail('another service is not asked');
      deps.connection = { ...deps.connection, current: { name: 'Other' } };
      await assert.rejects(documents.provideTextDocumentContent(unseen), /belongs to the connection Test/);
      assert.equal(await documents.provideTextDocumentContent(uriOf(whole.id)), shownText);
    } finally {
      deps.wholes = undefined;
      deps.connection = { ...deps.connection, current: { name: 'Test' } };
    }
  });

  it('are compared with sorted keys', async () => {
    const left = deps.load(preRecordedItem({ id: 'left' }));
    const right = deps.load(liveItem({ id: 'right' }));
    await showComparison([left, right], views);
    const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
    assert.ok(input instanceof vscode.TabInputTextDiff);
    assert.equal(input.original.path, '/Test/pre-recorded/left.json');
    const keys = (await documents.provideTextDocumentContent(input.modified)).match(/^ {2}"\w+/gm) ?? [];
    assert.deepEqual(keys, keys.toSorted());
  });

  it('are compared on a page instead if they have the same kind', async () => {
    const compared: string[] = [];
    const onPage: ComparisonViews = {
      openSessions: async (jobs) => void compared.push(jobs.map(({ id }) => id).join()),
      openDiff: () => assert.fail('these are of one kind'),
    };
    const [a, b] = ['a', 'b'].map((id) => deps.load(preRecordedItem({ id })));
    const [c, d, e] = ['c', 'd', 'e'].map((id) => deps.load(liveItem({ id })));
    assert.ok(a && b && c && d && e);
    await showComparison([a, b], onPage);
    await showComparison([c, d, e], onPage);
    assert.deepEqual(compared, ['a,b', 'c,d,e']);
    await assert.rejects(showComparison([a, b, a], onPage), UserError);
    const many = Array.from({ length: 11 }, (_, index) => jobOf(liveItem({ id: `many-${index}` })));
    await showComparison(many.slice(1), onPage);
    await assert.rejects(showComparison(many, onPage), UserError);
  });

  it('are not compared if there is only one', async () => {
    const job = deps.load(preRecordedItem());
    const live = deps.load(liveItem());
    for (const jobs of [[], [job], [live], [job, live, live]]) {
      await assert.rejects(showComparison(jobs, views), UserError);
    }
  });
});
