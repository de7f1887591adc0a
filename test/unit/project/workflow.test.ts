import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, it } from 'node:test';

const workflows = new Map(
  globSync('.github/workflows/*.yml').map((file) => [basename(file, '.yml'), readFileSync(file, 'utf8')]),
);
const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as {
  readonly engines: { readonly vscode: string };
  readonly scripts: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
};

for (const [name, workflow] of workflows) {
  describe(`The public workflow "${name}"`, () => {
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
      assert(scripts.length > 0);
      assert.deepEqual(
        scripts.filter((script) => !Object.hasOwn(manifest.scripts, script)),
        [],
      );
    });

    it('may read, unless a job says otherwise', () => {
      assert.match(workflow, /^permissions:\n {2}contents: read$/m);
      assert.doesNotMatch(workflow, /\bsecrets\.|pull_request_target/);
    });
  });
}

describe('The public workflows', () => {
  const ci = workflows.get('ci') ?? '';
  const [pack = '', attest = ''] = (workflows.get('release') ?? '').split(/^ {2}attest:$/m);

  it('test in the oldest editor that is allowed, whose interface the code is written for', () => {
    const oldest = manifest.engines.vscode.replace('^', '');
    assert.equal(/editor: \['([\d.]+)', 'stable'\]/.exec(ci)?.[1], oldest);
    assert.equal(manifest.devDependencies['@types/vscode'], oldest);
  });

  it('release what was tested, packed twice with the time of the commit', () => {
    const steps = ['.ci/run', 'npm run release', 'npm ci && npm run release --ignore-scripts', 'diff -r out/release'];
    const places = steps.map((step) => pack.indexOf(step));
    assert(places.every((place) => place > 0));
    assert.deepEqual(
      places,
      places.toSorted((a, b) => a - b),
    );
    assert.equal(manifest.scripts['prerelease'], 'npm run test:release');
    assert.equal(pack.split('SOURCE_DATE_EPOCH="$(git log -1 --format=%ct)"').length, 3);
  });

  it('sign only in a job that runs no code of the repository or of its packages', () => {
    assert.match(attest, /id-token: write/);
    assert.doesNotMatch(pack, /: write$/m);
    assert.doesNotMatch(attest, /checkout|npm|node/);
    assert.match(attest, /subject-checksums: release\/SHA256SUMS/);
  });
});
