import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { Failure } from '../../../src/base/failure.ts';
import type { ExportOutcome } from '../../../src/jobs/node/export/exporter.ts';
import { reportExport } from '../../../src/features/browse/editor/exportInto.ts';

describe('The report of an export', () => {
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
  const written = { written: 20, contradicting: 0, unreadable: 0, tooLarge: 0 };
  const notify = (outcome: ExportOutcome, filter?: string): Promise<void> =>
    reportExport(outcome, vscode.Uri.file('/exports/jobs.csv'), { language: 'en', timeZone: 'UTC' }, filter);
  const report = (why: 'cancelled' | 'ended', partial: string | undefined, filter?: string): Promise<void> =>
    notify({ type: 'partial', why, error: undefined, partial, ...written }, filter);

  it('is no error when the user cancelled, whether anything was written or not', async () => {
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

  it('says what happened and what to do when a request failed', async () => {
    const error = new Failure('serverFailed', { status: 503 });
    await notify({ type: 'partial', why: 'failed', error, partial: '/exports/jobs.csv.partial', ...written });
    assert.deepEqual(shown, [
      'error: The export failed. Service error (status 503). Try again later. The file is incomplete: 20 jobs, in jobs.csv.partial.',
    ]);
  });

  it('names the jobs that were written without their results', async () => {
    const ids = Array.from({ length: 7 }, (_, index) => `${index}0000000-more`);
    await notify({ type: 'unproved', ...written, withoutResult: ids });
    assert.deepEqual(shown, [
      'information: Exported 20 jobs to jobs.csv. Written without their results, which the service no longer sends: 00000000, 10000000, 20000000, 30000000, 40000000 and 2 more.',
    ]);
  });

  it('names the filter of the jobs, if any were written', async () => {
    await notify({ type: 'complete', ...written }, 'Failed · today');
    await notify({ type: 'complete', ...written });
    await report('cancelled', '/exports/jobs.csv.partial', 'Failed · today');
    await report('cancelled', undefined, 'Failed · today');
    assert.deepEqual(shown, [
      'information: Exported 20 jobs to jobs.csv. Filter: Failed · today.',
      'information: Exported 20 jobs to jobs.csv.',
      'information: The export was canceled. The file is incomplete: 20 jobs, in jobs.csv.partial. Filter: Failed · today.',
      'information: The export was canceled. Nothing was exported.',
    ]);
  });
});
