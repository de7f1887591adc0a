import * as vscode from 'vscode';
import { formatMetadataValue } from '../../../jobs/common/describeFilter.ts';
import { readTypedValues } from '../../../jobs/common/findJobs.ts';
import type { KeySuggestion } from '../../../language/requestLanguage.ts';
import { isPlainValue, type JsonValue } from '../../../base/json/json.ts';
import { pickOne, plainLabel, type Choice, type PickAnswer } from '../../../platform/editor/quickPick.ts';

/** A condition on metadata. */
export interface MetadataCondition {
  readonly key: string;
  readonly value: JsonValue;
}

/**
 * Prompts for a metadata key and its value. Suggestions come from loaded jobs; the user can type any other text.
 * @param present key whose value is edited; undefined to prompt for the key too.
 * @param problem returns the reason why a condition cannot be sent to the service; undefined if it can.
 */
export async function askPair(
  suggestions: readonly KeySuggestion[],
  present: string | undefined,
  problem: (pair: MetadataCondition) => string | undefined,
): Promise<PickAnswer<MetadataCondition>> {
  // A key that cannot be sent with an empty value cannot be sent with any value.
  const keyProblem = (key: string): string | undefined => problem({ key, value: '' });
  for (;;) {
    const key =
      present === undefined ? await askKey(suggestions, keyProblem) : ({ type: 'picked', value: present } as const);
    if (key.type !== 'picked') return key.type === 'closed' ? key : { type: 'back' };
    const values = suggestions.find((each) => each.key === key.value)?.values ?? [];
    const value = await askValue(key.value, values, (each) => problem({ key: key.value, value: each }));
    if (value.type === 'picked') return { type: 'picked', value: { key: key.value, value: value.value } };
    if (value.type === 'closed') return value;
    if (present !== undefined) return { type: 'back' };
  }
}

async function askKey(
  suggestions: readonly KeySuggestion[],
  problem: (key: string) => string | undefined,
): Promise<PickAnswer<string>> {
  const { l10n } = vscode;
  const known = new Set(suggestions.map(({ key }) => key));
  return pickOne<string>({
    title: l10n.t('Filter Jobs: Metadata'),
    placeholder:
      suggestions.length === 0
        ? l10n.t('No loaded job has metadata: type a key')
        : l10n.t('Key: select one from loaded jobs, or type another'),
    choices: suggestions.map(({ key, jobs }) => ({
      label: plainLabel(formatMetadataValue(key)),
      description: jobsText(jobs),
      value: key,
    })),
    canGoBack: true,
    typed: (text) => (text === '' || known.has(text) ? [] : [typedChoice(text, l10n.t('this key'))]),
    problem,
  });
}

async function askValue(
  key: string,
  values: KeySuggestion['values'],
  problem: (value: JsonValue) => string | undefined,
): Promise<PickAnswer<JsonValue>> {
  const { l10n } = vscode;
  const known = new Set(values.map(({ value }) => JSON.stringify(value)));
  return pickOne<JsonValue>({
    title: l10n.t('Filter Jobs: Metadata "{0}"', formatMetadataValue(key)),
    placeholder: l10n.t('Value (exact match): select one from loaded jobs, or type another'),
    choices: values.map(({ value, jobs }) => ({
      label: plainLabel(formatMetadataValue(value)),
      description: [typeText(value), jobsText(jobs)].filter(Boolean).join(' · '),
      value,
    })),
    canGoBack: true,
    typed: (text) =>
      readTypedValues(text)
        .filter((value) => !known.has(JSON.stringify(value)))
        .map((value) => typedChoice(value, typeText(value) || l10n.t('as text'))),
    problem,
  });
}

/** Returns the item for the typed text. Text is quoted: the editor sorts by label, and items that begin with the text should come first. */
function typedChoice<T extends JsonValue>(value: T, description: string): Choice<T> {
  const label = plainLabel(formatMetadataValue(value));
  const shown = typeof value === 'string' && !label.startsWith('"') ? `"${label}"` : label;
  return { label: `$(edit) ${shown}`, description, alwaysShow: true, value };
}

/** Returns the type name of a value; empty for a string. */
function typeText(value: JsonValue): string {
  if (!isPlainValue(value)) return vscode.l10n.t('as JSON');
  if (typeof value === 'number' || JSON.isRawJSON(value)) return vscode.l10n.t('number');
  return typeof value === 'boolean' ? vscode.l10n.t('true or false') : '';
}

function jobsText(jobs: number): string {
  return jobs === 1 ? vscode.l10n.t('1 loaded job') : vscode.l10n.t('{0} loaded jobs', jobs);
}
