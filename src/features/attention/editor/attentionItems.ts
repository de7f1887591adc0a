import { posix } from 'node:path';
import * as vscode from 'vscode';
import type { Attention } from '../common/attention.ts';
import {
  failuresText,
  failuresTooltip,
  groupLabel,
  groupText,
  groupTooltip,
  overdueJobTooltip,
  overdueText,
  overdueTooltip,
  partlyFailedText,
  partlyFailedTooltip,
  totalText,
  totalTooltip,
  waitText,
} from '../common/attentionText.ts';
import { formatAge, formatNumber } from '../../../base/format.ts';
import type { Job } from '../../../jobs/common/job.ts';
import { buildJobRow, describeResubmitted, formatJobAge, shortenId } from '../../../jobs/common/jobRow.ts';
import { shortenLabel } from '../../tree/common/shortenLabel.ts';
import { isSingle, nodeId, partlyFailedGroup, type AttentionNode } from '../../tree/common/jobTree.ts';
import { distinguish } from '../../tree/common/distinguish.ts';
import { oneLine } from '../../../base/outsideText.ts';
import { failedAtMs } from '../common/failureGroups.ts';
import { listFailedAddOns } from '../../../jobs/common/failedAddOns.ts';
import { outcomeSentence } from '../../submit/common/submissionText.ts';
import type { Submission } from '../../../jobs/common/submission.ts';
import { commandIds, findSubmissionCommand } from '../../../platform/editor/ids.ts';
import { jobTooltip } from '../../../jobs/editor/jobTooltip.ts';
import {
  jobContext,
  listWaysToRunAgain,
  partlyFailedIcon,
  statusIcon,
  type ItemFacts,
} from '../../../jobs/editor/jobItem.ts';

const warning = new vscode.ThemeColor('list.warningForeground');
const { Collapsed, Expanded, None } = vscode.TreeItemCollapsibleState;

/** Context value of nodes that support Mark as Handled and Copy Report for Support. */
const unhandled = 'unhandled';

/** Context value of nodes that support only Mark as Handled: a report for support would call them failures. */
const partlyFailed = 'partlyFailed';

/**
 * Returns the tree item of a node of Needs attention.
 * @param isOpen true or false if the user has opened or closed the node; undefined otherwise
 */
export function attentionItem(
  node: AttentionNode,
  attention: Attention,
  facts: ItemFacts,
  isOpen?: boolean,
): vscode.TreeItem {
  const item = withoutId(node, attention, facts);
  item.id = nodeId(facts.connection, node);
  if (isOpen !== undefined && item.collapsibleState !== None) item.collapsibleState = isOpen ? Expanded : Collapsed;
  // Without it, screen readers read the tooltip instead of the label.
  item.accessibilityInformation ??= {
    label: [item.label, item.description]
      .flatMap((part) => (typeof part === 'string' && part !== '' ? [part] : []))
      .join(', '),
  };
  return item;
}

function withoutId(node: AttentionNode, attention: Attention, facts: ItemFacts): vscode.TreeItem {
  const { l10n } = vscode;
  const { locale } = facts;
  switch (node.type) {
    case 'attention': {
      const item = branch(l10n.t('Needs attention'), Expanded, 'bell-dot', warning);
      item.description = totalText(attention, facts);
      item.tooltip = totalTooltip(attention, facts);
      item.contextValue = 'attention';
      return item;
    }
    case 'overdue': {
      const isListed = attention.overdue.length > 0;
      const item = branch(l10n.t('Overdue'), isListed ? Collapsed : None, 'watch');
      item.description = overdueText(attention, locale);
      item.tooltip = overdueTooltip(attention, locale);
      return item;
    }
    case 'failures': {
      const state = attention.mayHaveUnread ? None : Collapsed;
      const item = branch(l10n.t('New failures'), state, 'error', new vscode.ThemeColor('charts.red'));
      item.description = failuresText(attention, locale);
      item.tooltip = failuresTooltip(attention, facts);
      item.contextValue = `failures ${unhandled}${attention.canUndo ? ' undoable' : ''}`;
      return item;
    }
    case 'failureGroup': {
      const group = attention.groups.find(({ id }) => id === node.group);
      if (group === undefined) return new vscode.TreeItem(l10n.t('New failures'));
      const label = groupLabel(group, facts);
      const description = groupText(group, attention, facts);
      const item = branch(shortenLabel(label, description), Collapsed, 'layers');
      item.description = description;
      item.accessibilityInformation = { label: `${label}, ${description}` };
      item.tooltip = groupTooltip(group, attention, facts);
      const isResubmittable = group.jobs.some((job) => listWaysToRunAgain(job, facts).resubmit);
      item.contextValue = `failureGroup ${unhandled}${isResubmittable ? ' resubmittable' : ''}`;
      item.command = { command: commandIds.openBoardOfRow, title: l10n.t('Open Board'), arguments: [node, true] };
      return item;
    }
    case 'partlyFailed': {
      const item = branch(l10n.t('Failed in part'), Collapsed, 'warning', warning);
      item.description = partlyFailedText(attention, locale);
      item.tooltip = partlyFailedTooltip(attention, facts);
      item.contextValue = partlyFailed;
      return item;
    }
    case 'unknownOutcomes': {
      const item = branch(l10n.t('Outcome unknown'), Expanded, 'question', warning);
      item.description = formatNumber(attention.unknown.length, locale);
      item.tooltip = l10n.t('Jobs may exist for these submissions. Check before you submit again.');
      return item;
    }
    case 'attentionJob': {
      const job = attentionJobOf(node, attention);
      return job === undefined ? new vscode.TreeItem(oneLine(node.id)) : jobItem(node, job, attention, facts);
    }
    case 'submission': {
      const submission = attention.unknown.find(({ key }) => key === node.submission);
      return submission === undefined
        ? new vscode.TreeItem(l10n.t('Outcome unknown'))
        : submissionItem(submission, facts);
    }
  }
}

