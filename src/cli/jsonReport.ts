import { terminalJson } from '../base/outsideText.ts';
import type { JsonObject } from '../base/json/json.ts';
import { makeChangeEdits } from '../language/edits.ts';
import { LineIndex } from '../language/json/lineIndex.ts';
import type { TextEdit, TextRange } from '../language/json/textEdit.ts';
import { placeRange, type Place } from '../language/request/requestFile.ts';
import type { RequestLanguage } from '../language/requestLanguage.ts';
import type { ReportedRequest, Reporter } from './reporter.ts';

/**
 * Creates the reporter of the format `json`, for programs: findings with lines and columns from 1, the edits of their fixes, and the
 * effect. Within a `version`, members are only added.
 */
export function createJsonReporter(effect: RequestLanguage['effect']): Reporter {
  const files: JsonObject[] = [];
  return {
    add: (file) => {
      files.push(reportFile(file, effect));
      return '';
    },
    end: ({ exitCode, failures, notes, settings, omissions }) => {
      const report = {
        version: 1,
        complete: failures.length === 0,
        exitCode,
        failures,
        notes,
        omissions,
        settings: settings.map(({ name, levels }) => ({ name, levels: Object.fromEntries(levels) })),
        files,
      };
      return `${terminalJson(JSON.stringify(report, undefined, 2))}\n`;
    },
  };
}

function reportFile({ name, request, findings }: ReportedRequest, effect: RequestLanguage['effect']): JsonObject {
  const lines = new LineIndex(request.text);
  const position = (offset: number): JsonObject => {
    const { line, column } = lines.positionAt(offset);
    return { line, column };
  };
  const span = ({ offset, length }: TextRange) => ({ begin: position(offset), end: position(offset + length) });
  const place = (where: Place) => span(placeRange(request, where));
  const edit = (each: TextEdit) => ({ ...span(each), text: each.text });
  return {
    name,
    effect: effect(request).map(({ topic, text }) => ({ topic, text })),
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
