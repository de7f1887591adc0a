import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  audioColumns,
  audioInColumn,
  describeTableProblem,
  type AudioList,
} from '../../../../../src/features/submit/common/audioList.ts';
import { parseTable } from '../../../../../src/features/submit/node/parseTable.ts';

const urls = ['https://audio.example/1.wav', 'https://audio.example/2.wav?a=1', 'http://audio.example/3.wav'];

/** Returns the list that would be sent for a table, or the reason why none is. */
async function readList(text: string, delimiter?: string): Promise<AudioList | string> {
  const table = await parseTable(text, delimiter);
  return describeTableProblem(table) ?? audioInColumn(table.rows, audioColumns(table.rows)[0]?.index ?? 0);
}

async function problemOf(text: string): Promise<string> {
  const list = await readList(text);
  return typeof list === 'string' ? list : assert.fail(`read as ${JSON.stringify(list)}`);
}

async function audioOf(text: string, delimiter?: string): Promise<AudioList['audio']> {
  const list = await readList(text, delimiter);
  return typeof list === 'string' ? assert.fail(list) : list.audio;
}

async function urlsOf(text: string, delimiter?: string): Promise<readonly string[]> {
  return (await audioOf(text, delimiter)).map(({ url }) => url);
}

/** Returns the expected entries for {@link urls} from a row on. */
function listed(firstRow: number, metadata: (index: number) => Readonly<Record<string, string>>): AudioList['audio'] {
  return urls.map((url, index) => ({ row: firstRow + index, url, metadata: metadata(index) }));
}

test('no URL is lost in a table with several kinds of line ends', async () => {
  const ends = ['\n', '\r\n', '\r'];
  for (const first of ends) {
    for (const second of ends) {
      for (const third of ends) {
        const text = `audio_url,custom_metadata.n${first}${urls[0]},"0"${second}${urls[1]},1${third}${urls[2]},2`;
        const expected = listed(2, (index) => ({ n: String(index) }));
        assert.deepEqual(await audioOf(text), expected, JSON.stringify([first, second, third]));
      }
    }
  }
});

test('an extra quotation mark loses or cuts no URL: the list is rejected, or each row is read', async () => {
  const text = `customer,audio_url,"note"\nAnn,${urls[0]},a\n"Bo, B.",${urls[1]},"b ""x"""\nCid,"${urls[2]}",c`;
  assert.deepEqual(await urlsOf(text), urls);
  let refused = 0;
  for (let at = 0; at <= text.length; at++) {
    const list = await readList(`${text.slice(0, at)}"${text.slice(at)}`);
    if (typeof list === 'string') {
      refused++;
      assert.match(list, /^Row [1-4]: /);
      continue;
    }
    const found = list.audio.map(({ url }) => url.replaceAll('"', ''));
    assert.equal(found.length + list.unusable.length, 3, `a mark at ${at}: ${JSON.stringify(list)}`);
    assert.ok(
      found.every((url) => urls.includes(url)),
      `a mark at ${at}: ${found.join()}`,
    );
  }
  assert.ok(refused > 10);
});

test('a quotation mark that is not closed is reported with its row', async () => {
  for (const row of [1, 2, 3]) {
    const rows = urls.map((url, index) => `${url},${index === row - 1 ? '"' : ''}${index}`);
    const headed = ['audio_url,name', ...rows].join('\n');
    assert.match(await problemOf(headed), new RegExp(`^Row ${row + 1}: a quotation mark is not`));
    assert.match(await problemOf(rows.join('\r\n')), new RegExp(`^Row ${row}: a quotation mark is not`));
  }
  assert.match(await problemOf(`sep=;\naudio_url;name\n${urls[0]};"Ann`), /^Row 3: a quotation mark/);
});

test('a cell over several lines is one row, unless it contains URLs of other rows', async () => {
  const text = `audio_url,custom_metadata.note\n${urls[0]},"two\r\nlines"\n${urls[1]},b`;
  assert.deepEqual(
    (await audioOf(text)).map(({ row, metadata }) => [row, metadata]),
    [
      [2, { note: 'two\nlines' }],
      [3, { note: 'b' }],
    ],
  );
  const swallowing = `name,audio_url\nAnn,"${urls[0]}\nBo,${urls[1]}"`;
  assert.match(await problemOf(swallowing), /^Row 2: one cell holds several lines/);
});

test('rows that are longer than their headings are reported, whatever the delimiter', async () => {
  for (const delimiter of [',', ';', '|']) {
    const cut = `https://audio.example/a${delimiter}q${delimiter}1.wav`;
    const text = `audio_url\n${cut}\n${urls[0]}\n${cut}x\n${cut}y`;
    assert.match(await problemOf(text), /^Row 2, 4, 5: more cells than/);
    assert.match(await problemOf(`sep=${delimiter}\naudio_url\n${cut}\n${urls[0]}\n`), /^Row 3: more cells than/);
    const quoted = `audio_url${delimiter}\n"${cut}"${delimiter}${delimiter} \n${urls[0]}`;
    assert.deepEqual(await urlsOf(quoted), [cut, urls[0]]);
  }
  const many = Array.from({ length: 30 }, (_, index) => `https://audio.example/a,${index},b.wav`).join('\n');
  assert.match(await problemOf(`audio_url\n${many}`), /^Row 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, and 20 more: /);
});

test('without headings no URL is cut at a comma or semicolon', async () => {
  for (const delimiter of [',', ';']) {
    const cut = `https://audio.example/a${delimiter}1.wav`;
    const rows = (make: (url: string, index: number) => string): string => urls.map(make).join('\n');
    assert.match(await problemOf(rows((_url, index) => `${cut}?${index}`)), /^Row 1, 2, 3: without headings/);
    const named = rows((url, index) => `Call ${index}${delimiter}${url}`);
    assert.deepEqual(await urlsOf(named), urls);
    assert.match(await problemOf(`${named}\nCall 4${delimiter}${cut}`), /^Row 4: without headings/);
    assert.deepEqual(await urlsOf(rows((url, index) => `${url}${delimiter} Call ${index}`)), urls);
  }
});

test('a first line that names the delimiter is applied, and counts as a row', async () => {
  for (const delimiter of [',', ';', '|', '\t']) {
    const rows = urls.map((url, index) => `${url}${delimiter}"a,b;c|d\te ${index}"`);
    const table = [`audio_url${delimiter}custom_metadata.n`, ...rows].join('\n');
    const expected = listed(3, (index) => ({ n: `a,b;c|d\te ${index}` }));
    const named = `sep=${delimiter}`;
    for (const line of [`${named}\n`, `"${named}"\r\n`, `${named.toUpperCase()}\r`, `\uFEFF${named}\n`]) {
      assert.deepEqual(await audioOf(line + table), expected, JSON.stringify(line));
    }
  }
});

test('a tab-separated table is recognised whatever else its cells contain', async () => {
  const withComma = urls.map((url) => `${url},x;y|z`);
  const rows = withComma.map((url, index) => `${url}\t${index}, of 3`);
  assert.deepEqual(
    await audioOf(['audio_url\tcustom_metadata.n', ...rows].join('\n')),
    withComma.map((url, index) => ({ row: index + 2, url, metadata: { n: `${index}, of 3` } })),
  );
  assert.deepEqual(await urlsOf(withComma.map((url) => `${url}\tAnn`).join('\n')), withComma);
  // A file whose type is a tab-separated table needs no tab.
  assert.deepEqual(await urlsOf(['audio_url', ...withComma].join('\n'), '\t'), withComma);
});
