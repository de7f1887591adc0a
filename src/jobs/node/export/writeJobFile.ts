import { WorkSlices } from '../../../base/clock.ts';
import type { KeyMask } from '../../../platform/http/keyMask.ts';
import { frontMatterOf } from '../../common/frontMatter.ts';
import type { Job } from '../../common/job.ts';
import { formatJobLink, type LinkTarget } from '../../common/jobLink.ts';
import type { SpeakerNames } from '../../common/result/speakerNames.ts';
import { writeTranscriptFile, type SavableResult, type TranscriptFile } from '../../common/savedTranscript.ts';

/** A file with the transcript of a job. */
export interface JobFile {
  /** Its key is masked. */
  readonly job: Job;
  readonly result: SavableResult;
  readonly file: TranscriptFile;
  readonly title: string;
  readonly names: SpeakerNames;
  readonly link: LinkTarget | undefined;
}

/** Returns the content of a job's file; undefined if there is nothing to save. Markdown begins with front matter. Yields regularly. */
export async function writeJobFile(
  { job, result, file, title, names, link }: JobFile,
  keyMask: KeyMask,
): Promise<string | undefined> {
  const { version, format } = file;
  const languages = version?.transcript.languages ?? [];
  const spoken =
    languages.length > 0 || version === undefined || version.language === '' ? languages : [version.language];
  const written = link && formatJobLink(job, link.origin, link.scheme);
  const jobLink = written === undefined || keyMask.apply(written) !== written ? undefined : written;
  const frontMatter =
    format === 'markdown' ? frontMatterOf(job, title, { json: result.json, languages: spoken }, jobLink) : undefined;
  const options = { title, names, frontMatter: frontMatter && keyMask.apply(frontMatter), jobLink };
  return new WorkSlices().run(writeTranscriptFile(result, file, options));
}
