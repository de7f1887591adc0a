import assert from 'node:assert/strict';
import { test } from 'node:test';
import { audioColumns, audioInColumn, lineRows } from '../../../../../src/features/submit/common/audioList.ts';
import { parseTable } from '../../../../../src/features/submit/node/parseTable.ts';
import { audioLabel, withAudioUrl } from '../../../../../src/features/submit/common/bodyEdits.ts';

const a = 'https://x.example/a,1.wav?s=1';
const b = 'http://x.example/b.wav';

const tableRows = async (text: string) => (await parseTable(text)).rows;

test('lines: blank lines count as rows but are not reported, and commas belong to the URL', () => {
  const rows = lineRows(`\uFEFF${a}\r\n\r\n  ${b}  \n${a}\nnot a url\nftp://x/y\n`);
  assert.deepEqual(audioInColumn(rows, 0), {
    audio: [
      { row: 1, url: a, metadata: {} },
      { row: 3, url: b, metadata: {} },
    ],
    unusable: [5, 6],
    spaced: [],
    repeated: [4],
    metadataKeys: [],
  });
});

test('a table with headings, quotes and blank lines is read', async () => {
  const text = `\uFEFFname;"audio, url";n\n"Ann ""A""\nline two";"${a}";1\n\n;;\nBob;${b};2\nCid;none;3\n`;
  const data = await tableRows(text);
  assert.deepEqual(audioColumns(data), [{ index: 1, name: 'audio, url', urls: 2 }]);
  const { audio, unusable, repeated } = audioInColumn(data, 1);
  assert.deepEqual(
    audio.map(({ url }) => url),
    [a, b],
  );
  assert.deepEqual([unusable, repeated], [[6], []]);
});

for (const delimiter of [',', ';', '\t']) {
  test(`a table with ${JSON.stringify(delimiter)} and blank lines all over`, async () => {
    const rows = [['customer', 'audio'], ['"Ann ""A"""', `"${a}"`], [], ['Bob', b], []];
    const data = await tableRows(rows.map((row) => row.join(delimiter)).join('\r\n'));
    assert.deepEqual(audioInColumn(data, 1).audio, [
      { row: 2, url: a, metadata: {} },
      { row: 4, url: b, metadata: {} },
    ]);
  });
}

test('the column with the most URLs comes first', () => {
  const rows = [
    ['page', 'audio'],
    ['http://p/', a],
    ['', b],
  ];
  assert.deepEqual(
    audioColumns(rows).map(({ name, urls }) => [name, urls]),
    [
      ['audio', 2],
      ['page', 1],
    ],
  );
  assert.deepEqual(audioColumns([[a], [b]]), [{ index: 0, name: undefined, urls: 2 }]);
  assert.deepEqual(audioColumns([[' '], [a]]), [{ index: 0, name: undefined, urls: 1 }], 'a blank row names nothing');
  assert.deepEqual(audioColumns([]), []);
});

test('ten thousand rows are read, and repeated ones are listed', async () => {
  const text = Array.from(
    { length: 10_000 },
    (_, index) => `"Call ""${index}""",https://x.example/${index % 9000}.wav`,
  ).join('\n');
  const data = await tableRows(`name,url\n${text}\n`);
  const { audio, repeated } = audioInColumn(data, audioColumns(data)[0]?.index ?? -1);
  assert.deepEqual([audio.length, repeated.length], [9000, 1000]);
});

test('a URL with a space is distinguished from no URL, and is no heading', () => {
  for (const space of [' ', '\t', '\u00a0', '\n']) {
    const rows = [[`https://x.example/a${space}b.wav`], [b], ['x y'], [`HTTP://x.example/a${space}`], [`see ${b}`]];
    const { audio, unusable, spaced } = audioInColumn(rows, 0);
    assert.deepEqual(
      audio.map(({ row, url }) => [row, url]),
      [
        [2, b],
        [4, 'HTTP://x.example/a'],
      ],
    );
    assert.deepEqual([unusable, spaced], [[3, 5], [1]]);
    assert.deepEqual(audioColumns(rows), [{ index: 0, name: undefined, urls: 3 }]);
  }
});

test('headings are found below blank rows', async () => {
  const list = audioInColumn(await tableRows(`\n;\naudio;custom_metadata.customer\n${b};Ann\n`), 0);
  assert.deepEqual(list.audio, [{ row: 4, url: b, metadata: { customer: 'Ann' } }]);
  assert.deepEqual([list.unusable, list.repeated], [[], []]);
});

for (const [body, expected] of [
  ['{ "a": 1.0 }', `{"audio_url":"${b}", "a": 1.0 }`],
  ['{}', `{"audio_url":"${b}"}`],
  ['{"a":1,  "audio_url" : "old" }', `{"a":1,  "audio_url" : "${b}" }`],
  ['{"audio_url":{"x":1}}', `{"audio_url":"${b}"}`],
  ['[]', undefined],
] as const) {
  test(`another audio in ${body}`, () => assert.equal(withAudioUrl(body, b), expected));
}

test('a label has no query', () => {
  assert.deepEqual(['https://x.example/p/q/a.wav?sig=1', 'https://x.example/', 'nothing'].map(audioLabel), [
    'x.example/…/a.wav',
    'x.example',
    '',
  ]);
});

test('columns that name metadata give each URL its own values, without empty cells', async () => {
  const table = [
    'audio,custom_metadata.customer, custom_metadata.case id ,note,custom_metadata.,custom_metadata.customer',
    `"${a}",Ann, 007 ,x,y,Twice`,
    `${b},,8`,
  ].join('\n');
  const list = audioInColumn(await tableRows(table), 0);
  assert.deepEqual(list.metadataKeys, ['customer', 'case id']);
  assert.deepEqual(
    list.audio.map(({ metadata }) => metadata),
    [{ customer: 'Ann', 'case id': '007' }, { 'case id': '8' }],
  );
});

test('a heading that is not a plain line, or exceeds the max number, names no metadata', () => {
  const headings = [
    'custom_metadata.a\u202eb',
    `custom_metadata.${'x'.repeat(201)}`,
    'metadata.a',
    'CUSTOM_METADATA.a',
  ];
  const many = Array.from({ length: 60 }, (_, index) => `custom_metadata.k${index}`);
  const list = audioInColumn(
    [
      ['audio', ...headings, 'custom_metadata.__proto__', ...many],
      [a, '1', '2', '3', '4', '5', '6'],
    ],
    0,
  );
  assert.equal(list.metadataKeys.length, 50);
  assert.deepEqual(list.metadataKeys.slice(0, 2), ['__proto__', 'k0']);
  assert.equal(JSON.stringify(list.audio[0]?.metadata), '{"__proto__":"5","k0":"6"}');
});
