import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '../../../src/base/json/json.ts';
import type { SampleService } from '../../../src/sample/sampleService.ts';
import { repositoryRoot } from '../editor/repositoryRoot.ts';

export type JobFixture = 'preRecordedDone' | 'preRecordedFailed' | 'preRecordedProcessing' | 'liveDone' | 'nearlyEmpty';

/** Returns the text of an item in `test/fixtures/jobs`. */
export function fixtureText(name: JobFixture): string {
  return readFileSync(join(repositoryRoot, `test/fixtures/jobs/${name}.json`), 'utf8').trim();
}

export function fixtureItem(name: JobFixture): JsonObject & { readonly id: string } {
  return JSON.parse(fixtureText(name)) as JsonObject & { readonly id: string };
}

/** Adds an item, unchanged, to the service's list. */
export function addItem(service: SampleService, item: JsonObject & { readonly id: string }): void {
  const { id, kind, status, created_at } = item;
  service.add({
    id,
    kind: kind === 'live' ? 'live' : 'pre-recorded',
    ...(typeof created_at === 'string' && { createdAt: Date.parse(created_at) }),
    status: status === 'error' || status === 'processing' || status === 'queued' ? status : 'done',
    fields: item,
  });
}
