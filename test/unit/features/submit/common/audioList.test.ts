import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  isHeadingRow,
  lineTable,
  maxListRows,
  readAudio,
  surveyList,
  type AudioList,
  type Row,
  type Table,
} from '../../../../../src/features/submit/common/audioList.ts';
import { WorkSlices } from '../../../../../src/base/clock.ts';
import { parseTable } from '../../../../../src/features/submit/node/parseTable.ts';
import { audioLabel, listedBody, readTemplate } from '../../../../../src/features/submit/common/bodyEdits.ts';

function run<T>(steps: Generator<undefined, T>): Promise<T> {
  return new WorkSlices().run(steps);
}

const a = 'https://x.example/a,1.wav?s=1';
const b = 'http://x.example/b.wav';

function tableOf(rows: readonly Row[]): Table {
  return { rows, delimiter: ',', problem: undefined };
}

async function listOf(table: Table, column: number): Promise<AudioList> {
  const survey = await run(surveyList(table, []));
  const keyed = survey.columns.flatMap(({ key, index }) => (key === undefined ? [] : [[key, index] as const]));
  return run(
    readAudio(table, survey, { url: column, metadata: new Map(keyed.filter(([, index]) => index !== column)) }),
  );
}

async function headedColumns(headings: Row, labelKeys: readonly string[] = []) {
  const { columns } = await run(
    surveyList(tableOf([headings, headings.map((_, index) => (index === 0 ? b : 'x'))]), labelKeys),
  );
  return columns.map(({ key, isRecognised }) => [key, isRecognised]);
}

test('lines: blank lines count as rows but are not reported, and commas belong to the URL', async () => {
  const table = lineTable(`\uFEFF${a}\r\n\r\n  ${b}  \r${a}\nnot a url\nftp://x/y\n`);
  assert.deepEqual(await listOf(table, 0), {
    audio: [
      { row: 1, url: a, metadata: {} },
      { row: 3, url: b, metadata: {} },
    ],
    unusable: [
      { row: 4, reason: 'duplicate' },
      { row: 5, reason: 'noUrl' },
      { row: 6, reason: 'noUrl' },
    ],
    headings: undefined,
  });
});

test('a table with headings, quotes and blank lines is read', async () => {
  const text = `\uFEFFtitle;"audio, url";n\n"Ann ""A""\nline two";"${a}";1\n\n;;\nBob;${b};2\nCid;none;3\n`;
  const table = await parseTable(text);
  const { columns, problem } = await run(surveyList(table, []));
  assert.equal(problem, undefined);
  assert.deepEqual(columns, [
    { index: 0, heading: 'title', urls: 0, sample: 'Ann "A"\nline two', key: 'title', isRecognised: true },
    { index: 1, heading: 'audio, url', urls: 2, sample: a, key: 'audio, url', isRecognised: false },
    { index: 2, heading: 'n', urls: 0, sample: '1', key: 'n', isRecognised: false },
  ]);
  const { audio, unusable, headings } = await listOf(table, 1);
  assert.deepEqual(audio, [
    { row: 2, url: a, metadata: { title: 'Ann "A"\nline two', n: '1' } },
    { row: 5, url: b, metadata: { title: 'Bob', n: '2' } },
  ]);
  assert.deepEqual(unusable, [{ row: 6, reason: 'noUrl' }]);
  assert.deepEqual(headings, ['title', 'audio, url', 'n']);
});

for (const delimiter of [',', ';', '\t']) {
  test(`a table with ${JSON.stringify(delimiter)} and blank lines all over`, async () => {
    const rows = [['customer', 'audio'], ['"Ann ""A"""', `"${a}"`], [], ['Bob', b], []];
    const table = await parseTable(rows.map((row) => row.join(delimiter)).join('\r\n'));
    assert.deepEqual((await listOf(table, 1)).audio, [
      { row: 2, url: a, metadata: { customer: 'Ann "A"' } },
      { row: 4, url: b, metadata: { customer: 'Bob' } },
    ]);
  });
}

test('the URLs of each column are counted, also without headings', async () => {
  const rows = [
    ['page', 'audio'],
    ['http://p/', a],
    ['', b],
  ];
  const counts = async (table: readonly Row[]) =>
    (await run(surveyList(tableOf(table), []))).columns.map(({ heading, urls }) => [heading, urls]);
  assert.deepEqual(await counts(rows), [
    ['page', 1],
    ['audio', 2],
  ]);
  assert.deepEqual(await counts([[a], [b]]), [[undefined, 2]]);
  assert.deepEqual(await counts([[' '], [a]]), [[undefined, 1]], 'a blank row names nothing');
  assert.deepEqual(await counts([]), []);
});

test('ten thousand rows are read, and repeated ones are listed', async () => {
  const text = Array.from(
    { length: 10_000 },
    (_, index) => `"Call ""${index}""",https://x.example/${index % 9000}.wav`,
  ).join('\n');
  const { audio, unusable } = await listOf(await parseTable(`name,url\n${text}\n`), 1);
  assert.deepEqual([audio.length, unusable.length], [9000, 1000]);
  assert.ok(unusable.every(({ reason }) => reason === 'duplicate'));
});

