import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { installCommand, type InstalledCommand } from '../../support/command/installCommand.ts';
import { LanguageClient } from '../../support/command/languageClient.ts';

const page = readFileSync('docs/other-editors.md', 'utf8');

/** The code of the recipe for an editor. */
function recipeOf(editor: string): string {
  const section = page.split(`\n## ${editor}\n`)[1]?.split('\n## ')[0] ?? '';
  return /```\w+\n([^]*?)```/u.exec(section)?.[1] ?? '';
}

describe('The recipes for other editors', () => {
  let command: InstalledCommand;
  before(async () => {
    command = await installCommand();
  });
  after(() => command.remove());

  it('start a server that finds what is wrong, and ends when it is told to', async () => {
    const client = await LanguageClient.start(command.script);
    const uri = pathToFileURL(join(command.folder, 'a.transcription.json')).href;
    const { diagnostics } = await client.open(uri, '{ "audio_url": 1 }');
    assert.equal(diagnostics[0]?.code, 'schema/type');
    assert.equal(await client.stop(), 0);
  });

  it('work in the editor itself, where NVIM_PATH names a Neovim', () => {
    const script = `
      ${recipeOf('Neovim')}
      vim.cmd("edit a.transcription.json")
      local count = function() return #vim.diagnostic.get(0) end
      vim.wait(20000, function() return count() > 0 end)
      local found = {}
      for _, each in ipairs(vim.diagnostic.get(0)) do
        table.insert(found, each.lnum .. ":" .. each.col .. " " .. tostring(each.code or each.user_data.lsp.code))
      end
      local context = { diagnostics = {}, only = { "source.fixAll" } }
      local params = vim.lsp.util.make_range_params()
      params.context = context
      local answers = vim.lsp.buf_request_sync(0, "textDocument/codeAction", params, 20000)
      for client, answer in pairs(answers) do
        for _, action in ipairs(answer.result) do vim.lsp.util.apply_workspace_edit(action.edit, "utf-16") end
      end
      io.stdout:write(table.concat(found, "\\n"), "\\n", table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "\\n"))
      vim.cmd("qall!")
    `;
    const file = join(command.folder, 'recipe.lua');
    writeFileSync(file, script);
    writeFileSync(
      join(command.folder, 'a.transcription.json'),
      '{ "audio_url": "https://media.example.com/a.mp3", "language_config": { "languages": ["en", "fr", "en"] } }\n',
    );
    const nvim = process.env['NVIM_PATH'];
    // Without it, the script is at least whole: as many blocks are closed as are opened.
    if (nvim === undefined) {
      const opened = script.match(/\b(?:function|then|do)\b/gu)?.length ?? 0;
      const closed = script.match(/\bend\b/gu)?.length ?? 0;
      return assert.equal(closed, opened);
    }
    const bin = join(command.folder, 'node_modules/.bin');
    const ended = spawnSync(nvim, ['--clean', '--headless', '-c', `luafile ${file}`], {
      cwd: command.folder,
      encoding: 'utf8',
      timeout: 60_000,
      env: { ...process.env, PATH: `${bin}:${process.env['PATH'] ?? ''}` },
    });
    assert.equal(ended.status, 0, ended.stderr);
    assert.match(ended.stdout, /^0:97 languages\/duplicate\n.+"languages": \["en", "fr"\]/u);
  });
});
