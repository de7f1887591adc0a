import { gladia } from './gladia.ts';
import { sampleBaseUrl, type KnownService, type ServiceChoice } from './knownService.ts';

/** A known service, and whether a request is sent to it. */
export interface ServiceKnowledge {
  readonly service: KnownService;
  /** True if the service in use is known to be this one. Otherwise violations are only information. */
  readonly isApplied: boolean;
  /** True if the error code of a job is known to be an HTTP status. */
  readonly hasStatusCodes: boolean;
  /** True if translated subtitles are known to come with those in the original language. */
  readonly subtitlesOriginal: boolean;
}

/** Returns the error code of a job as an HTTP status; undefined if the service in use is not known to use HTTP statuses. */
export function statusOfErrorCode(
  code: number | undefined,
  knowledge: ServiceKnowledge | undefined,
): number | undefined {
  return knowledge?.hasStatusCodes === true ? code : undefined;
}

const knownServices: readonly KnownService[] = [gladia];

/**
 * Returns the known service to check a request against.
 * @param baseUrl of the connection; undefined if there is none
 * @returns undefined if these checks are off
 */
export function findServiceKnowledge(choice: ServiceChoice = 'auto', baseUrl?: string): ServiceKnowledge | undefined {
  if (choice === 'none') return undefined;
  const named = knownServices.find(({ id }) => id === choice);
  const byOrigin = knownServices.find(({ origins }) =>
    origins.some((origin) => baseUrl === origin || baseUrl?.startsWith(`${origin}/`)),
  );
  const applied = named ?? byOrigin;
  const isSample = baseUrl === sampleBaseUrl;
  return {
    service: applied ?? gladia,
    isApplied: applied !== undefined,
    hasStatusCodes: applied?.errorCodesAreStatuses ?? isSample,
    subtitlesOriginal: applied?.subtitlesOriginal ?? isSample,
  };
}
