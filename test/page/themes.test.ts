import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readRecordedThemes } from '../support/page/recordedThemes.ts';
import { usedVariables } from '../support/page/usedVariables.ts';

test('the recorded themes have exactly the editor variables that pages use', () => {
  const { defaultStyles, themes } = readRecordedThemes();
  const used = usedVariables(defaultStyles);
  assert.ok(used.length > 40);
  for (const [theme, { variables }] of Object.entries(themes)) {
    assert.deepEqual(Object.keys(variables), used, `${theme}: run test/support/page/recordThemes.ts`);
  }
});

test('the recorded colours differ between themes', () => {
  const { themes } = readRecordedThemes();
  const backgrounds = Object.values(themes).map(({ variables }) => variables['--vscode-editor-background']);
  assert.deepEqual(backgrounds, ['#ffffff', '#1f1f1f', '#000000', '#ffffff']);
  const kinds = Object.values(themes).map(({ data }) => data['vscodeThemeKind']);
  assert.equal(new Set(kinds).size, 4);
});
