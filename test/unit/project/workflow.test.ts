import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';

const workflow = readFileSync('.github/workflows/ci.yml', 'utf8');
const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as {
  readonly engines: { readonly vscode: string };
  readonly scripts: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
};

describe('The public workflow', () => {
  it('runs only actions that cannot change', () => {
    const actions = [...workflow.matchAll(/uses: (.*)$/gm)].map(([, action]) => action ?? '');
    assert(actions.length > 0);
    assert.deepEqual(
      actions.filter((action) => !/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(action)),
      [],
    );
  });

  it('runs only scripts that there are', () => {
    const scripts = [...workflow.matchAll(/npm run ([\w:]+)/g)].map(([, script]) => script ?? '');
    assert.deepEqual(
      scripts.filter((script) => !Object.hasOwn(manifest.scripts, script)),
      [],
    );
  });

  it('tests in the oldest editor that is allowed, whose interface the code is written for', () => {
    const oldest = manifest.engines.vscode.replace('^', '');
    assert.equal(/editor: \['([\d.]+)', 'stable'\]/.exec(workflow)?.[1], oldest);
    assert.equal(manifest.devDependencies['@types/vscode'], oldest);
  });
});
