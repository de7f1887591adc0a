import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { installCommand, type InstalledCommand } from '../../support/command/installCommand.ts';
import { LanguageClient } from '../../support/command/languageClient.ts';
import { findDebianProgram, type DebianProgram } from '../../support/editor/debianProgram.ts';

const page = readFileSync('docs/other-editors.md', 'utf8');

/** The code blocks of the section about an editor. */
function recipesOf(editor: string): readonly string[] {
  const section = page.split(`\n## ${editor}\n`)[1]?.split('\n## ')[0] ?? '';
  return [...section.matchAll(/```\w+\n([^]*?)```/gu)].flatMap(([, code]) => code ?? []);
}

const neovim: DebianProgram = {
  name: 'nvim',
  packages: ['neovim'],
  path: 'usr/bin/nvim',
  envIn: (root) => ({ VIMRUNTIME: join(root, 'usr/share/nvim/runtime') }),
};

const emacs: DebianProgram = {
  name: 'emacs',
  packages: ['emacs-nox', 'elpa-eglot'],
  path: 'usr/bin/emacs-nox',
  envIn: (root) => {
    const lisp = globSync(join(root, 'usr/share/emacs/*.*/lisp'))[0] ?? '';
    const [programs = ''] = globSync(join(root, 'usr/libexec/emacs/*/*/'));
    return {
      EMACSLOADPATH: [
        ...globSync(join(root, 'usr/share/emacs/site-lisp/elpa-src/*')),
        lisp,
        ...globSync(join(lisp, '**/'), { exclude: (name) => name.includes('.') }),
      ].join(':'),
      EMACSDATA: join(lisp, '../etc'),
      EMACSDOC: join(lisp, '../etc'),
      EMACSPATH: programs,
    };
  },
};

const repeated =
  '{ "audio_url": "https://media.example.com/a.mp3", "language_config": { "languages": ["en", "fr", "en"] } }\n';
const unfinished = '{ "diar" }\n';

/** Prints what an editor shows: findings, a hover and completions, and the text after the fixes. */
const inNeovim = `
  local function wait_for_findings()
    vim.wait(30000, function() return #vim.diagnostic.get(0) > 0 end)
  end
  local function query(method, params)
    for _, answer in pairs(vim.lsp.buf_request_sync(0, method, params, 30000)) do return answer.result end
  end
  local out = {}
  wait_for_findings()
  for _, each in ipairs(vim.diagnostic.get(0)) do
    table.insert(out, "finding " .. each.lnum .. ":" .. each.col .. " " .. each.message)
  end
  vim.api.nvim_win_set_cursor(0, { 1, 5 })
  local hover = query("textDocument/hover", vim.lsp.util.make_position_params())
  table.insert(out, "hover " .. vim.fn.json_encode(hover.contents))
  local params = vim.lsp.util.make_range_params()
  params.context = { diagnostics = {}, only = { "source.fixAll" } }
  for _, action in ipairs(query("textDocument/codeAction", params)) do
    vim.lsp.util.apply_workspace_edit(action.edit, "utf-16")
  end
  table.insert(out, "fixed " .. vim.api.nvim_buf_get_lines(0, 0, 1, false)[1])
  vim.cmd("edit! b.transcription.json")
  wait_for_findings()
  vim.api.nvim_win_set_cursor(0, { 1, 7 })
  table.insert(out, "completions " .. vim.fn.json_encode(query("textDocument/completion", vim.lsp.util.make_position_params())))
  table.insert(out, "servers " .. #vim.lsp.get_active_clients())
  io.stdout:write(table.concat(out, "\\n"), "\\n")
  vim.cmd("qall!")
`;

const inEmacs = (fix: string): string => `
  (setq eglot-sync-connect 30)
  (defun wait-for-findings ()
    (let ((deadline (+ (float-time) 30)))
      (while (and (< (float-time) deadline)
                  (not (and (eglot-current-server) (progn (flymake-start) (flymake-diagnostics)))))
        (accept-process-output nil 0.1))))
  (defun query (method)
    (json-serialize (jsonrpc-request (eglot-current-server) method (eglot--TextDocumentPositionParams))
                    :null-object nil :false-object :json-false))
  (defun show (kind text) (princ (format "%s %s\\n" kind text)))
  ;; Files are opened without a command loop, in which Eglot connects after a command.
  (defun open-file (name) (find-file name) (run-hooks 'post-command-hook) (wait-for-findings))
  (open-file "a.transcription.json")
  (show "mode" major-mode)
  (dolist (each (flymake-diagnostics))
    (show "finding" (format "%d %s" (flymake-diagnostic-beg each) (flymake-diagnostic-text each))))
  (goto-char 5)
  (show "hover" (query :textDocument/hover))
  ${fix}
  (show "fixed" (string-trim (buffer-string)))
  (set-buffer-modified-p nil)
  (open-file "b.transcription.json")
  (goto-char 8)
  (show "completions" (query :textDocument/completion))
  (show "servers" (length (gethash (eglot--current-project) eglot--servers-by-project)))
  (eglot-shutdown (eglot-current-server))
`;

