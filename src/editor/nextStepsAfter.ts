import * as vscode from 'vscode';
import type { Failure } from '../domain/failure.ts';
import { commandIds } from './ids.ts';
import { commandStep, openSettings, openSettingsStep, showLogStep } from './nextSteps.ts';
import type { NextStep } from './showMessage.ts';

/** The buttons below a failure: what is worth trying, the best first, three at most. */
export function nextStepsAfter(failure: Failure, retry: () => unknown): readonly NextStep[] {
  const { l10n } = vscode;
  const again: NextStep = { title: l10n.t('Retry'), run: retry };
  const setKey = commandStep(l10n.t('Set API Key'), commandIds.setApiKey);
  const edit = commandStep(l10n.t('Edit Connection'), commandIds.editConnection);
  const log = showLogStep();
  switch (failure.code) {
    case 'noConnection':
      return [
        commandStep(l10n.t('Connect to a Service'), commandIds.connect),
        commandStep(l10n.t('Try Sample Jobs'), commandIds.useSample),
      ];
    case 'noKey':
      return [setKey];
    case 'keyRejected':
      return [setKey, log];
    case 'notFound':
    case 'notJson':
    case 'unexpectedShape':
    case 'redirected':
      return [edit, log];
    case 'offline':
      return [again, edit, log];
    case 'rateLimited':
    case 'serverFailed':
      return [again, log];
    case 'timeout':
      return [again, openSettingsStep('requestTimeoutSeconds'), log];
    case 'proxy':
      return [again, { title: l10n.t('Open Settings'), run: () => openSettings('http.proxy') }, log];
    case 'tls':
    case 'rejected':
      return [log];
    case 'tooLarge':
      return [openSettingsStep('pageSize')];
    case 'cancelled':
      return [];
  }
}
