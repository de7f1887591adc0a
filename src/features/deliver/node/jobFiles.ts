import { WorkSlices } from '../../../base/clock.ts';
import { hasResult, withWholeText, type Job } from '../../../jobs/common/job.ts';
import { chooseTranscriptFiles, readSavableResult } from '../../../jobs/common/savedTranscript.ts';
import { nameTranscriptFile } from '../../../jobs/common/transcriptName.ts';
import { maskEntry } from '../../../jobs/node/export/maskEntry.ts';
import { writeJobFile } from '../../../jobs/node/export/writeJobFile.ts';
import type { LinkTarget } from '../../../jobs/common/jobLink.ts';
import type { SpeakerNames } from '../../../jobs/common/result/speakerNames.ts';
import type { KeyMask } from '../../../platform/http/keyMask.ts';
import { everyLanguage, originalLanguage, type DeliveryPlan } from '../common/delivery.ts';
import type { DeliveryContent, DeliveryFile } from './deliverer.ts';

/** What files contain besides the job. */
export interface FileFacts {
  readonly titleOf: (job: Job) => string;
  readonly keyMask: KeyMask;
  readonly names: SpeakerNames;
  readonly link: LinkTarget;
}

/** Returns the files of a job as listed, the same as Save Transcript As writes. Undefined if it has no result. */
export async function makeJobFiles(
  job: Job,
  plan: DeliveryPlan,
  { titleOf, keyMask, names, link }: FileFacts,
): Promise<DeliveryContent> {
  const masked = await maskEntry(job, keyMask);
  const whole = withWholeText(masked);
  const slices = new WorkSlices();
  const result = hasResult(whole) ? await slices.run(readSavableResult(whole)) : undefined;
  if (result === undefined) return undefined;
  const languages = plan.languages.includes(everyLanguage) ? 'all' : plan.languages;
  const chosen = chooseTranscriptFiles(result, { formats: plan.formats, languages });
  const title = keyMask.apply(titleOf(job));
  const files: DeliveryFile[] = [];
  const remarks = [...chosen.missing];
  for (const file of chosen.files) {
    await slices.rest();
    const text = await writeJobFile({ job: masked, result, file, title, names, link }, keyMask);
    if (text === undefined) continue;
    remarks.push(...file.notes);
    files.push({
      format: file.format,
      language: file.version?.id ?? originalLanguage,
      bytes: new TextEncoder().encode(text),
      nameOf: nameTranscriptFile(file, { job, title, pattern: plan.name, mask: (part) => keyMask.apply(part) }),
    });
  }
  return { files, remarks };
}