function branch(
  label: string,
  state: vscode.TreeItemCollapsibleState,
  icon: string,
  color?: vscode.ThemeColor,
): vscode.TreeItem {
  const item = new vscode.TreeItem(label, state);
  item.iconPath = new vscode.ThemeIcon(icon, color);
  return item;
}

function jobItem(
  node: AttentionNode & { readonly type: 'attentionJob' },
  job: Job,
  attention: Attention,
  facts: ItemFacts,
): vscode.TreeItem {
  const isOverdue = node.group === undefined;
  const isInPart = node.group === partlyFailedGroup;
  const group = attention.groups.find(({ id }) => id === node.group);
  // Without the row of its group, it shows the code.
  const isAlone = group !== undefined && isSingle(group);
  // The accessible text matches the visible one: the age of a failure counts from the failure.
  const rowFacts = { ...facts, ...(!isOverdue && !isInPart && { shownMs: failedAtMs(job) }) };
  const row = buildJobRow(job, rowFacts);
  const why = isOverdue
    ? waitText(job, attention.atMs, facts.locale)
    : isInPart
      ? listFailedAddOns(job)[0]
      : isAlone
        ? row.description
        : [describeResubmitted(job, facts), formatJobAge(job, rowFacts)]
            .filter((part) => part !== undefined)
            .join(' · ');
  const apart = apartIn(siblingsOf(node, attention), facts).get(job);
  // The row of the group above has the same label.
  const isRepeated = group !== undefined && apart !== undefined && row.label === groupLabel(group, facts);
  const label = isRepeated ? apart : row.label;
  // The end of a row is cut off first, and what sets jobs apart may be long.
  const description = [why ?? row.description, ...(apart === undefined || isRepeated ? [] : [apart])].join(' · ');
  const item = new vscode.TreeItem(shortenLabel(label, description));
  item.description = description;
  item.iconPath = row.isPartlyFailed ? partlyFailedIcon : statusIcon(job.status);
  const context = jobContext(job, facts);
  item.contextValue = isOverdue ? context : `${context} ${isInPart ? partlyFailed : unhandled}`;
  item.accessibilityInformation = {
    // It already begins with the short ID.
    label: [
      row.accessibilityLabel,
      apart === shortenId(job.id) ? undefined : apart,
      ...(isOverdue || isInPart ? [why] : []),
    ]
      .filter((part) => part !== undefined)
      .join(', '),
  };
  item.command = { command: commandIds.openJob, title: vscode.l10n.t('Open Job'), arguments: [node] };
  return item;
}

/** Returns the jobs shown next to a job. */
function siblingsOf(
  { group }: AttentionNode & { readonly type: 'attentionJob' },
  { overdue, groups, partlyFailed }: Attention,
): readonly Job[] {
  if (group === undefined) return overdue;
  return group === partlyFailedGroup ? partlyFailed : (groups.find(({ id }) => id === group)?.jobs ?? []);
}

const known = new WeakMap<readonly Job[], { readonly facts: ItemFacts; readonly apart: ReadonlyMap<Job, string> }>();

/** Returns the texts that distinguish jobs, cached for each list of jobs and the facts. */
function apartIn(jobs: readonly Job[], facts: ItemFacts): ReadonlyMap<Job, string> {
  const before = known.get(jobs);
  if (before?.facts.labelKeys === facts.labelKeys && before.facts.submittedAs === facts.submittedAs)
    return before.apart;
  const apart = distinguish(jobs, facts);
  known.set(jobs, { facts, apart });
  return apart;
}

function submissionItem(submission: Submission, { nowMs, locale }: ItemFacts): vscode.TreeItem {
  const { l10n } = vscode;
  const name = oneLine(posix.basename(vscode.Uri.parse(submission.file).path));
  const item = new vscode.TreeItem(name);
  item.description = [formatAge(submission.sentAtMs, nowMs, locale), l10n.t('Find Job')].join(' · ');
  item.tooltip = [name, outcomeSentence(submission.outcome)].join('\n');
  item.iconPath = new vscode.ThemeIcon('question');
  item.command = { command: findSubmissionCommand, title: l10n.t('Find Job'), arguments: [submission.key] };
  return item;
}

/** Returns the job of a node, as last read. */
export function attentionJobOf(
  { kind, id }: { readonly kind: string; readonly id: string },
  { overdue, groups, partlyFailed }: Attention,
): Job | undefined {
  const isIt = (job: Job): boolean => job.id === id && job.kind === kind;
  return overdue.find(isIt) ?? groups.flatMap(({ jobs }) => jobs).find(isIt) ?? partlyFailed.find(isIt);
}

/** Returns the plain-text tooltip of a job. For an overdue job, it includes the sample behind the limit. */
export function attentionJobTooltip(
  node: AttentionNode & { readonly type: 'attentionJob' },
  attention: Attention,
  facts: ItemFacts,
): string | undefined {
  const job = attentionJobOf(node, attention);
  if (job === undefined) return undefined;
  const why = node.group === undefined ? overdueJobTooltip(job, attention, facts.locale) : undefined;
  return [jobTooltip(job, facts), ...(why === undefined ? [] : [why])].join('\n');
}
