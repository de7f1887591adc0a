import { gladia } from './gladia.ts';
import type { KnownService, ServiceChoice } from './knownService.ts';

/** A known service and whether a request is meant for it. */
export interface ServiceKnowledge {
  readonly service: KnownService;
  /** If false, violations are only information: the service in use may differ. */
  readonly isApplied: boolean;
}

/** The error code of a job as an HTTP status; undefined where nothing says that the service in use means one. */
export function statusOfErrorCode(
  code: number | undefined,
  knowledge: ServiceKnowledge | undefined,
): number | undefined {
  return knowledge?.isApplied === true && knowledge.service.errorCodesAreStatuses ? code : undefined;
}

const knownServices: readonly KnownService[] = [gladia];

/**
 * The known service to check a request against.
 * @param baseUrl of the connection; undefined when there is none
 * @returns undefined when these checks are off
 */
export function findServiceKnowledge(choice: ServiceChoice = 'auto', baseUrl?: string): ServiceKnowledge | undefined {
  if (choice === 'none') return undefined;
  const named = knownServices.find(({ id }) => id === choice);
  if (named) return { service: named, isApplied: true };
  const byOrigin = knownServices.find(({ origins }) =>
    origins.some((origin) => baseUrl === origin || baseUrl?.startsWith(`${origin}/`)),
  );
  return { service: byOrigin ?? gladia, isApplied: byOrigin !== undefined };
}
