import { t } from '@vscode/l10n';
import { formatDistance, formatNumber } from '../../../base/format.ts';
import { type Job, jobKey } from '../../../jobs/common/job.ts';
import { partlyFailedGroup } from '../../tree/common/jobTree.ts';
import { groupName, muteText, type AttentionFacts } from './attentionText.ts';
import { groupFailures, parseGroupId } from './failureGroups.ts';
import { muteEnd, type HandledMarks, type Mute } from './handledMarks.ts';

const maxChoices = 20;
/** Maximum number of groups that one choice names. */
const maxNames = 3;

/** An action that can be undone, as users choose it: the groups that it handled or hid, and when. */
interface UndoChoice {
  readonly act: string;
  readonly label: string;
  readonly description: string;
}

/**
 * Returns the latest actions that can be undone, newest first, without mutes that are over.
 * @param failed failures that can be read. @param atMs by the service's clock
 */
export function undoChoices(
  { acts }: Pick<HandledMarks, 'acts'>,
  failed: readonly Job[],
  atMs: number,
  facts: AttentionFacts & { readonly nowMs: number },
): readonly UndoChoice[] {
  const { locale, nowMs } = facts;
  const kept = acts.flatMap(({ mutes }) => mutes.flatMap(({ group }) => parseGroupId(group) ?? []));
  const groups = groupFailures(failed, undefined, kept);
  const isOver = (mute: Mute): boolean => {
    const timesMs = groups.find(({ id }) => id === mute.group)?.knownMs ?? [];
    return muteEnd(mute, { timesMs, isWhole: false }) <= atMs;
  };
  const nameOf = ({ group: id }: Mute): string => {
    if (id === partlyFailedGroup) return t('Failed in part');
    const group = groups.find((each) => each.id === id) ?? { code: undefined, pair: undefined, without: [] };
    return groupName({ ...group, ...parseGroupId(id) }, facts);
  };
  const join = (names: readonly string[]): string => {
    const named = names.slice(0, maxNames).join(' · ');
    const further = names.length - maxNames;
    return further > 0 ? t('{0} and {1} more', named, formatNumber(further, locale)) : named;
  };
  const choices = acts.toReversed().flatMap(({ act, atMs: actedMs, jobs, mutes }): UndoChoice[] => {
    const when = formatDistance(actedMs, nowMs, locale);
    const [mute] = mutes;
    if (mute !== undefined) {
      const label = muteText(join(mutes.map(nameOf)), mute.untilMs, atMs, facts);
      return mutes.every(isOver) ? [] : [{ act, label, description: when }];
    }
    const keys = new Set(jobs);
    const names = groups.flatMap((group) =>
      group.jobs.some((job) => keys.has(jobKey(job))) ? groupName(group, facts) : [],
    );
    const count = jobs.length === 1 ? t('1 job') : t('{0} jobs', formatNumber(jobs.length, locale));
    return [
      {
        act,
        label: t('Handled: {0}', names.length === 0 ? count : join(names)),
        description: names.length === 0 ? when : `${count} · ${when}`,
      },
    ];
  });
  return choices.slice(0, maxChoices);
}
