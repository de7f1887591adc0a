import { t } from '@vscode/l10n';
import { WorkSlices } from '../../../base/clock.ts';
import { hasResult, withWholeText, type Job } from '../../../jobs/common/job.ts';
import {
  nameTranscriptFile,
  readSavableResult,
  transcriptFormats,
  writeTranscriptFile,
} from '../../../jobs/common/savedTranscript.ts';
import { maskEntry } from '../../../jobs/node/export/maskEntry.ts';
import type { KeyMask } from '../../../platform/http/keyMask.ts';
import { originalLanguage, type DeliveryPlan } from '../common/delivery.ts';
import { describeFormat } from '../common/deliveryText.ts';
import type { DeliveryContent, DeliveryFile } from './deliverer.ts';

/** What files contain besides the job. */
export interface FileFacts {
  readonly titleOf: (job: Job) => string;
  readonly keyMask: KeyMask;
}

/** Returns the files of a job as listed, the same as Save Transcript As writes. Undefined if it has no result. */
export async function makeJobFiles(
  job: Job,
  plan: DeliveryPlan,
  { titleOf, keyMask }: FileFacts,
): Promise<DeliveryContent> {
  const whole = await maskEntry(withWholeText(job), keyMask);
  const slices = new WorkSlices();
  const result = hasResult(whole) ? await slices.run(readSavableResult(whole)) : undefined;
  if (result === undefined) return undefined;
  const title = keyMask.apply(titleOf(job));
  const files: DeliveryFile[] = [];
  const remarks: string[] = [];
  for (const format of transcriptFormats.filter((each) => plan.formats.includes(each))) {
    const text = await slices.run(writeTranscriptFile(result, format, title));
    const language = originalLanguage;
    if (text === undefined) remarks.push(t('There is no {0}.', describeFormat(format)));
    else
      files.push({
        format,
        language,
        text,
        nameFor: (isTaken) => nameTranscriptFile(title, keyMask.apply(job.id), format, isTaken),
      });
  }
  return { files, remarks };
}
