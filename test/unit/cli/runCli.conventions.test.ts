import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { after, beforeEach, test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { ruleCodes } from '../../../src/language/check.ts';
import { CommandRunner } from '../../support/command/commandRunner.ts';
import { repositoryRoot } from '../../support/editor/repositoryRoot.ts';

const command = new CommandRunner();
after(command.remove);

const wrong = '{"audio_url": 1, "diarisation": true}';
const twice = '{"audio_url": "https://e.com/a.mp3", "language_config": {"languages": ["en", "fr", "en"]}}';
const fixed = twice.replace(', "en"]', ']');
const request = (name: string): string => `${name}.transcription.json`;

beforeEach(() => {
  command.reset();
  command.put(request('good'), '{"audio_url": "https://e.com/a.mp3"}');
  command.put(request('sub/wrong'), wrong);
  command.put(request('twice'), twice);
});

const summaryOf = (complaints: string): string =>
  /^transcription-requests: (.* checked; .*)$/mu.exec(complaints)?.[1] ?? complaints;

test('a summary says what was checked, found, can be fixed, and was not checked', async () => {
  const { complaints } = await command.run(['check']);
  assert.equal(
    summaryOf(complaints),
    '3 files checked; 1 error, 2 warnings in 2 files; 1 can be fixed with check --fix; 1 has a fix to choose in an editor',
  );
  const { code, complaints: partly } = await command.run(['check', request('good'), 'none.json']);
  assert.deepEqual(
    [code, summaryOf(partly)],
    [2, '1 file checked; no problems; not everything was checked (1 failure)'],
  );
  const { complaints: none } = await command.run(['check', 'none.json']);
  assert.equal(summaryOf(none), '0 files checked; not everything was checked (1 failure)');
});

test('--quiet shows only errors, and no summary, but warnings still count', async () => {
  const { code, out, complaints } = await command.run(['check', '-q']);
  assert.deepEqual([code, complaints], [1, '']);
  assert.match(out, /^sub\/wrong\.transcription\.json:1:15: error: [^\n]+\n$/u);
  const many = await command.run(['check', '--quiet', '--max-warnings', '0', request('twice')]);
  assert.deepEqual(many, {
    code: 1,
    out: '',
    complaints: 'transcription-requests: 1 warning; at most 0 are allowed\n',
  });
});

test('colors are for terminals, unless options or the environment decide otherwise', async () => {
  const isColored = async (options: readonly string[], isTerminal: boolean, env: Record<string, string> = {}) => {
    const { out } = await command.run(['check', ...options], { isTerminal, env });
    // Without the colors it is the same text.
    const plain = await command.run(['check']);
    assert.equal(stripVTControlCharacters(out), plain.out);
    return out !== plain.out;
  };
  assert.equal(await isColored([], true), true);
  assert.equal(await isColored([], false), false);
  assert.equal(await isColored([], true, { NO_COLOR: '1' }), false);
  assert.equal(await isColored([], true, { NO_COLOR: '' }), true);
  assert.equal(await isColored([], true, { TERM: 'dumb' }), false);
  assert.equal(await isColored([], false, { FORCE_COLOR: '1', NO_COLOR: '1' }), true);
  assert.equal(await isColored([], true, { FORCE_COLOR: '0' }), false);
  assert.equal(await isColored(['--color'], false, { NO_COLOR: '1' }), true);
  assert.equal(await isColored(['--no-color'], true, { FORCE_COLOR: '1' }), false);
});

test('--output-file writes the report to a file, and nothing of it elsewhere', async () => {
  for (const format of ['text', 'json', 'sarif', 'github']) {
    const { out } = await command.run(['check', '--format', format]);
    const written = await command.run(['check', '--format', format, '-o', `out/new/${format}`]);
    assert.deepEqual([written.code, written.out], [1, '']);
    assert.equal(readFileSync(join(command.folder, 'out/new', format), 'utf8'), out);
  }
  const { code, complaints } = await command.run(['check', '-o', 'sub']);
  assert.deepEqual([code, /sub can't be written: EISDIR/u.test(complaints)], [2, true]);
});

test(
  'a report that does not fit is not left behind',
  { skip: !existsSync('/dev/full') && 'no /dev/full' },
  async () => {
    const { code, complaints } = await command.run(['check', '-o', '/dev/full']);
    assert.deepEqual([code, existsSync('/dev/full')], [2, true]);
    assert.match(complaints, /\/dev\/full can't be written: ENOSPC/u);
  },
);

test('check --fix fixes first, and shows what is left', async () => {
  const { code, out, complaints } = await command.run(['check', '--fix']);
  assert.equal(code, 1);
  assert.doesNotMatch(out, /languages\/duplicate/u);
  assert.match(out, /schema\/type/u);
  assert.equal(readFileSync(join(command.folder, request('twice')), 'utf8'), fixed);
  assert.match(
    complaints,
    /: 1 file fixed; 3 files checked; 1 error, 1 warning in 1 file; 1 has a fix to choose in an editor$/mu,
  );
  assert.equal((await command.run(['check', '--fix', request('twice')])).code, 0);
  const input = await command.run(['check', '--fix', '-']);
  assert.deepEqual([input.code, /use fix - for standard input/u.test(input.complaints)], [2, true]);
});

test('an empty name stands for nothing, as an unset variable of a script would', async () => {
  for (const given of [[''], ['--', ''], [request('good'), '']]) {
    for (const name of ['check', 'fix', 'effect', 'preview']) {
      const { code, out, complaints } = await command.run([name, ...given]);
      assert.deepEqual([code, out, complaints], [2, '', 'transcription-requests: a file name is empty\n'], name);
    }
  }
  assert.equal(readFileSync(join(command.folder, request('twice')), 'utf8'), twice);
  for (const option of ['--rules', '--output-file', '--service', '--format', '--max-warnings', '--stdin-filename']) {
    const { code, complaints } = await command.run(['check', option, '', '-']);
    assert.deepEqual([code, complaints], [2, `transcription-requests: ${option} is empty\n`]);
  }
});

test('what was not checked makes every report incomplete', async () => {
  for (const missing of ['none.json', 'x'.repeat(300), 'loop', 'none/**', 'sub/empty']) {
    if (missing === 'loop') symlinkSync('loop', join(command.folder, 'loop'));
    if (missing === 'sub/empty') mkdirSync(join(command.folder, missing));
    const given = ['check', request('good'), missing, '--format'];
    const json = await command.run([...given, 'json']);
    const report = JSON.parse(json.out) as { complete: boolean; exitCode: number; failures: readonly string[] };
    assert.deepEqual([json.code, report.complete, report.exitCode, report.failures.length], [2, false, 2, 1], missing);
    const sarif = await command.run([...given, 'sarif']);
    const [invocation] = (JSON.parse(sarif.out) as SarifLog).runs[0].invocations;
    assert.deepEqual([sarif.code, invocation.executionSuccessful, invocation.exitCode], [2, false, 2], missing);
    assert.equal(invocation.toolExecutionNotifications.length, 1);
    const github = await command.run([...given, 'github']);
    assert.match(github.out, /^::error title=Not checked::[^\n]+\n$/u);
  }
  const { out } = await command.run(['check', request('sub/wrong'), '--format', 'sarif']);
  const [invocation] = (JSON.parse(out) as SarifLog).runs[0].invocations;
  // Findings are no failure of the tool.
  assert.deepEqual([invocation.executionSuccessful, invocation.exitCode], [true, 1]);
});

test('a rules file that cannot be used makes a report without findings incomplete, too', async () => {
  const { code, out } = await command.run(['check', '--format', 'sarif', '--rules', 'none.json']);
  assert.equal(code, 2);
  assert.equal((JSON.parse(out) as SarifLog).runs[0].invocations[0].executionSuccessful, false);
});

test('files in UTF-16 are named as such', async () => {
  assert.match(
    (await command.run(['check', join(repositoryRoot, 'test/fixtures/cli/u16be.transcription.json')])).complaints,
    /u16be\.transcription\.json is UTF-16; save it as UTF-8$/mu,
  );
  const text = Buffer.from('{"audio_url": "https://e.com/a.mp3"}', 'utf16le');
  const mark = Buffer.from('\ufeff', 'utf16le');
  const swapped = (bytes: Buffer): Buffer => Buffer.from(bytes).swap16();
  for (const bytes of [text, swapped(text), Buffer.concat([mark, text]), swapped(Buffer.concat([mark, text]))]) {
    command.put(request('wide'), bytes);
    const { code, complaints } = await command.run(['check', request('wide')]);
    assert.deepEqual([code, /wide\.transcription\.json is UTF-16; save it as UTF-8$/mu.test(complaints)], [2, true]);
  }
  const utf32 = (content: string): Buffer =>
    Buffer.from(Uint32Array.from(content, (each) => each.codePointAt(0) ?? 0).buffer);
  for (const content of ['{"audio_url": "https://e.com/a.mp3"}', '\ufeff{}']) {
    for (const bytes of [utf32(content), utf32(content).swap32()]) {
      command.put(request('wide'), bytes);
      const { code, complaints } = await command.run(['check', request('wide')]);
      assert.deepEqual([code, /wide\.transcription\.json is UTF-32; save it as UTF-8$/mu.test(complaints)], [2, true]);
    }
  }
});

test('a file that cannot be written is counted, and the summary says that it was not fixed', async () => {
  command.put(request('locked'), twice);
  chmodSync(join(command.folder, request('locked')), 0o444);
  const { code, complaints } = await command.run(['fix', request('locked')]);
  assert.equal(code, 2);
  assert.match(complaints, /locked\.transcription\.json is read-only$/mu);
  assert.match(complaints, /: 0 of 1 file fixed; not everything was fixed \(1 failure\)$/mu);
});

test('a file with very many findings has the most severe ones in each report, which say how many are left out', async () => {
  const languages = Array.from({ length: 50_000 }, () => 'xx');
  command.put(request('many'), JSON.stringify({ language_config: { languages }, subtitles: 'x' }));
  for (const [format, countIn, says] of [
    ['text', /: (?:error|warning|info|hint): /gu, /$/u],
    ['json', /"severity": "/gu, /"omissions": \[\s*"many\.transcription\.json: \d+ more findings left out"/u],
    ['github', /^::(?:error|warning|notice) file=/gmu, /::warning title=Left out::many\.transcription\.json: /u],
    ['sarif', /"ruleId": /gu, /"many\.transcription\.json: \d+ more findings left out"/u],
  ] as const) {
    const { code, out, complaints } = await command.run(['check', '--format', format, request('many')]);
    assert.deepEqual([code, out.match(countIn)?.length], [1, 1000], format);
    assert.match(out, says);
    assert.match(out, /schema\/type/u, 'an error is at the end');
    const [, total = ''] = /(\d+) warnings?, /u.exec(complaints) ?? [];
    assert.ok(Number(total) >= 49_999, complaints);
    assert.match(complaints, /: many\.transcription\.json: \d+ more findings left out$/mu);
  }
});

test('rules lists every rule with the level in force', async () => {
  command.put('.vscode/settings.json', '{"transcriptionJobs.rules": {"languages/duplicate": "off"}}');
  const { code, out } = await command.run(['rules']);
  const lines = out
    .trimEnd()
    .split('\n')
    .map((line) => /^(\S+) +(off|hint|info|warning|error) +\S.*$/u.exec(line));
  assert.equal(code, 0);
  const levels = new Map(lines.map((line) => [line?.[1] ?? '', line?.[2]]));
  assert.deepEqual(
    [...ruleCodes].filter((rule) => !levels.has(rule)),
    [],
  );
  assert.deepEqual([levels.get('schema/type'), levels.get('languages/duplicate')], ['error', 'off']);
  const { out: own } = await command.run(['rules', '--no-settings']);
  assert.match(own, /^languages\/duplicate +warning /mu);
});

test('help and -V work like --help and --version', async () => {
  assert.equal((await command.run(['help'])).out, (await command.run(['--help'])).out);
  assert.deepEqual((await command.run(['-V'])).out, '1.2.3\n');
});

test('files that are named like options are never taken for options without a word', async () => {
  for (const name of ['--rules=x', '--output-file=x', '-ox', '--no-settings=x', '--quiet']) {
    command.put(request(name), wrong);
    const unprotected = await command.run(['check', request(name)]);
    assert.equal(unprotected.code, 2, name);
    const { code, out } = await command.run(['check', '--', request(name)]);
    assert.deepEqual([code, out.includes('[schema/type]')], [1, true], name);
  }
  assert.ok(!existsSync(join(command.folder, request('x'))));
});

test('reports name the settings that changed levels', async () => {
  command.put('.vscode/settings.json', '{"transcriptionJobs.rules": {"languages/duplicate": "off"}}');
  const said = 'rule levels from .vscode/settings.json: languages/duplicate off';
  const text = await command.run(['check', request('twice')]);
  assert.deepEqual([text.code, text.out], [0, '']);
  assert.ok(text.complaints.includes(`transcription-requests: ${said}\n`));
  const github = await command.run(['check', '--format', 'github', request('twice')]);
  assert.equal(github.out, `::notice title=Settings::${said}\n`);
  const json = JSON.parse((await command.run(['check', '--format', 'json'])).out) as { readonly settings: unknown };
  assert.deepEqual(json.settings, [{ name: '.vscode/settings.json', levels: { 'languages/duplicate': 'off' } }]);
  const sarif = JSON.parse((await command.run(['check', '--format', 'sarif'])).out) as SarifLog;
  const [notification] = sarif.runs[0].invocations[0].toolConfigurationNotifications;
  assert.deepEqual(notification, { level: 'note', message: { text: said } });
});

test('settings count only as regular files inside of the repository', async () => {
  const off = '{"transcriptionJobs.rules": {"languages/duplicate": "off"}}';
  command.put('.vscode/settings.json', off);
  command.put(`repository/${request('twice')}`, twice);
  const check = async () => command.run(['check'], { folder: join(command.folder, 'repository') });
  // Without a repository of its own, the folder belongs to the one around it.
  assert.equal((await check()).out, '');
  mkdirSync(join(command.folder, 'repository/.git'));
  assert.match((await check()).out, /languages\/duplicate/u);
  mkdirSync(join(command.folder, 'repository/.vscode'));
  for (const target of ['../../.vscode/settings.json', '/dev/zero', 'nowhere']) {
    const link = join(command.folder, 'repository/.vscode/settings.json');
    symlinkSync(target, link);
    const { code, out, complaints } = await check();
    assert.deepEqual([code, out.includes('languages/duplicate')], [0, true], target);
    assert.match(complaints, /settings\.json (?:is not used: it is no file|can't be read: ENOENT)/u);
    unlinkSync(link);
  }
});

test('outside of repositories, settings of folders above do not count', async () => {
  command.reset();
  const { folder } = command;
  command.put('.vscode/settings.json', '{"transcriptionJobs.rules": {"languages/duplicate": "off"}}');
  command.put(`inner/${request('twice')}`, twice);
  const { out } = await command.run(['check'], { folder: join(folder, 'inner') });
  assert.equal(out, '');
  command.removeRepository();
  const { out: outside } = await command.run(['check'], { folder: join(folder, 'inner') });
  assert.match(outside, /languages\/duplicate/u);
});

interface Notification {
  readonly level: string;
  readonly message: { readonly text: string };
}

interface SarifLog {
  readonly runs: readonly [
    {
      readonly invocations: readonly [
        {
          readonly executionSuccessful: boolean;
          readonly exitCode: number;
          readonly toolExecutionNotifications: readonly Notification[];
          readonly toolConfigurationNotifications: readonly Notification[];
        },
      ];
    },
  ];
}
