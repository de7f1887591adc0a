import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { openAudio, openWebAddress } from '../../../src/features/details/editor/openAudio.ts';
import { JobPanel } from '../../../src/features/details/editor/jobPanel.ts';
import { UserError } from '../../../src/platform/editor/messages.ts';
import { preRecordedItem } from '../../support/builders/jobItem.ts';
import { until } from '../../support/until.ts';
import { answering } from '../submit/answers.ts';
import { FakeDetailsDeps, jobOf } from './fakeDetailsDeps.ts';
import { FakePanel } from './fakePanel.ts';

describe('The audio of a job', () => {
  const { openExternal } = vscode.env;
  const opened: unknown[] = [];
  const deps = new FakeDetailsDeps();
  const source = 'http://media.example.com/a%20b.mp3?sig=a%2Bb%3D';
  const job = jobOf(preRecordedItem({ id: 'a1', file: { source } }));

  beforeEach(() => {
    opened.length = 0;
    Object.assign(vscode.env, {
      openExternal: (target: unknown) => {
        opened.push(target);
        return Promise.resolve(true);
      },
    });
  });
  afterEach(() => Object.assign(vscode.env, { openExternal }));

  it('is opened at the address as the service wrote it, after a confirmation that shows the host', async () => {
    assert.deepEqual(await answering(() => openAudio(job, deps.services.facts), ['Open']), [
      {
        text: 'Open the audio of title of a1 in the browser?',
        detail: 'Host: media.example.com\nAddress: http://media.example.com/a%20b.mp3?…',
        buttons: ['Open'],
      },
    ]);
    assert.deepEqual(opened, [source]);
  });

  it('is not opened without confirmation, or without a usable address', async () => {
    await answering(() => openAudio(job, deps.services.facts), []);
    for (const bad of ['ftp://a.example/a.mp3', 'https://bank.example@evil.example/a.mp3', null]) {
      const without = jobOf(preRecordedItem({ id: 'a2', file: { source: bad } }));
      await assert.rejects(
        openAudio(without, deps.services.facts),
        new UserError('The service sent no web address for the audio of title of a2.'),
      );
    }
    assert.deepEqual(opened, []);
  });

  it('is offered on its page, and opened from there', async () => {
    const panel = new FakePanel();
    const jobRef = { connection: 'Test', kind: 'pre-recorded', id: 'a1', side: false };
    const page = new JobPanel(panel.asPanel, { jobRef, job }, deps.services, deps.speakers, () => Promise.resolve());
    panel.says({ type: 'ready' });
    assert.equal(panel.last?.type === 'job' && panel.last.view.hasAudio, true);
    await answering(async () => {
      panel.says({ type: 'openAudio' });
      await until('the audio', () => opened.length > 0);
    }, ['Open']);
    assert.deepEqual(opened, [source]);
    page.show(jobRef, jobOf(preRecordedItem({ id: 'a3', file: { source: null } })));
    assert.equal(panel.last?.type === 'job' && panel.last.view.hasAudio, false);
    page.dispose();
  });

  it('is opened by the same function as links of pages, which accepts http and https only', async () => {
    for (const address of ['https://a.example/?x=%2B', 'command:x', 'file:///etc/passwd', 'vscode://x', 'nothing']) {
      await openWebAddress(address);
    }
    assert.deepEqual(opened, ['https://a.example/?x=%2B']);
  });
});