describe('The recipes for other editors', () => {
  let command: InstalledCommand;
  let env: NodeJS.ProcessEnv;
  before(async () => {
    command = await installCommand();
    env = {
      ...process.env,
      PATH: `${join(command.folder, 'node_modules/.bin')}:${process.env['PATH'] ?? ''}`,
      HOME: command.folder,
      XDG_CONFIG_HOME: join(command.folder, 'config'),
    };
    writeFileSync(join(command.folder, 'a.transcription.json'), repeated);
    writeFileSync(join(command.folder, 'b.transcription.json'), unfinished);
  });
  after(() => command.remove());

  /** Runs an editor in the folder of the files. @returns what it printed, by the first word of each line */
  function run(path: string, args: readonly string[], more: Readonly<Record<string, string>>) {
    const { status, stdout, stderr } = spawnSync(path, args, {
      cwd: command.folder,
      encoding: 'utf8',
      timeout: 120_000,
      env: { ...env, ...more },
    });
    assert.equal(status, 0, `${stdout}\n${stderr}`);
    const shown = (kind: string): readonly string[] =>
      stdout.split('\n').flatMap((line) => (line.startsWith(`${kind} `) ? line.slice(kind.length + 1) : []));
    assert.match(shown('fixed').join('\n'), /"languages": \["en", "fr"\]/u, `${stdout}\n${stderr}`);
    assert.match(shown('hover').join('\n'), /The service fetches it/u);
    const completions = shown('completions').join('\n');
    assert.match(completions, /diarization/u);
    assert.doesNotMatch(completions, /\$\{?\d/u);
    assert.deepEqual(shown('servers'), ['1']);
    return shown;
  }

  it('start a server that finds what is wrong, and ends when the editor stops it', async () => {
    const client = await LanguageClient.start(command.script);
    const uri = pathToFileURL(join(command.folder, 'a.transcription.json')).href;
    const { diagnostics } = await client.open(uri, '{ "audio_url": 1 }');
    assert.equal(diagnostics[0]?.code, 'schema/type');
    assert.equal(await client.stop(), 0);
  });

  it('work in Neovim', (test) => {
    const program = findDebianProgram(neovim, join(command.folder, 'neovim'));
    if (program.type === 'missing') return test.skip(program.reason);
    mkdirSync(join(command.folder, 'config/nvim'), { recursive: true });
    writeFileSync(join(command.folder, 'config/nvim/init.lua'), recipesOf('Neovim')[0] ?? '');
    writeFileSync(join(command.folder, 'look.lua'), inNeovim);
    const shown = run(program.path, ['--headless', 'a.transcription.json', '-c', 'luafile look.lua'], program.env);
    assert.deepEqual(shown('finding'), ['0:97 "en" is already in the list.']);
  });

  it('work in Emacs', (test) => {
    const program = findDebianProgram(emacs, join(command.folder, 'emacs'));
    if (program.type === 'missing') return test.skip(program.reason);
    const dump = globSync(join(program.env['EMACSPATH'] ?? '', 'emacs.pdmp')).map((each) => `--dump-file=${each}`);
    const findEglot = `(progn (require 'package) (package-initialize) (kill-emacs (if (locate-library "eglot") 0 1)))`;
    const { status } = spawnSync(program.path, [...dump, '--batch', '--eval', findEglot], {
      env: { ...env, ...program.env },
    });
    if (status === 1) return test.skip('Emacs is installed without Eglot, which is in the package elpa-eglot');
    const [recipe = '', fix = ''] = recipesOf('Emacs');
    mkdirSync(join(command.folder, '.emacs.d'));
    writeFileSync(join(command.folder, '.emacs.d/init.el'), recipe);
    writeFileSync(join(command.folder, 'look.el'), inEmacs(fix));
    // Packages are activated as by a start that is not in batch mode.
    const packages = [
      '--eval',
      '(package-initialize)',
      '--eval',
      '(unless (fboundp \'eglot-ensure) (load "eglot-autoloads"))',
    ];
    const args = [
      ...dump,
      '--batch',
      '--eval',
      "(require 'package)",
      ...packages,
      '-l',
      '.emacs.d/init.el',
      '-l',
      'look.el',
    ];
    const shown = run(program.path, args, program.env);
    assert.deepEqual(shown('mode'), ['transcription-request-mode']);
    assert.match(
      shown('finding').join('\n'),
      /^98 transcription \[languages\/duplicate\]: "en" is already in the list\.$/u,
    );
  });
});
