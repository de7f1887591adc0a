import { t } from '@vscode/l10n';
import { isJsonObject, type JsonObject } from '../base/json/json.ts';
import { terminalJson } from '../base/outsideText.ts';
import { makeChangeEdits } from './edits.ts';
import { describeEffect, type EffectPart } from './effect.ts';
import type { Finding } from './request/finding.ts';
import { stripExtras } from './json/jsonTree.ts';
import { LineIndex, type LinePosition } from './json/lineIndex.ts';
import type { TextEdit, TextRange } from './json/textEdit.ts';
import type { ServiceKnowledge } from '../known/serviceKnowledge.ts';
import { placeRange, type Place, type RequestFile } from './request/requestFile.ts';

/** A request with its findings. */
export interface InspectedRequest {
  /** Display path, with forward slashes. */
  readonly name: string;
  readonly request: RequestFile;
  readonly findings: readonly Finding[];
  readonly knowledge: ServiceKnowledge | undefined;
}

/**
 * Formats a JSON report about requests for programs: findings with lines and columns from 1, the edits of their fixes, and the effect.
 * Its structure changes only together with `version`.
 */
export function formatJsonReport(files: readonly InspectedRequest[]): string {
  return `${terminalJson(JSON.stringify({ version: 1, files: files.map(reportRequest) }, undefined, 2))}\n`;
}

function reportRequest({ name, request, findings, knowledge }: InspectedRequest): JsonObject {
  const lines = new LineIndex(request.text);
  const span = ({ offset, length }: TextRange) => ({
    begin: writePosition(lines.positionAt(offset)),
    end: writePosition(lines.positionAt(offset + length)),
  });
  const place = (where: Place) => span(placeRange(request, where));
  const edit = (each: TextEdit) => ({ ...span(each), text: each.text });
  return {
    name,
    effect: effectOf(request, knowledge).map(({ topic, text }) => ({ topic, text })),
    findings: findings.map((finding) => ({
      code: finding.code,
      severity: finding.severity,
      message: finding.message,
      ...place(finding.place),
      related: (finding.related ?? []).map((each) => ({ ...place(each.place), message: each.message })),
      // Places are unreliable while the text has syntax errors.
      fixes: (request.problems.length > 0 ? [] : (finding.fixes ?? [])).map(({ title, safe, changes }) => ({
        title,
        safe,
        edits: makeChangeEdits(request, changes).map(edit),
      })),
    })),
  };
}

function writePosition({ line, column }: LinePosition): { readonly line: number; readonly column: number } {
  return { line, column };
}

/**
 * Describes the effect of a request file in plain words; empty if the text is not a JSON object. While there are syntax errors, it
 * describes the recovered part and begins with a note about that.
 */
export function effectOf(request: RequestFile, knowledge?: ServiceKnowledge): readonly EffectPart[] {
  const { body, value, text, extras, problems } = request;
  if (!isJsonObject(value)) return [];
  return problems.length > 0
    ? [{ topic: 'syntax', text: t('Syntax errors: this may not be all') }, ...describeEffect(body, knowledge)]
    : describeEffect(body, knowledge, stripExtras(text, extras));
}
