import * as vscode from 'vscode';
import type { Finding, Severity } from '../../domain/request/finding.ts';
import { placeRange, type Place, type RequestFile } from '../../domain/request/requestFile.ts';
import { ruleCodes } from '../../domain/request/check.ts';
import { helpUri } from './requestHelp.ts';
import { toRange, type Positions } from './toRange.ts';

/** A finding as the editor shows it; its code leads to the explanation. */
export function toDiagnostic(
  document: Positions & { readonly uri: vscode.Uri },
  request: RequestFile,
  finding: Finding,
): vscode.Diagnostic {
  const rangeOf = (place: Place) => toRange(document, placeRange(request, place));
  const diagnostic = new vscode.Diagnostic(rangeOf(finding.place), finding.message, toSeverity(finding.severity));
  diagnostic.source = vscode.l10n.t('Transcription');
  diagnostic.code = ruleCodes.has(finding.code) ? { value: finding.code, target: helpUri(finding.code) } : finding.code;
  diagnostic.relatedInformation = (finding.related ?? []).map(
    ({ place, message }) =>
      new vscode.DiagnosticRelatedInformation(new vscode.Location(document.uri, rangeOf(place)), message),
  );
  return diagnostic;
}

function toSeverity(severity: Severity): vscode.DiagnosticSeverity {
  switch (severity) {
    case 'error':
      return vscode.DiagnosticSeverity.Error;
    case 'warning':
      return vscode.DiagnosticSeverity.Warning;
    case 'info':
      return vscode.DiagnosticSeverity.Information;
    case 'hint':
      return vscode.DiagnosticSeverity.Hint;
  }
}
