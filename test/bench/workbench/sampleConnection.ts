import type { SampleService } from '../../../src/sample/sampleService.ts';
import type { EditorOptions } from '../../support/editor/startEditor.ts';

/** What makes a service the connection of an editor in which nothing happens by itself. */
export function sampleConnection({ baseUrl, key }: SampleService): Pick<EditorOptions, 'userSettings' | 'env'> {
  return {
    userSettings: {
      'transcriptionJobs.connections': [{ name: 'Bench', baseUrl }],
      'transcriptionJobs.connection': 'Bench',
      'transcriptionJobs.autoRefresh.enabled': false,
    },
    env: { TRANSCRIPTION_API_KEY: key, TRANSCRIPTION_BASE_URL: baseUrl },
  };
}
