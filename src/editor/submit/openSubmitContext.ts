import { join } from 'node:path';
import * as vscode from 'vscode';
import { schemaErrors } from 'request-validator:';
import { gateRequest } from '../../domain/request/check.ts';
import { Journal } from '../../service/journal/journal.ts';
import { Submitter } from '../../service/submit/submitter.ts';
import { findSubmittedJob } from './findSubmittedJob.ts';
import { ServiceComplaints } from './serviceDiagnostics.ts';
import type { SubmitDeps, Submissions } from './submitContext.ts';
import { submitRequest } from './submitRequest.ts';

/**
 * Makes what the commands about submissions share. Whoever makes it disposes `complaints`.
 * @param summaryChanged told of batches that read differently now.
 */
export function openSubmitRoom(needs: SubmitDeps, summaryChanged = new vscode.EventEmitter<vscode.Uri>()): Submissions {
  const { storageUri, clock, log, settings } = needs;
  const journal = new Journal(join(storageUri.fsPath, 'submissions'), clock, log);
  const submitter = new Submitter(journal, clock, log, () => settings.get('requestTimeoutSeconds') * 1000);
  const room: Submissions = {
    ...needs,
    gate: (text) => gateRequest(text, schemaErrors, { nowMs: clock.now() }, { levels: settings.get('rules') }),
    journal,
    submitter,
    complaints: new ServiceComplaints(),
    summaryChanged,
    busy: new Set(),
    submit: (uri, earlier) => submitRequest(room, uri, earlier),
    lookFor: (service, submission) => findSubmittedJob(room, service, submission),
  };
  return room;
}
