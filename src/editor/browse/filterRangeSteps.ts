import * as vscode from 'vscode';
import { bad, good, type CheckedText } from '../../domain/connection/connectionInput.ts';
import { rangeProblem, typedInstant, type TypedInstant } from '../../domain/filter/filterTime.ts';
import type { FilterTime } from '../../domain/filter/jobFilter.ts';
import { pickOne, type Choice, type PickAnswer } from '../pickStep.ts';
import { askText } from './textStep.ts';

/** Asks for the zone of the times that are going to be typed, then for the start and the end. */
export async function askRange(present: FilterTime): Promise<PickAnswer<FilterTime>> {
  const { l10n } = vscode;
  const local = new Intl.DateTimeFormat().resolvedOptions().timeZone;
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
      title: l10n.t('Filter Jobs: Created in a Range'),
      placeholder: l10n.t('The zone of the times that you are going to type'),
      choices: zones,
      canGoBack: true,
    });
    if (zone.type !== 'picked') return zone.type === 'closed' ? zone : { type: 'back' };
    const range = await askEnds(present, zone.value);
    if (range.type !== 'back') return range;
  }
}

/** Asks for the start and the end. Nothing that does not exist, and no inverted range, gets past. */
async function askEnds(
  present: FilterTime,
  { timeZone, name }: { readonly timeZone: string; readonly name: string },
): Promise<PickAnswer<FilterTime>> {
  const { l10n } = vscode;
  const given = present.type === 'range' ? present : { after: undefined, before: undefined };
  const title = l10n.t('Filter Jobs: Created in a Range');
  const read = (typed: string, bound: 'start' | 'end'): TypedInstant | undefined =>
    typed.trim() === '' ? undefined : typedInstant(typed, timeZone, bound);
  let start = given.after ?? '';
  let end = given.before ?? '';
  for (;;) {
    const first = await askText({
      title,
      prompt: l10n.t('Start, in {0}: a day or a time like 2026-02-28 14:30. Leave empty for none.', name),
      typed: start,
      check: (typed) => checked(read(typed, 'start'), undefined),
    });
    if (first.type !== 'next') return { type: first.type };
    start = first.text;
    const after = read(start, 'start');
    const second = await askText({
      title,
      prompt: l10n.t('End, in {0}: a day, which is included, or a time. Leave empty for none.', name),
      typed: end,
      check: (typed) => {
        const before = read(typed, 'end');
        return checked(before, rangeProblem(after, before));
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

/** What is sent is what the text is taken as: the box shows it while one types. */
function checked(instant: TypedInstant | undefined, problem: string | undefined): CheckedText {
  if (instant?.type === 'refused') return bad(instant.why);
  if (problem !== undefined) return bad(problem);
  return good(isoOf(instant) ?? '');
}

function isoOf(instant: TypedInstant | undefined): string | undefined {
  return instant?.type === 'instant' ? instant.iso : undefined;
}
