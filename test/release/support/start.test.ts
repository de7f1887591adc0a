import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import { temporaryFolder } from '../../support/editor/ownedFolder.ts';
import { repositoryRoot } from '../../support/editor/repositoryRoot.ts';
import { runTool } from '../../support/editor/runTool.ts';

test('a registry out of reach is told in one line, and nothing half-made is left', async (t) => {
  const folder = temporaryFolder();
  t.after(() => folder.remove());
  const script = `
    import { provisionEditor } from './test/support/editor/provisionEditor.ts';
    import { runMain } from './test/support/run/runMain.ts';
    await runMain(async () => { await provisionEditor('4.139.1', ${JSON.stringify(folder.path)}); return 0; });`;
  const result = await runTool(process.execPath, ['--input-type=module-typescript', '--eval', script], {
    cwd: repositoryRoot,
    env: { ...process.env, npm_config_registry: 'http://127.0.0.1:9/', npm_config_cache: `${folder.path}/npm` },
  });
  assert.equal(result.code, 1);
  const lines = result.stderr.trimEnd().split('\n');
  assert.match(lines.at(-1) ?? '', /^Could not download code-server@4\.139\.1: .*ECONNREFUSED.*run this again\.$/);
  assert.equal(lines.length, 2, result.stderr);
  assert.deepEqual(
    readdirSync(folder.path).filter((name) => name !== 'npm'),
    [],
  );
});
