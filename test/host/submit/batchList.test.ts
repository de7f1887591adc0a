import assert from 'node:assert/strict';
import { rmSync, truncateSync } from 'node:fs';
import * as vscode from 'vscode';
import {
  chooseColumns,
  openList,
  openWaitingList,
  readListAgain,
  rememberWaitingList,
} from '../../../src/features/submit/editor/chooseAudioList.ts';
import { submitFiles, submitList, resumeBatch } from '../../../src/features/submit/editor/submitBatch.ts';
import { showSubmissions } from '../../../src/features/submit/editor/showSubmissions.ts';
import { AudioHash } from '../../../src/features/submit/node/audioHash.ts';
import { Submissions } from '../../../src/features/submit/editor/submissions.ts';
import { submitUrlList } from '../../../src/features/submit/editor/submitUris.ts';
import { answer } from '../../support/faults/plays.ts';
import {
  acceptLabel,
  acceptPick,
  acceptRow,
  goBack,
  hidePick,
  withPicks,
  type ShownPick,
} from '../browse/withPicks.ts';
import { preRecordedItem } from '../../support/builders/jobItem.ts';
import { jobOf } from '../details/fakeDetailsDeps.ts';
import { closeEditors, writeRequest } from '../requests/requestFiles.ts';
import { answering, type Shown } from './answers.ts';
import { accepting, useScene, type SubmitScene } from './submitScene.ts';

const urls = [1, 2, 3].map((call) => `https://audio.example/calls/${call}.wav?token=secret`);
const unchanging = () => new vscode.Disposable(() => undefined);

