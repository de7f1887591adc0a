import { posix, win32 } from 'node:path';
import * as vscode from 'vscode';
import { attempt, Undecodable } from '../../../base/decode/decoder.ts';
import { oneLine } from '../../../base/outsideText.ts';
import { describeFormat, transcriptFormats, type TranscriptFormat } from '../../../jobs/common/transcriptFormats.ts';
import { askFolder } from '../../../platform/editor/askFolder.ts';
import { UserError } from '../../../platform/editor/messages.ts';
import { pickOne, pickSeveral, plainLabel, type Choice } from '../../../platform/editor/quickPick.ts';
import type { Services } from '../../../services.ts';
import {
  decodePlan,
  everyLanguage,
  lastPlanKey,
  originalLanguage,
  type DeliveryPlan,
  type DeliveryProposal,
} from '../common/delivery.ts';
import { expandHome } from '../node/realPaths.ts';
import { isBelow } from './deliveryFolder.ts';

const usualFolder = 'transcripts';

type PlanServices = Pick<Services, 'settings' | 'workspaceState'>;

/**
 * Returns the plan of the setting `deliver`; undefined if it is off.
 * @throws UserError if its folder cannot be used
 */
export function planOfSetting({ settings }: PlanServices): DeliveryPlan | undefined {
  const { l10n } = vscode;
  const { folder = '', ...files } = settings.get('deliver');
  if (folder.trim() === '') return undefined;
  const { formats = ['markdown', 'srt'], languages = [everyLanguage], name = '{title}' } = files;
  const plan = { formats, languages, name };
  const path = expandHome(folder);
  if (posix.isAbsolute(path) || win32.isAbsolute(path)) {
    // A workspace must not choose a place outside it.
    if (settings.getOfUser('deliver').folder !== folder)
      throw new UserError(
        l10n.t('Results are not saved in {0}: an absolute path is only used from user settings.', folder),
      );
    return { ...plan, folder: vscode.Uri.file(path).toString(), root: undefined };
  }
  if (vscode.workspace.workspaceFolders?.[0] === undefined)
    throw new UserError(l10n.t('Results are not saved in {0}, because no folder is open.', folder));
  const place = placeInWorkspace(path);
  if (place === undefined)
    throw new UserError(l10n.t('Results are not saved in {0}, because it is outside the workspace.', folder));
  return { ...plan, ...place };
}

/** Returns the folder of a relative path; undefined if it is not within the workspace. */
function placeInWorkspace(path: string): Place | undefined {
  const root = vscode.workspace.workspaceFolders?.[0]?.uri;
  if (root === undefined) return undefined;
  const folder = vscode.Uri.joinPath(root, ...path.split(/[/\\]/));
  return isBelow(folder, root) ? { folder: folder.toString(), root: root.toString() } : undefined;
}

/** Returns what to propose: the last answer, otherwise the setting, otherwise a folder of the workspace. */
function proposedPlan(services: PlanServices): DeliveryPlan {
  const last = attempt(decodePlan, services.workspaceState.get(lastPlanKey));
  if (!(last instanceof Undecodable)) return last;
  const root = vscode.workspace.workspaceFolders?.[0]?.uri;
  const folder = root === undefined ? '' : vscode.Uri.joinPath(root, usualFolder).toString();
  const usual = { formats: ['markdown', 'srt'], languages: [everyLanguage], name: '{title}' } as const;
  return usablePlanOfSetting(services) ?? { ...usual, folder, root: root?.toString() };
}

/** Problems are reported when files are to be saved. */
function usablePlanOfSetting(services: PlanServices): DeliveryPlan | undefined {
  try {
    return planOfSetting(services);
  } catch {
    return undefined;
  }
}

/** Describes a plan in one line, such as "Markdown, SubRip, with translations, in transcripts". */
function describePlan(plan: DeliveryPlan): string {
  const formats = plan.formats.map((format) => describeFormat(format).label).join(', ');
  const folder = folderName(plan.folder);
  return hasTranslations(plan)
    ? vscode.l10n.t('{0}, with translations, in {1}', formats, folder)
    : vscode.l10n.t('{0} in {1}', formats, folder);
}

function hasTranslations({ languages }: DeliveryPlan): boolean {
  return languages.some((language) => language !== originalLanguage);
}

/** Returns the path of a folder as users know it. @param folder URI */
export function folderName(folder: string): string {
  return vscode.workspace.asRelativePath(vscode.Uri.parse(folder), false);
}

type FilePick = TranscriptFormat | 'translations';

/** Workspace state key: true if the files of the last batch were wanted. */
const batchKey = 'savesResultsOfBatches';