test('a URL with a space or an invisible character is distinguished from no URL, and is no heading', async () => {
  for (const [character, reason] of [
    [' ', 'space'],
    ['\t', 'space'],
    ['\u00a0', 'space'],
    ['\n', 'space'],
    ['\u200b', 'hidden'],
    ['\u202e', 'hidden'],
    ['\u0001', 'hidden'],
  ]) {
    const odd = `https://x.example/a${character}b.wav`;
    const { audio, unusable, headings } = await listOf(
      tableOf([[odd], [b], ['x y'], [`HTTP://x.example/a `], [`see ${b}`]]),
      0,
    );
    assert.deepEqual(
      audio.map(({ row, url }) => [row, url]),
      [
        [2, b],
        [4, 'HTTP://x.example/a'],
      ],
    );
    assert.deepEqual(unusable, [
      { row: 1, reason },
      { row: 3, reason: 'noUrl' },
      { row: 5, reason: 'noUrl' },
    ]);
    assert.equal(headings, undefined);
  }
});

test('headings are found below blank rows, and a row with an address is none', async () => {
  const list = await listOf(await parseTable(`\n;\naudio;custom_metadata.customer\n${b};Ann\n`), 0);
  assert.deepEqual(list.audio, [{ row: 4, url: b, metadata: { customer: 'Ann' } }]);
  assert.deepEqual(list.unusable, []);
  assert.deepEqual((await listOf(lineTable(`ftp://x.example/a.wav\n${b}`), 0)).unusable, [{ row: 1, reason: 'noUrl' }]);
});

for (const [body, expected] of [
  ['{ "a": 1.0 }', `{"audio_url":"${b}", "a": 1.0 }`],
  ['{}', `{"audio_url":"${b}"}`],
  ['{"a":1,  "audio_url" : "old" }', `{"a":1,  "audio_url" : "${b}" }`],
  ['{"audio_url":{"x":1}}', `{"audio_url":"${b}"}`],
  ['[]', '[]'],
] as const) {
  test(`another audio in ${body}`, () =>
    assert.equal(listedBody(readTemplate(body), { url: b, metadata: {} }, {}), expected));
}

test('a label has no query', () => {
  assert.deepEqual(['https://x.example/p/q/a.wav?sig=1', 'https://x.example/', 'nothing'].map(audioLabel), [
    'x.example/…/a.wav',
    'x.example',
    '',
  ]);
});

test('columns give each URL its own values, without empty cells', async () => {
  const table = [
    'audio,custom_metadata.customer, custom_metadata.case id ,note,custom_metadata.,custom_metadata.customer',
    `"${a}",Ann, 007 ,x,y,Twice`,
    `${b},,8`,
  ].join('\n');
  const list = await listOf(await parseTable(table), 0);
  assert.deepEqual(
    list.audio.map(({ metadata }) => metadata),
    [{ customer: 'Ann', 'case id': '007', note: 'x', 'custom_metadata.': 'y' }, { 'case id': '8' }],
  );
});

test('columns that name a job are recognised, the others are not, and a key has one column', async () => {
  assert.deepEqual(await headedColumns(['audio', 'Title', 'customer', 'custom_metadata.X y', 'Notes', 'TITLE', ' ']), [
    ['audio', false],
    ['title', true],
    ['customer', true],
    ['X y', true],
    ['Notes', false],
    [undefined, false],
    [undefined, false],
  ]);
  assert.deepEqual(await headedColumns(['audio', 'Room', 'Nom'], ['room']), [
    ['audio', false],
    ['room', true],
    ['nom', true],
  ]);
  assert.deepEqual(
    await headedColumns(['audio', 'CallId', 'CALLID'], ['callId', 'CALLID']),
    [
      ['audio', false],
      ['callId', true],
      ['CALLID', true],
    ],
    'as the setting writes them, because rows are named by these keys only',
  );
  assert.deepEqual(await headedColumns(['audio', 'custom_metadata.__proto__']), [
    ['audio', false],
    ['__proto__', true],
  ]);
  assert.equal(
    JSON.stringify((await listOf(await parseTable(`audio,__proto__\n${b},1`), 0)).audio[0]?.metadata),
    '{"__proto__":"1"}',
  );
});

test('a heading that is not a plain line, or too long, is no key', async () => {
  const headings = ['audio', 'custom_metadata.a\u202eb', `custom_metadata.${'x'.repeat(201)}`, 'two\nlines'];
  assert.deepEqual((await headedColumns(headings)).slice(1), [
    [undefined, false],
    [undefined, false],
    [undefined, false],
  ]);
});

test('a row of headings is distinguished from a title', () => {
  const headings = [
    ['audio_url', 'x'],
    ['Nr', 'Video URL'],
    ['Lien', 'a'],
    ['x', ' Title '],
    ['custom_metadata.a', 'b'],
  ];
  assert.deepEqual(
    headings.map(isHeadingRow),
    headings.map(() => true),
  );
  const titles = [['Calls', ' November'], ['audio_url'], ['curly', 'word'], [b, 'Ann']];
  assert.deepEqual(
    titles.map(isHeadingRow),
    titles.map(() => false),
  );
});

test('characters that could not be decoded are reported with their rows', async () => {
  const { problem } = await run(surveyList(lineTable(`title\n${b}\n${a}\uFFFD\n\0${b}`), []));
  assert.match(problem ?? '', /^Row 3, 4: some characters can't be read\. Save the file as UTF-8/);
});

test('a list with too many rows is rejected', async () => {
  const rows = `${b}\n`.repeat(maxListRows);
  assert.equal((await run(surveyList(lineTable(rows), []))).problem, undefined);
  for (const text of [`${rows}${b}`, `Calls\n${rows}${b}\n`, `${rows}${b}\n${b}\n`]) {
    const { problem } = await run(surveyList(lineTable(text), []));
    assert.equal(problem, 'It has more than 100000 rows, or too many columns. Split it.');
  }
  // Headings and blank lines are no rows.
  const { problem } = await run(surveyList(await parseTable(`audio_url,name\n${rows}\n`), []));
  assert.equal(problem, undefined);
});
