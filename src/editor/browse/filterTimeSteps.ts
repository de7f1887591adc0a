import * as vscode from 'vscode';
import { bad, good } from '../../domain/connection/connectionInput.ts';
import { filterTimeText } from '../../domain/filter/filterText.ts';
import { dayOf, dayProblem, presets, sentDates } from '../../domain/filter/filterTime.ts';
import { filterParams, noFilter, type FilterTime } from '../../domain/filter/jobFilter.ts';
import type { Locale } from '../../domain/format.ts';
import { pickOne, type Choice, type PickAnswer } from '../pickStep.ts';
import { askRange } from './filterRangeSteps.ts';
import { askText } from './textStep.ts';

type Way = { readonly type: 'preset'; readonly time: FilterTime } | { readonly type: 'day' | 'range' };

/** Asks when jobs must have been created. What a choice sends stands beside it. */
export async function askTime(present: FilterTime, locale: Locale, nowMs: number): Promise<PickAnswer<FilterTime>> {
  const { l10n } = vscode;
  const describe = (time: FilterTime): string => sentDates(filterParams({ ...noFilter, time }, nowMs));
  const already = (type: 'day' | 'range'): string =>
    present.type === type ? `${filterTimeText(present, locale)} · ${describe(present)}` : '';
  const choices: readonly Choice<Way>[] = [
    ...presets.map((time): Choice<Way> => ({
      label: capitalized(filterTimeText(time, locale), locale),
      description: describe(time),
      value: { type: 'preset', time },
    })),
    { label: l10n.t('A day…'), description: already('day'), value: { type: 'day' } },
    { label: l10n.t('A range…'), description: already('range'), value: { type: 'range' } },
  ];
  for (;;) {
    const picked = await pickOne<Way>({
      title: l10n.t('Filter Jobs: Created'),
      placeholder: l10n.t('When jobs were created; beside it what is sent'),
      choices,
      active: choices.find(({ value }) => value !== undefined && leadsTo(value, present)),
      canGoBack: true,
    });
    if (picked.type !== 'picked') return picked.type === 'closed' ? picked : { type: 'back' };
    if (picked.value.type === 'preset') return { type: 'picked', value: picked.value.time };
    const asked = picked.value.type === 'day' ? await askDay(present, nowMs) : await askRange(present);
    if (asked.type !== 'back') return asked;
  }
}

async function askDay(present: FilterTime, nowMs: number): Promise<PickAnswer<FilterTime>> {
  const { l10n } = vscode;
  const answer = await askText({
    title: l10n.t('Filter Jobs: Created on a Day'),
    prompt: l10n.t('A day like {0}. The service decides in which time zone it is.', isoDay(nowMs)),
    typed: present.type === 'day' ? present.day : '',
    check: (typed) => {
      const problem = dayProblem(typed);
      return problem === undefined ? good(dayOf(typed) ?? '') : bad(problem);
    },
  });
  return answer.type === 'next' ? { type: 'picked', value: { type: 'day', day: answer.text } } : { type: answer.type };
}

function leadsTo(way: Way, present: FilterTime): boolean {
  return way.type === 'preset' ? JSON.stringify(way.time) === JSON.stringify(present) : way.type === present.type;
}

function capitalized(text: string, { language }: Locale): string {
  return text.charAt(0).toLocaleUpperCase(language) + text.slice(1);
}

function isoDay(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 10);
}
