import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { originOf } from '../../../src/connections/common/connectionInput.ts';
import { JobPanels } from '../../../src/features/details/editor/jobPanels.ts';
import { SpeakerNaming } from '../../../src/features/details/editor/speakerNaming.ts';
import { preRecordedItem } from '../../support/builders/jobItem.ts';
import { workConnection } from '../../support/builders/workConnection.ts';
import { JsonMemory } from '../../support/states/jsonMemory.ts';
import { until } from '../../support/until.ts';
import { FakeDetailsDeps } from './fakeDetailsDeps.ts';
import { FakePanel } from './fakePanel.ts';

describe('The names of speakers', () => {
  const { showInputBox } = vscode.window;
  const job = { origin: originOf(workConnection.baseUrl), kind: 'pre-recorded', id: 'a1' };
  const asked: (vscode.InputBoxOptions | undefined)[] = [];
  let typed: string | undefined;

  beforeEach(() => {
    asked.length = 0;
    Object.assign(vscode.window, {
      showInputBox: (options?: vscode.InputBoxOptions) => {
        asked.push(options);
        return Promise.resolve(typed);
      },
    });
  });
  afterEach(() => Object.assign(vscode.window, { showInputBox }));

  async function rename(naming: SpeakerNaming, key: string, name: string | undefined, of = job): Promise<void> {
    typed = name;
    await naming.rename(of, key);
  }

  it('are prompted for, stored by origin, kind and id, and an empty one restores the default', async () => {
    const state = new JsonMemory();
    const naming = new SpeakerNaming(state);
    await rename(naming, '0/', ' Inès\nLaurent ');
    await rename(naming, '1/', 'Omar');
    assert.deepEqual(
      [...naming.namesOf(job)],
      [
        ['0/', 'Inès Laurent'],
        ['1/', 'Omar'],
      ],
    );
    assert.deepEqual(new SpeakerNaming(state).namesOf(job), naming.namesOf(job), 'in another window');
    for (const other of [{ origin: 'https://other.example' }, { kind: 'live' }, { id: 'a2' }]) {
      assert.equal(naming.namesOf({ ...job, ...other }).size, 0);
    }
    await rename(naming, '0/', undefined);
    assert.deepEqual([asked.at(-1)?.title, asked.at(-1)?.value], ['Name of Speaker 1', 'Inès Laurent']);
    await rename(naming, '0/', ' ');
    await rename(naming, '1/', 'Speaker 2');
    assert.equal(naming.namesOf(job).size, 0);
    asked.length = 0;
    await rename(naming, '__proto__', 'x');
    assert.deepEqual(asked, []);
  });

  it('are stored for a max number of jobs and speakers', async () => {
    const naming = new SpeakerNaming(new JsonMemory());
    for (let at = 0; at < 150; at++) await rename(naming, `${at}/`, 'x');
    assert.equal(naming.namesOf(job).size, 100);
    for (let at = 0; at < 200; at++) await rename(naming, '0/', 'x', { ...job, id: `b${at}` });
    assert.equal(naming.namesOf(job).size, 0);
    assert.equal(naming.namesOf({ ...job, id: 'b0' }).size, 1);
  });

  it('are read from any stored value', async () => {
    const state = new JsonMemory();
    for (const stored of [
      null,
      'x',
      {},
      [null, { job: 1 }, { job: JSON.stringify([job.origin, job.kind, job.id]), speakers: [{ speaker: 0 }] }],
    ]) {
      await state.update('speakerNames.1', stored);
      assert.equal(new SpeakerNaming(state).namesOf(job).size, 0);
    }
    const naming = new SpeakerNaming(state);
    await rename(naming, '"A"/', 'Inès');
    assert.deepEqual([...naming.namesOf(job)], [['"A"/', 'Inès']]);
    assert.equal(asked.at(-1)?.title, 'Name of Speaker A');
  });

  it('are shown in all turns on every page of the job', async () => {
    const deps = new FakeDetailsDeps();
    const pages = new JobPanels(deps.services, deps.speakers, {
      openJson: () => Promise.resolve(),
      openDiff: () => Promise.resolve(),
    });
    const utterances = [0, 1, 0].map((speaker, start) => ({ text: 'Yes.', start, speaker }));
    deps.load(preRecordedItem({ id: 'a1', result: { transcription: { utterances } } }));
    const panels = [new FakePanel(), new FakePanel()];
    for (const [at, panel] of panels.entries()) {
      const state = {
        version: 1,
        job: { connection: 'Test', kind: job.kind, id: job.id, side: at > 0 },
        unfolded: [],
        scrollY: 0,
      };
      await pages.deserializeWebviewPanel(panel.asPanel, state);
      panel.says({ type: 'ready' });
    }
    const labels = ({ last }: FakePanel): readonly unknown[] =>
      last?.type === 'job' ? (last.view.transcript?.lines.map(({ label }) => label) ?? []) : [];
    typed = 'Inès';
    panels[0]?.says({ type: 'renameSpeaker', speaker: '0/' });
    await until('the name', () => panels.every((panel) => labels(panel)[0] === 'Inès'));
    for (const panel of panels) assert.deepEqual(labels(panel), ['Inès', 'Speaker 2', 'Inès']);
    deps.connection = { ...deps.connection, current: { name: 'Renamed' } };
    const later = new FakePanel();
    const jobRef = { connection: 'Renamed', kind: job.kind, id: job.id, side: true };
    await pages.deserializeWebviewPanel(later.asPanel, { version: 1, job: jobRef, unfolded: [], scrollY: 0 });
    later.says({ type: 'ready' });
    await until('the name', () => labels(later)[0] === 'Inès');
    pages.dispose();
    assert.equal(deps.speakers.namesOf(job).get('0/'), 'Inès');
  });
});
