import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { commandReadme } from '../../../media/package/commandPackage.ts';

const page = readFileSync('docs/other-editors.md', 'utf8');

function sectionOf(editor: string): string {
  return page.split(`\n## ${editor}\n`)[1]?.split('\n## ')[0] ?? '';
}

/** Patterns of the command that starts the server in each recipe: name of the program and arguments, as written. */
const commands: Readonly<Record<string, RegExp>> = {
  Neovim: /cmd = \{ (.+?) \}/u,
  Helix: /command = (".+?")\nargs = \[(.+?)\]/u,
  Emacs: /\. \((".+?")\)/u,
  'Zed and JetBrains': /command `(.+?)`/u,
};

describe('The recipes for other editors', () => {
  for (const [editor, pattern] of Object.entries(commands)) {
    it(`start the command as a language server: ${editor}`, () => {
      const written = (pattern.exec(sectionOf(editor)) ?? []).slice(1).join(' ');
      assert.deepEqual(written.match(/[\w-]+/gu), ['transcription-requests', 'lsp', '--stdio']);
    });
  }

  it('are complete in the README of the package', () => {
    const packed = commandReadme('', page);
    for (const editor of ['Neovim', 'Helix', 'Emacs']) {
      const recipe = /```\w+\n([^]*?)```/u.exec(sectionOf(editor))?.[1] ?? '';
      assert.ok(recipe.length > 100, editor);
      assert.ok(packed.includes(recipe), editor);
    }
  });
});
