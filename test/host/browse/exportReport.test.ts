import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { reportExport } from '../../../src/editor/browse/exportJobs.ts';

describe('What became of an export', () => {
  const { showErrorMessage, showInformationMessage } = vscode.window;
  const shown: string[] = [];
  beforeEach(() => {
    shown.length = 0;
    const keep = (severity: string) => async (message: string) => void shown.push(`${severity}: ${message}`);
    Object.assign(vscode.window, {
      showErrorMessage: keep('error'),
      showInformationMessage: keep('information'),
    });
  });
  afterEach(() => {
    Object.assign(vscode.window, { showErrorMessage, showInformationMessage });
  });
  const report = (why: 'cancelled' | 'ended', partial: string | undefined): Promise<void> =>
    reportExport(
      { type: 'partial', why, error: undefined, partial, written: 20, contradicting: 0, unreadable: 0 },
      vscode.Uri.file('/exports/jobs.csv'),
      { language: 'en', timeZone: 'UTC' },
    );

  it('is no error when the user cancelled it, whether something was written by then or not', async () => {
    await report('cancelled', '/exports/jobs.csv.partial');
    await report('cancelled', undefined);
    assert.deepEqual(shown, [
      'information: The export was canceled. The file is incomplete: 20 jobs, in jobs.csv.partial.',
      'information: The export was canceled. Nothing was exported.',
    ]);
  });

  it('is an error when the service stopped sending', async () => {
    await report('ended', '/exports/jobs.csv.partial');
    assert.deepEqual(shown, [
      "error: The service says that there are more jobs but didn't send them. The file is incomplete: 20 jobs, in jobs.csv.partial.",
    ]);
  });
});
