// Lists the files of `src` with a function that is called between an event and its result in the real extension host, by V8's
// coverage of a build with source maps: `node test/bench/journeys.ts [--list]`. Source maps lead to the files.
import { existsSync, readFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { startSampleService } from '../../src/sample/sampleService.ts';
import { temporaryFolder } from '../support/editor/ownedFolder.ts';
import { runMain } from '../support/run/runMain.ts';
import { copyExampleWorkspace } from '../support/start/exampleWorkspace.ts';
import { packExtension } from '../support/extensions/packExtension.ts';
import { openWorkbench } from '../support/workbench/openWorkbench.ts';
import type { Workbench } from '../support/workbench/workbench.ts';
import { until } from '../support/until.ts';
import { buildMeasured } from './buildMeasured.ts';

/** Responds to each request with the functions that were called since the last one. */
const recorder = `
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { Session } from 'node:inspector/promises';
export async function activate() {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  const server = createServer(async (request, response) => {
    const { result } = await session.post('Profiler.takePreciseCoverage');
    response.end(JSON.stringify(result.filter(({ url }) => /transcription-jobs[^/]*\\/dist\\//.test(url))));
  });
  server.listen(0, '127.0.0.1', () => writeFileSync(process.env.BENCH_JOURNEYS, String(server.address().port)));
}`;

interface CoveredScript {
  readonly url: string;
  readonly functions: readonly {
    readonly functionName: string;
    readonly ranges: readonly { readonly startOffset: number; readonly count: number }[];
  }[];
}

interface Journey {
  readonly name: string;
  /** Preparation before the event. */
  readonly prepare: (workbench: Workbench) => Promise<unknown>;
  /** The event, until its result is visible. */
  readonly run: (workbench: Workbench) => Promise<unknown>;
}

/** In this order, because a submission is watched afterwards. */
const journeys: readonly Journey[] = [
  {
    name: 'opening a group',
    prepare: async (workbench) => {
      await workbench.showView('Transcription Jobs');
      await workbench.tree('Jobs').row('Done').first().waitFor();
    },
    run: async (workbench) => {
      await workbench.tree('Jobs').expand(/^Done/);
      await workbench.page.locator('.sidebar [role="treeitem"][aria-level="3"]').first().waitFor();
    },
  },
  {
    name: 'a keystroke',
    prepare: async (workbench) => {
      await workbench.openFile('interview.transcription.json');
      await workbench.textEditor.goTo(9, 27);
    },
    run: async (workbench) => {
      await workbench.page.keyboard.type('9');
      await workbench.textEditor.area.getByText('hint: 92').first().waitFor();
    },
  },
  {
    name: 'the board',
    prepare: async () => undefined,
    run: async (workbench) => {
      await workbench.runCommand('Transcription: Open Board');
      await (await workbench.webview(/^Board/)).locator('.grid-body [role=row]').first().waitFor();
    },
  },
  {
    name: 'a submission',
    prepare: (workbench) => workbench.openFile('interview.transcription.json'),
    run: async (workbench) => {
      await workbench.runCommand('Transcription: Submit Request');
      await workbench.dialogButton(/^Submit/).click();
      await workbench.notifications.withText(/was submitted as job/).waitFor();
    },
  },
];

await runMain(async () => {
  const isListed = process.argv.includes('--list');
  const scratch = temporaryFolder();
  const { builtRoot, vsix } = await buildMeasured(scratch.path, false);
  const service = await startSampleService({ count: 1000 });
  const portFile = join(scratch.path, 'port');
  const { baseUrl, key } = service;
  const session = await openWorkbench({
    folder: copyExampleWorkspace(),
    extensionVsix: [
      vsix,
      await packExtension(scratch.path, {
        name: 'recorder',
        manifest: { activationEvents: ['*'] },
        code: recorder,
      }),
    ],
    userSettings: {
      'transcriptionJobs.connections': [{ name: 'Bench', baseUrl }],
      'transcriptionJobs.connection': 'Bench',
      'transcriptionJobs.autoRefresh.intervalSeconds': 0,
    },
    env: { BENCH_JOURNEYS: portFile, TRANSCRIPTION_API_KEY: key, TRANSCRIPTION_BASE_URL: baseUrl },
  });
  try {
    await until('the recorder listens', () => existsSync(portFile));
    const take = async (): Promise<readonly CoveredScript[]> => {
      const response = await fetch(`http://127.0.0.1:${readFileSync(portFile, 'utf8')}`);
      return (await response.json()) as readonly CoveredScript[];
    };
    for (const { name, prepare, run } of journeys) {
      await prepare(session.workbench);
      let empty = 0;
      await until(
        'the extension rests',
        async () => {
          empty = calledFunctions(await take(), builtRoot).length === 0 ? empty + 1 : 0;
          return empty > 5;
        },
        200,
      );
      await run(session.workbench);
      const called = calledFunctions(await take(), builtRoot);
      const files = [...new Set(called.map(({ file }) => file))].toSorted();
      console.log(`${name}: ${files.length} files, ${called.length} functions`);
      if (isListed) {
        for (const file of files) {
          const names = called
            .filter((one) => one.file === file)
            .map(({ functionName }) => functionName || '(closure)');
          console.log(`  ${file}: ${[...new Set(names)].join(', ')}`);
        }
      }
    }
  } finally {
    await session.close();
    await service.stop();
    scratch.remove();
  }
  return 0;
});

/** Returns the functions of `src` that were called, except code that runs when a module is loaded. */
function calledFunctions(
  scripts: readonly CoveredScript[],
  builtRoot: string,
): readonly { readonly file: string; readonly functionName: string }[] {
  return scripts.flatMap(({ url, functions }) => {
    const script = join(builtRoot, 'dist', new URL(url).pathname.replace(/^.*\/dist\//u, ''));
    if (!existsSync(`${script}.map`)) return [];
    const map = new SourceMap(JSON.parse(readFileSync(`${script}.map`, 'utf8')) as SourceMapPayload);
    const lineStarts = findLineStarts(readFileSync(script, 'utf8'));
    return functions.flatMap(({ functionName, ranges: [range] }) => {
      if (range === undefined || range.count === 0 || range.startOffset === 0) return [];
      const line = lineStarts.findLastIndex((start) => start <= range.startOffset);
      const origin = map.findEntry(line, range.startOffset - (lineStarts[line] ?? 0));
      if (!('originalSource' in origin)) return [];
      const file = relative(builtRoot, resolve(dirname(script), origin.originalSource));
      return file.startsWith('src/') ? [{ file, functionName }] : [];
    });
  });
}

function findLineStarts(text: string): readonly number[] {
  return [0, ...[...text.matchAll(/\n/gu)].map(({ index }) => index + 1)];
}