describe('A batch of a list', () => {
  let scene: SubmitScene;
  useScene((opened) => (scene = opened));
  beforeEach(() => vscode.env.clipboard.writeText(urls.join('\n')));
  afterEach(closeEditors);

  it('continues in the same window without a prompt for the list, and after a reload names the list it needs', async () => {
    const { submissions } = scene;
    scene.play = (stage) => (stage.nth === 2 ? answer(401, '{}') : accepting)(stage);
    await submitFromClipboard(['Submit']);
    assert.equal(scene.bodies.length, 2);
    const service = submissions.target();
    const [id = ''] = await submissions.batches.ids(service.connection);
    const asked = await answering(() => resumeBatch(submissions, service, id), []);
    assert.equal(asked[0]?.text, 'Submit the remaining 2 to Work?');
    assert.equal(scene.bodies.length, 2);

    const reloaded = new Submissions(submissions.services, submissions.audio);
    await withPicks(async (next) => {
      const resuming = answering(
        () => resumeBatch(reloaded, service, id),
        ['Submit'],
        ({ length }) => length === 2,
      );
      const pick = await next();
      assert.equal(pick.title, 'Continue Batch of 3 (2 Left)');
      assert.equal(pick.placeholder, 'Choose the same list again; URLs are not stored');
      chooseClipboard(pick);
      assert.match((await resuming)[1]?.text ?? '', /Batch sent: 3 accepted/);
    });
    assert.deepEqual(audioOf(scene.bodies), [urls[0], urls[1], urls[1], urls[2]]);
    reloaded.dispose();
  });

  it('is not continued if the key for hashes of its URLs has changed, because all of them would be sent again', async () => {
    const { submissions } = scene;
    scene.play = (stage) => (stage.nth === 2 ? answer(401, '{}') : accepting)(stage);
    await submitFromClipboard(['Submit']);
    const service = submissions.target();
    const [id = ''] = await submissions.batches.ids(service.connection);
    const other = new Submissions(submissions.services, new AudioHash('another key'));
    await assert.rejects(resumeBatch(other, service, id), /^UserError: This batch can't be continued\. /);
    assert.equal(scene.bodies.length, 2);
    other.dispose();
  });

  it('adds the file names to the metadata on request', async () => {
    const shown = await submitFromClipboard(['Submit'], (pick) => {
      assert.deepEqual(pick.selectedItems, []);
      select(pick, 'File name of the audio');
    });
    assert.deepEqual(shown[0]?.buttons, ['Submit']);
    assert.match(shown[0].detail ?? '', /^Metadata from the list: title$/m);
    assert.deepEqual(
      scene.bodies.map((body) => (JSON.parse(body) as { readonly custom_metadata: unknown }).custom_metadata),
      [1, 2, 3].map((call) => ({ title: `${call}.wav` })),
    );
  });

  it('takes the metadata of each address from the columns of its table, confirms them, and continues with the same ones', async () => {
    const table = (columns: string): string =>
      [
        `audio\t${columns}`,
        ...urls.map((url, index) => `${url}\tcustomer ${index + 1}\t${index === 1 ? '' : 'yes'}`),
      ].join('\n');
    await vscode.env.clipboard.writeText(table('custom_metadata.customer\tcustom_metadata.title'));
    scene.play = (stage) => (stage.nth === 3 ? answer(401, '{}') : accepting)(stage);
    const shown = await submitFromClipboard(['Submit']);
    assert.match(shown[0]?.detail ?? '', /^Metadata from the list: customer, title$/m);
    const metadata = (): readonly unknown[] =>
      scene.bodies.map((body) => (JSON.parse(body) as { readonly custom_metadata: unknown }).custom_metadata);
    assert.deepEqual(metadata(), [
      { customer: 'customer 1', title: 'yes' },
      { customer: 'customer 2' },
      { customer: 'customer 3', title: 'yes' },
    ]);
    // After a reload, another list must not add metadata that nobody has confirmed.
    await vscode.env.clipboard.writeText(table('custom_metadata.customer\tcustom_metadata.secret'));
    const reloaded = new Submissions(scene.submissions.services, scene.submissions.audio);
    const service = reloaded.target();
    const [id = ''] = await reloaded.batches.ids(service.connection);
    await withPicks(async (next) => {
      const resuming = answering(
        () => resumeBatch(reloaded, service, id),
        ['Submit'],
        ({ length }) => length === 2,
      );
      chooseClipboard(await next());
      await resuming;
    });
    assert.deepEqual(metadata().at(-1), { customer: 'customer 3' });
    reloaded.dispose();
  });

  it('shows the columns before anything is confirmed, and accounts for each row', async () => {
    const rows = [
      `audio\tCustomer\tRoom\t\tCustomer\tpage`,
      `${urls[0]}\tacme\tR1\tx\ty`,
      `none\tacme\tR2`,
      `${urls[0]}\tacme\tR3`,
      '',
      `${urls[1]}\tacme\tR4\t\t\thttps://page.example/secret?token=secret`,
      `https://audio.example/calls/a b.wav\tacme`,
    ];
    await vscode.env.clipboard.writeText(rows.join('\n'));
    const template = await writeRequest(
      '{"audio_url": "https://audio.example/x.wav", "diarization": true}',
      'template',
    );
    let shown: readonly Shown[] = [];
    await withPicks(async (next) => {
      const submitting = answering(() => submitList(scene.submissions, template), ['Submit'], hasSent);
      chooseClipboard(await next());
      const urlStep = await next();
      assert.deepEqual(labelsOf(urlStep), ['audio', 'page']);
      assert.deepEqual(
        urlStep.items.map(({ detail }) => detail),
        ['https://audio.example/calls/1.wav?…', 'https://page.example/secret?…'],
      );
      goBack(urlStep);
      chooseClipboard(await next());
      acceptLabel(await next(), 'audio');
      const columns = await next();
      assert.equal(columns.title, 'The clipboard: 4 URLs in "audio"');
      assert.deepEqual(
        columns.items.slice(0, 5).map(({ label, description }) => [label, description]),
        [
          ['Customer', 'custom_metadata.customer · acme'],
          ['Room', 'custom_metadata.Room · R1'],
          ['Column 4', 'not usable: no heading'],
          ['Customer', 'not usable: its heading is used by another column, or too long'],
          ['page', 'custom_metadata.page · https://page.example/secret?…'],
        ],
      );
      assert.deepEqual(
        columns.selectedItems.map(({ label }) => label),
        ['Customer'],
      );
      goBack(columns);
      acceptLabel(await next(), 'audio');
      const again = await next();
      select(again, 'Room', 'File name of the audio');
      acceptPick(again);
      shown = await submitting;
    });
    assert.deepEqual(shown[0]?.buttons, ['Submit']);
    const detail = (shown[0].detail ?? '').split('\n');
    const lines = detail.slice(5);
    assert.match(lines[1] ?? '', /^Effect: Language: .+ · Speakers on one channel: separated$/);
    assert.deepEqual(
      [lines[0], ...lines.slice(2, 7)],
      [
        'Request file: template.transcription.json',
        'The clipboard: 5 rows below the headings = 2 to submit + 3 left out',
        'First: audio.example/…/1.wav',
        'Metadata from the list: customer, Room, title',
        'Columns that are not used: Column 4, Customer, page',
        '',
      ],
    );
    assert.deepEqual(
      detail.slice(0, 5),
      ['Left out:', '• Row 3: no URL', '• Row 4: duplicate', '• Row 7: the URL has a space in it; write it as %20', ''],
      'what needs a decision comes first',
    );
    assert.deepEqual(
      scene.bodies.map((body) => (JSON.parse(body) as { readonly custom_metadata: unknown }).custom_metadata),
      ['R1', 'R4'].map((Room, index) => ({ title: `${index + 1}.wav`, Room, customer: 'acme' })),
    );
    const { batches } = scene.submissions;
    const { connection } = scene.submissions.target();
    const [id = ''] = await batches.ids(connection);
    const batch = await batches.read(await batches.find(connection, id));
    assert.deepEqual(batch?.plan.leftOut, [
      { row: 3, reason: 'no URL' },
      { row: 4, reason: 'duplicate' },
      { row: 7, reason: 'the URL has a space in it; write it as %20' },
    ]);
  });

  it('proposes the columns that were chosen last for the same headings', async () => {
    const { submissions, state } = scene;
    const headings = 'audio\tCustomer\tRoom\tcopy';
    const proposed = async (of: string, choose?: (columns: ShownPick) => void) => {
      const rows = urls.map((url) => `${url}\tacme\tR1\t${url}`);
      const uri = await writeList('columns.tsv', Buffer.from([of, ...rows].join('\n')));
      const opened = await openList(submissions, uri);
      rmSync(uri.fsPath);
      let shown: readonly (string | undefined)[] = [];
      await withPicks(async (next) => {
        const choosing = chooseColumns(submissions, opened, false);
        const urlStep = await next();
        shown = urlStep.activeItems.map(({ label }) => label);
        acceptLabel(urlStep, choose === undefined ? 'audio' : 'copy');
        const columns = await next();
        shown = [...shown, ...columns.selectedItems.map(({ label }) => label)];
        choose?.(columns);
        acceptPick(columns);
        await choosing;
      });
      return shown;
    };
    assert.deepEqual(
      await proposed(headings, (columns) => {
        columns.selectedItems = [];
        select(columns, 'Room', 'File name of the audio');
      }),
      ['Customer'],
    );
    assert.deepEqual(await proposed(headings), ['copy', 'Room', 'File name of the audio']);
    assert.deepEqual(await proposed('audio\tCustomer\tRoom\tlink'), ['Customer']);
    for (const hostile of [7, [{ headings: 1 }], [{ url: -1 }]]) {
      state.set('listColumns.1', hostile);
      assert.deepEqual(await proposed(headings), ['Customer']);
    }
  });

  it('names audio that was submitted lately, also with other titles, and offers to send only the others', async () => {
    const table = (titles: string, count: number): string =>
      ['audio\ttitle', ...urls.slice(0, count).map((url, index) => `${url}\t${titles} ${index}`)].join('\n');
    await vscode.env.clipboard.writeText(table('Episode', 2));
    await submitFromClipboard(['Submit']);
    const { length } = scene.bodies;
    await vscode.env.clipboard.writeText(table('Part', 3));
    const shown = await submitFromClipboard(['Submit New Audio (1)']);
    assert.match(
      shown[0]?.detail ?? '',
      /^Same audio with other settings or metadata already submitted in the last 24 hours: 2 \(last: just now\)\n\n/,
    );
    assert.deepEqual(shown[0]?.buttons, ['Submit New Audio (1)', 'Submit Anyway']);
    assert.deepEqual(audioOf(scene.bodies.slice(length)), urls.slice(2));
    await vscode.env.clipboard.writeText(table('Scene', 3));
    const all = await submitFromClipboard(['Submit Anyway']);
    assert.match(all[0]?.detail ?? '', /metadata already submitted in the last 24 hours: 3/);
    assert.deepEqual(all[0]?.buttons, ['Show Submissions', 'Submit Anyway'], 'what Enter presses sends nothing');
    assert.equal(scene.bodies.length, length + 4);
    await vscode.env.clipboard.writeText(table('Scene', 2).replace('Scene 1', 'Corrected'));
    const corrected = await submitFromClipboard(['Submit the Other']);
    assert.match(
      corrected[0]?.detail ?? '',
      /^Already submitted unchanged in the last 24 hours: 1\nSame audio with other settings .+: 1 \(.+\)\n\n/,
    );
    assert.deepEqual(corrected[0]?.buttons, ['Submit the Other', 'Submit Anyway'], 'corrected rows are offered');
    assert.match(scene.bodies.at(-1) ?? '', /Corrected/);
  });

  it('may have 32 MB', async () => {
    const uri = await writeList('large.csv', new Uint8Array());
    truncateSync(uri.fsPath, 33 * 1024 * 1024);
    await assert.rejects(openList(scene.submissions, uri), /"large\.csv" is 33\.0 MB\. Files over 32 MB/);
    rmSync(uri.fsPath);
  });

  it('is submitted from its own menu with a request file of the workspace, and goes back to its choice', async () => {
    const template = await writeRequest('{"audio_url": "https://audio.example/x.wav"}', 'menu');
    for (const name of ['closed', 'first', 'last']) {
      const document = await vscode.workspace.openTextDocument(await writeRequest('{}', name));
      await vscode.window.showTextDocument(document, { preview: name !== 'last' });
    }
    const uri = await writeList('menu.csv', new TextEncoder().encode(`audio,title\n${urls[0]},One\nnone,Two\n`));
    let shown: readonly Shown[] = [];
    await withPicks(async (next) => {
      const submitting = answering(() => submitUrlList(scene.submissions, [uri, [uri]]), ['Submit'], hasSent);
      const files = await next();
      assert.equal(files.title, 'Submit "menu.csv"');
      assert.deepEqual(
        files.items
          .slice(0, 3)
          .map(({ label, description = '' }) => [label, description.includes('open in an editor')]),
        [
          ['$(file) last.transcription.json', true],
          ['$(file) first.transcription.json', true],
          [labelsOf(files)[2], false],
        ],
        'what is open comes first, the last one at the top',
      );
      assert.equal(labelsOf(files).at(-1), '$(add) New Request File…');
      acceptLabel(files, 'menu.transcription.json');
      goBack(await next());
      acceptLabel(await next(), 'menu.transcription.json');
      acceptPick(await next());
      shown = await submitting;
    });
    assert.match(
      shown[0]?.detail ?? '',
      /^Left out:\n• Row 3: no URL\n\nRequest file: menu\.transcription\.json\n.+\nmenu\.csv: 2 rows below the headings = 1 to submit \+ 1 left out\n/,
    );
    assert.deepEqual(scene.bodies, [`{"custom_metadata":{"title":"One"},"audio_url": ${JSON.stringify(urls[0])}}`]);
    await vscode.workspace.fs.delete(template);
    await vscode.workspace.fs.delete(uri);
    for (const outside of ['/tmp/outside.csv', '/etc/hosts.txt']) {
      await assert.rejects(
        submitUrlList(scene.submissions, [vscode.Uri.file(outside)]),
        /"\w+\.\w+" is not in this workspace/,
      );
    }
  });

  for (const way of ['message', 'line above the request'] as const)
    it(`continues with a request file that was created on the way from the ${way}`, async () => {
      const uri = await writeList('new.csv', Buffer.from(`audio,title\n${urls[0]},One\n`));
      const created = await writeRequest('{"audio_url": "", "diarization": true}', 'created');
      const { executeCommand } = vscode.commands;
      const { showInformationMessage } = vscode.window;
      const create = async (): Promise<void> => void (await vscode.window.showTextDocument(created));
      const offered: (readonly string[])[] = [];
      let press: (button: string) => void = () => assert.fail('nothing was offered');
      const offer = (...texts: readonly string[]) => {
        offered.push(texts);
        return new Promise<string>((resolve) => (press = resolve));
      };
      Object.assign(vscode.commands, { executeCommand: create });
      Object.assign(vscode.window, { showInformationMessage: offer });
      try {
        await withPicks(async (next) => {
          const choosing = submitUrlList(scene.submissions, [uri]);
          acceptLabel(await next(), 'New Request File…');
          await choosing;
          const submitting = answering(
            () => (way === 'message' ? press('Submit List…') : submitUrlList(scene.submissions, [created])),
            ['Submit'],
            hasSent,
          );
          const columns = await next();
          assert.match(columns.title ?? '', /^new\.csv/);
          acceptPick(columns);
          await submitting;
        });
      } finally {
        Object.assign(vscode.commands, { executeCommand });
        Object.assign(vscode.window, { showInformationMessage });
      }
      assert.deepEqual(offered, [['Complete this request. It is sent for each URL of "new.csv".', 'Submit List…']]);
      assert.match(scene.bodies.join(), /"diarization": true/);
      assert.equal(await openWaitingList(scene.submissions, created), undefined, 'a sent list is forgotten');
      await vscode.workspace.fs.delete(created);
      await vscode.workspace.fs.delete(uri);
    });

  it('is forgotten as the list of a created request file when another one is wanted, not when it is closed', async () => {
    const { submissions } = scene;
    const uri = await writeList('waiting.csv', Buffer.from(`audio,title\n${urls[0]},One\n`));
    const created = await writeRequest('{"audio_url": ""}', 'waiting');
    rememberWaitingList(submissions, created, uri);
    await withPicks(async (next) => {
      const closing = submitList(submissions, created);
      hidePick(await next());
      await closing;
      const goingBack = submitList(submissions, created);
      const columns = await next();
      assert.match(columns.title ?? '', /^waiting\.csv/);
      goBack(columns);
      hidePick(await next());
      await goingBack;
    });
    assert.equal(await openWaitingList(submissions, created), undefined);
    await vscode.workspace.fs.delete(created);
    await vscode.workspace.fs.delete(uri);
  });

  it('is read in UTF-16 with and without a byte order mark, and rejected if characters are lost', async () => {
    const rows = `audio,title\n${urls[0]},é€\n`;
    const little = Buffer.from(rows, 'utf16le');
    const big = Buffer.from(little).swap16();
    const latin = Buffer.from(rows.replace('€', ''), 'latin1');
    for (const [name, bytes] of [
      ['marked', Buffer.concat([Buffer.of(0xff, 0xfe), little])],
      ['markedBig', Buffer.concat([Buffer.of(0xfe, 0xff), big])],
      ['little', little],
      ['big', big],
    ] as const) {
      const uri = await writeList(`${name}.csv`, bytes);
      const chosen = await readListAgain(scene.submissions, uri);
      assert.deepEqual(chosen?.list.audio, [{ row: 2, url: urls[0], metadata: { title: 'é€' } }], name);
      await vscode.workspace.fs.delete(uri);
    }
    const uri = await writeList('latin.csv', latin);
    await assert.rejects(readListAgain(scene.submissions, uri), /^UserError: latin\.csv: Row 2: some characters can't/);
    await vscode.workspace.fs.delete(uri);
  });

  it('reads a tab-separated text file as the same table as on the clipboard, and rejects lists that would lose or cut URLs', async () => {
    const template = await writeRequest('{ "audio_url": "https://audio.example/x.wav" }', 'template');
    const read = async (name: string, text: string) => {
      const uri = vscode.Uri.joinPath(template, '..', name);
      await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
      return (await readListAgain(scene.submissions, uri))?.list;
    };
    const table = `audio\tcustom_metadata.customer\n${urls[0]}\tAnn\n`;
    for (const name of ['calls.txt', 'calls.csv', 'calls.tsv']) {
      assert.deepEqual((await read(name, table))?.audio, [{ row: 2, url: urls[0], metadata: { customer: 'Ann' } }]);
    }
    for (const name of ['calls.csv', 'calls.txt'] as const) {
      for (const [text, problem] of [
        [`audio,custom_metadata.note\n${urls[0]},"a\n${urls[1]},b`, 'Row 2: a quotation mark is not closed'],
        [`sep=,\naudio\n${urls[0]},1.wav\n`, 'Row 3: more cells than headings'],
      ] as const) {
        await assert.rejects(read(name, text), new RegExp(`^UserError: ${name}: ${problem}`, 'u'));
      }
    }
    // Below a title, each line is a URL.
    const cut = 'https://audio.example/a,1.wav';
    assert.deepEqual((await read('calls.txt', `Calls, November\n${cut}`))?.audio, [{ row: 2, url: cut, metadata: {} }]);
    await vscode.env.clipboard.writeText(`audio;note\n${urls[0]};"a\n`);
    await withPicks(async (next) => {
      const refused = assert.rejects(
        submitList(scene.submissions, template),
        /^UserError: The clipboard: Row 2: a quotation mark is not closed/,
      );
      chooseClipboard(await next());
      await refused;
    });
    assert.deepEqual(scene.bodies, []);
  });

  it('of a single URL is an entry in the list of submissions, too, because its page has its name', async () => {
    scene.play = answer(201, '{"id":"job-1"}');
    await vscode.env.clipboard.writeText('https://audio.example/only.wav');
    await submitFromClipboard(['Submit']);
    await withPicks(async (next) => {
      const showing = showSubmissions(scene.submissions, unchanging);
      const list = await next();
      assert.deepEqual(labelsOf(list), ['Batches', 'Batch of 1']);
      acceptRow(list, 1);
      await showing;
    });
    assert.equal(scene.shownBatches.length, 1);
  });

  it('is one entry in the list of submissions, which opens its page', async () => {
    scene.play = (stage) => answer(201, `{"id":"job-${stage.nth}"}`)(stage);
    await submitFromClipboard(['Submit']);
    await answering(
      async () =>
        scene.submissions.submitFile(await writeRequest('{"audio_url": "https://audio.example/a.wav"}', 'alone')),
      ['Submit'],
      ({ length }) => length === 2,
    );
    await answering(
      async () =>
        submitFiles(scene.submissions, [await writeRequest('{"audio_url": "https://audio.example/b.wav"}', 'single')]),
      ['Submit'],
      ({ length }) => length === 2,
    );
    const { connection } = scene.submissions.target();
    const fates = new Map([
      ['job-2', { status: 'error', errorCode: 422 }],
      ['job-3', { status: 'done' }],
    ] as const);
    await scene.submissions.batches.noteFates(connection, fates);
    // The page of the batch shows the jobs as they are listed now.
    const listed = jobOf(preRecordedItem({ id: 'job-2', status: 'done' }));
    Object.assign(scene.submissions.services.jobs, {
      get: (_: string, id: string) => (id === 'job-2' ? listed : undefined),
    });
    await withPicks(async (next) => {
      const showing = showSubmissions(scene.submissions, unchanging);
      const list = await next();
      assert.deepEqual(labelsOf(list), [
        'Batches',
        'Batch of 3',
        'Requests',
        'single.transcription.json',
        'alone.transcription.json',
      ]);
      assert.ok(list.items.every(({ detail = '' }) => !/[\da-f]{12}/.test(detail)));
      assert.match(list.items[1]?.description ?? '', /^template\.transcription\.json · 2 done · 1 accepted · /);
      acceptRow(list, 1);
      await showing;
    });
    const id = (await scene.submissions.batches.ids(connection)).at(-1) ?? '';
    assert.deepEqual(scene.shownBatches, [`Work ${id}`]);
    const journal = await scene.journal();
    assert.ok(!JSON.stringify(journal).includes('secret'));
  });

  it('accepts a comma-separated table from the clipboard if its first line has headings', async () => {
    const rows = urls.map((url, row) => `${url},Customer ${row}`);
    await vscode.env.clipboard.writeText(['audio_url,custom_metadata.customer', ...rows].join('\n'));
    await submitFromClipboard(['Submit', 'Submit']);
    assert.deepEqual(audioOf(scene.bodies), urls);
    assert.match(scene.bodies[1] ?? '', /"customer":\s*"Customer 1"/);
    // Without headings a comma may belong to the address.
    const odd = 'https://audio.example/a,b.wav';
    await vscode.env.clipboard.writeText(odd);
    await submitFromClipboard(['Submit']);
    assert.deepEqual(audioOf(scene.bodies).slice(urls.length), [odd]);
  });

  it('uses pasted addresses without a prompt for a list, and accepts only web addresses', async () => {
    const template = await writeRequest('{"audio_url": "https://audio.example/x.wav"}', 'template');
    const addresses = [...urls, urls[0], 'file:///etc/passwd'];
    let asked: readonly Shown[] = [];
    await withPicks(async (next) => {
      const submitting = answering(
        () => submitUrlList(scene.submissions, [template, { addresses }]),
        ['Submit'],
        hasSent,
      );
      acceptPick(await next());
      asked = await submitting;
    });
    assert.match(asked[0]?.text ?? '', /^Submit 3 /);
    assert.match(asked[0]?.detail ?? '', /Row 4: duplicate/);
    assert.deepEqual(audioOf(scene.bodies), urls);
    const nothing = submitUrlList(scene.submissions, [template, { addresses: ['file:///etc/passwd'] }]);
    await assert.rejects(nothing, /No audio URL/);
    assert.equal(scene.bodies.length, 3);
  });

  it('prompts for the addresses if its argument is not a list of them', async () => {
    const template = await writeRequest('{"audio_url": "https://audio.example/x.wav"}', 'template');
    for (const given of [{ addresses: 'https://audio.example/x.wav' }, { addresses: [7] }, null, 'https://a.example']) {
      await withPicks(async (next) => {
        const submitting = submitUrlList(scene.submissions, [template, given]);
        const pick = await next();
        assert.equal(pick.placeholder, 'Where are the URLs?');
        hidePick(pick);
        await submitting;
      });
    }
    assert.deepEqual(scene.bodies, []);
  });

  async function submitFromClipboard(
    answers: readonly string[],
    choose: (columns: ShownPick) => void = () => undefined,
  ): Promise<readonly Shown[]> {
    const template = await writeRequest('{"audio_url": "https://audio.example/x.wav"}', 'template');
    let shown: readonly Shown[] = [];
    await withPicks(async (next) => {
      const submitting = answering(
        () => submitList(scene.submissions, template),
        answers,
        (all) => hasSent(all) || all.some(({ text }) => text.startsWith('The batch stopped')),
      );
      chooseClipboard(await next());
      const columns = await next();
      choose(columns);
      acceptPick(columns);
      shown = await submitting;
    });
    return shown;
  }
});

function chooseClipboard(pick: ShownPick): void {
  acceptRow(
    pick,
    pick.items.findIndex(({ label }) => label.includes('Clipboard')),
  );
}

async function writeList(name: string, bytes: Uint8Array): Promise<vscode.Uri> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? assert.fail('no folder is open');
  const uri = vscode.Uri.joinPath(folder, name);
  await vscode.workspace.fs.writeFile(uri, bytes);
  return uri;
}

/** Ticks items of a quick pick, in addition to those that are ticked. */
function select(pick: ShownPick, ...labels: readonly string[]): void {
  const added = pick.items.filter(({ label }) => labels.includes(label));
  assert.equal(added.length, labels.length);
  pick.selectedItems = [...pick.selectedItems, ...added];
}

function labelsOf({ items }: ShownPick): readonly string[] {
  return items.map(({ label }) => label);
}

function audioOf(bodies: readonly string[]): readonly string[] {
  return bodies.map((body) => (JSON.parse(body) as { readonly audio_url: string }).audio_url);
}

/** True once a message reports that all requests of a batch were sent, or its only one. */
function hasSent(all: readonly Shown[]): boolean {
  return all.some(({ text }) => /^Batch sent|was submitted as job /.test(text));
}
