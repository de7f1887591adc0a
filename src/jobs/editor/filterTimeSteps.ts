import * as vscode from 'vscode';
import { bad, good, type CheckedText } from '../../base/checkedText.ts';
import { describeFilterTime } from '../common/describeFilter.ts';
import { dayOf } from '../../base/time.ts';
import {
  findDayProblem,
  describeSpan,
  presets,
  findRangeProblem,
  readTypedInstant,
  type TypedInstant,
} from '../common/filterTime.ts';
import { buildFilterParams, noFilter, type FilterTime } from '../common/jobFilter.ts';
import { capitalized, type Locale } from '../../base/format.ts';
import { pickOne, type Choice, type PickAnswer } from '../../platform/editor/quickPick.ts';
import { askText } from '../../platform/editor/inputBox.ts';

type Way = { readonly type: 'preset'; readonly time: FilterTime } | { readonly type: 'day' | 'range' };

/**
 * Prompts for the creation time of jobs. Each choice shows the time from which it counts.
 * @param title of every step, if the time is not a step of the filter to which the first step leads back
 */
export async function askTime(
  present: FilterTime,
  locale: Locale,
  nowMs: number,
  title?: string,
): Promise<PickAnswer<FilterTime>> {
  const { l10n } = vscode;
  const describe = (time: FilterTime): string =>
    describeSpan(buildFilterParams({ ...noFilter, time }, nowMs), nowMs, locale);
  const already = (type: 'day' | 'range'): string => (present.type === type ? describeFilterTime(present, locale) : '');
  const choices: readonly Choice<Way>[] = [
    ...distinctPresets(describe).map((time): Choice<Way> => ({
      label: capitalized(describeFilterTime(time, locale), locale),
      description: describe(time),
      value: { type: 'preset', time },
    })),
    { label: l10n.t('A day…'), description: already('day'), value: { type: 'day' } },
    { label: l10n.t('A range…'), description: already('range'), value: { type: 'range' } },
  ];
  for (;;) {
    const picked = await pickOne<Way>({
      title: title ?? l10n.t('Filter Jobs: Created'),
      placeholder: l10n.t('When the jobs were created'),
      choices,
      active: choices.find(({ value }) => value !== undefined && leadsTo(value, present)),
      canGoBack: title === undefined,
    });
    if (picked.type !== 'picked') return picked.type === 'closed' ? picked : { type: 'back' };
    if (picked.value.type === 'preset') return { type: 'picked', value: picked.value.time };
    const answer =
      picked.value.type === 'day' ? await askDay(present, nowMs, title) : await askRange(present, nowMs, title);
    if (answer.type !== 'back') return answer;
  }
}

/** Returns the preset times. If time zones agree, keeps only one of the two presets for "today". */
export function distinctPresets(describe: (time: FilterTime) => string): readonly FilterTime[] {
  const sent = presets.map(describe);
  return presets.filter((_, place) => sent.indexOf(sent[place] ?? '') === place);
}

async function askDay(present: FilterTime, nowMs: number, title?: string): Promise<PickAnswer<FilterTime>> {
  const { l10n } = vscode;
  const answer = await askText({
    title: title ?? l10n.t('Filter Jobs: Created on a Day'),
    prompt: l10n.t('A day such as {0}. The service decides which time zone applies.', isoDay(nowMs)),
    typed: present.type === 'day' ? present.day : '',
    canGoBack: true,
    check: (typed) => {
      const problem = findDayProblem(typed);
      return problem === undefined ? good(dayOf(typed) ?? '') : bad(problem);
    },
  });
  return answer.type === 'next' ? { type: 'picked', value: { type: 'day', day: answer.text } } : { type: answer.type };
}

function leadsTo(way: Way, present: FilterTime): boolean {
  return way.type === 'preset' ? JSON.stringify(way.time) === JSON.stringify(present) : way.type === present.type;
}

function isoDay(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 10);
}

/** Prompts for the time zone of the typed times, then for start and end. */
async function askRange(
  present: FilterTime,
  nowMs: number,
  title = vscode.l10n.t('Filter Jobs: Created in a Range'),
): Promise<PickAnswer<FilterTime>> {
  const { l10n } = vscode;
  const local = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  // There is no choice if both time zones are the same.
  if (/^(?:Etc\/)?UTC$/u.test(local)) return askEnds(present, { timeZone: local, name: local }, nowMs, title);
  const zones: readonly Choice<{ readonly timeZone: string; readonly name: string }>[] = [
    {
      label: l10n.t('Local time'),
      description: local,
      value: { timeZone: local, name: l10n.t('local time ({0})', local) },
    },
    { label: 'UTC', value: { timeZone: 'UTC', name: 'UTC' } },
  ];
  for (;;) {
    const zone = await pickOne({
      title,
      placeholder: l10n.t('Time zone of the times you enter'),
      choices: zones,
      canGoBack: true,
    });
    if (zone.type !== 'picked') return zone.type === 'closed' ? zone : { type: 'back' };
    const range = await askEnds(present, zone.value, nowMs, title);
    if (range.type !== 'back') return range;
  }
}

/** Prompts for start and end. Rejects nonexistent times and inverted ranges. */
async function askEnds(
  present: FilterTime,
  { timeZone, name }: { readonly timeZone: string; readonly name: string },
  nowMs: number,
  title: string,
): Promise<PickAnswer<FilterTime>> {
  const { l10n } = vscode;
  const given = present.type === 'range' ? present : { after: undefined, before: undefined };
  const read = (typed: string, bound: 'start' | 'end'): TypedInstant | undefined =>
    typed.trim() === '' ? undefined : readTypedInstant(typed, timeZone, bound, nowMs);
  let start = given.after ?? '';
  let end = given.before ?? '';
  for (;;) {
    const first = await askText({
      title,
      prompt: l10n.t(
        'Start, in {0}: a day, a time such as 2026-02-28 14:30, or 14:30 for today. Leave empty for none.',
        name,
      ),
      typed: start,
      canGoBack: true,
      check: (typed) => checked(read(typed, 'start'), undefined),
    });
    if (first.type !== 'next') return { type: first.type };
    start = first.text;
    const after = read(start, 'start');
    const second = await askText({
      title,
      prompt: l10n.t('End, in {0}: a day (inclusive) or a time. Leave empty for none.', name),
      typed: end,
      canGoBack: true,
      check: (typed) => {
        const before = read(typed, 'end');
        return checked(before, findRangeProblem(after, before));
      },
    });
    if (second.type === 'closed') return { type: 'closed' };
    if (second.type === 'next') {
      const value = { type: 'range', after: isoOf(after), before: isoOf(read(second.text, 'end')) } as const;
      return { type: 'picked', value };
    }
    end = second.typed;
  }
}

/** Returns the interpreted value, which is what is sent, for display in the input box while the user types. */
function checked(instant: TypedInstant | undefined, problem: string | undefined): CheckedText {
  if (instant?.type === 'refused') return bad(instant.why);
  if (problem !== undefined) return bad(problem);
  return good(isoOf(instant) ?? '');
}

function isoOf(instant: TypedInstant | undefined): string | undefined {
  return instant?.type === 'instant' ? instant.iso : undefined;
}