/** Returns what to propose for a batch: the last answer, unless the setting decides. */
export function proposeForBatch(services: PlanServices): DeliveryProposal {
  if (!vscode.workspace.isTrusted) return { plan: undefined, text: undefined, canChange: false };
  const always = usablePlanOfSetting(services);
  if (always !== undefined) return { plan: always, text: describePlan(always), canChange: false };
  return services.workspaceState.get(batchKey) === true ? proposal(proposedPlan(services)) : nothingSaved;
}

/** Prompts for the files of a batch and remembers the answer; undefined if the user cancels. */
export async function chooseForBatch(services: PlanServices, what: string): Promise<DeliveryProposal | undefined> {
  const plan = await choosePlan(services, what);
  if (plan === undefined) return undefined;
  await services.workspaceState.update(batchKey, plan !== 'none');
  return plan === 'none' ? nothingSaved : proposal(plan);
}

const nothingSaved: DeliveryProposal = { plan: undefined, text: undefined, canChange: true };

function proposal(plan: DeliveryPlan): DeliveryProposal {
  return { plan, text: describePlan(plan), canChange: true };
}

/**
 * Prompts for formats and folder, with the last answer selected, and remembers the answer. Undefined if the user cancels,
 * `none` if no format is selected.
 */
export async function choosePlan(services: PlanServices, what: string): Promise<DeliveryPlan | 'none' | undefined> {
  const last = proposedPlan(services);
  const chosen = await pickFiles(last, what);
  if (chosen === undefined) return undefined;
  const formats = transcriptFormats.filter((format) => chosen.includes(format));
  if (formats.length === 0) return 'none';
  const place = await pickFolder(last, what);
  if (place === undefined) return undefined;
  const languages = [chosen.includes('translations') ? everyLanguage : originalLanguage];
  const plan: DeliveryPlan = { ...last, ...place, formats, languages };
  await services.workspaceState.update(lastPlanKey, plan);
  return plan;
}

async function pickFiles(last: DeliveryPlan, what: string): Promise<readonly FilePick[] | undefined> {
  const { l10n } = vscode;
  const formats = transcriptFormats.map((value): Choice<FilePick> => ({ ...describeFormat(value), value }));
  const translations: Choice<FilePick> = {
    label: l10n.t('Translations'),
    detail: l10n.t('The same formats for each translation'),
    value: 'translations',
  };
  const isSelected = ({ value }: Choice<FilePick>): boolean =>
    value === 'translations' ? hasTranslations(last) : value !== undefined && last.formats.includes(value);
  const answer = await pickSeveral<FilePick>({
    title: l10n.t('Save Results When Done: {0}', what),
    placeholder: l10n.t('Files of each job'),
    choices: [...formats, { label: l10n.t('Languages'), kind: vscode.QuickPickItemKind.Separator }, translations],
    selected: [...formats, translations].filter(isSelected),
    canGoBack: false,
  });
  return answer.type === 'picked' ? answer.value : undefined;
}

type Place = Pick<DeliveryPlan, 'folder' | 'root'>;

/** Returns the item for a typed path: a folder of the workspace, or the reason why it can't be one. */
function typedFolder(path: string): Choice<Place> {
  const { l10n } = vscode;
  const steps = path.split(/[/\\]/);
  const isPlain =
    oneLine(path) === path && !/^~|^[a-z]:/iu.test(path) && !['', '..'].some((step) => steps.includes(step));
  const value = isPlain ? placeInWorkspace(path) : undefined;
  return value === undefined
    ? { label: `$(error) ${l10n.t('Type a path below the workspace folder, such as out/french')}`, alwaysShow: true }
    : {
        label: `$(new-folder) ${plainLabel(folderName(value.folder))}`,
        description: l10n.t('In the workspace; created if it does not exist'),
        alwaysShow: true,
        value,
      };
}

async function pickFolder(last: DeliveryPlan, what: string): Promise<Place | undefined> {
  const { l10n } = vscode;
  if (last.folder !== '') {
    const answer = await pickOne<Place | 'other'>({
      title: l10n.t('Save Results When Done: {0}', what),
      placeholder: l10n.t('Select a folder, or type the name of one in the workspace'),
      choices: [
        {
          label: `$(folder) ${plainLabel(folderName(last.folder))}`,
          value: { folder: last.folder, root: last.root },
        },
        { label: `$(folder-opened) ${l10n.t('Other Folder…')}`, value: 'other' },
      ],
      typed: (text) => (text === '' || text === folderName(last.folder) ? [] : [typedFolder(text)]),
      canGoBack: false,
    });
    if (answer.type !== 'picked') return undefined;
    if (answer.value !== 'other') return answer.value;
  }
  const folder = await askFolder(l10n.t('Folder for the Results'), vscode.workspace.workspaceFolders?.[0]?.uri);
  return folder && { folder: folder.toString(), root: undefined };
}
