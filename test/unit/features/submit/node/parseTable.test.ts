import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  readAudio,
  surveyList,
  type AudioList,
  type Table,
} from '../../../../../src/features/submit/common/audioList.ts';
import { WorkSlices } from '../../../../../src/base/clock.ts';
import { parseList, parseTable } from '../../../../../src/features/submit/node/parseTable.ts';
import { propertyRuns } from '../../../../support/propertyRuns.ts';
import { repositoryRoot } from '../../../../support/editor/repositoryRoot.ts';

function run<T>(steps: Generator<undefined, T>): Promise<T> {
  return new WorkSlices().run(steps);
}

const urls = ['https://audio.example/1.wav', 'https://audio.example/2.wav?a=1', 'http://audio.example/3.wav'];

/** Returns the list that would be sent for a table, or the reason why none is. */
async function readList(text: string, delimiter?: string): Promise<AudioList | string> {
  return listOf(await parseTable(text, delimiter));
}

async function listOf(table: Table): Promise<AudioList | string> {
  const survey = await run(surveyList(table, []));
  if (survey.problem !== undefined) return survey.problem;
  const url = survey.columns.toSorted((a, b) => b.urls - a.urls)[0]?.index ?? 0;
  const keyed = survey.columns.flatMap(({ key, index }) =>
    key === undefined || index === url ? [] : [[key, index] as const],
  );
  return run(readAudio(table, survey, { url, metadata: new Map(keyed) }));
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

function caseText(name: string): Promise<string> {
  return readFile(join(repositoryRoot, 'test/fixtures/lists', name), 'utf8');
}

test('lists of other programs are read whole, or rejected with the numbers of their rows', async () => {
  assert.deepEqual(
    await urlsOf(await caseText('heading-crlf-rows-lf.csv')),
    [1, 2, 3].map((n) => `https://f.example.org/${n}.mp3`),
  );
  const marked = await audioOf(await caseText('sep-line.csv'));
  assert.deepEqual(
    marked.map(({ row, metadata }) => [row, metadata]),
    [
      [3, { customer: 'Acme' }],
      [4, { customer: 'Bolt' }],
    ],
  );
  assert.match(await problemOf(await caseText('unclosed-quote.csv')), /^Row 3: a quotation mark is not closed/);
  assert.match(await problemOf(await caseText('urls-with-commas.csv')), /^Row 2, 3, 4: more cells than headings/);
  assert.deepEqual(
    await urlsOf(await caseText('tab-separated.txt')),
    [1, 2].map((n) => `https://f.example.org/${n}.mp3`),
  );
});

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

test('an odd quotation mark is reported with its row, if any cell is in quotation marks', async () => {
  // The second one is too many: the name was `, ,`, a line break, `"`, a line break and `Ann`.
  const cut = 'audio_url,name,note\n"https://audio.example/1",2.wav,", ,"\n""\nAnn"';
  assert.match(await problemOf(`${cut}\n${urls[0]},Bob,`), /^Row 4: a quotation mark/);
  const inches = `audio_url,name\n${urls[0]},12" vinyl\n${urls[1]},7" vinyl`;
  assert.deepEqual(await urlsOf(inches), urls.slice(0, 2));
  assert.match(await problemOf(`${inches}\n${urls[2]},"LP"`), /^Row 2: a quotation mark/);
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
    if (delimiter === ',') assert.match(await problemOf(text), /^Row 2, 4, 5: more cells than/);
    // One column of comma-separated values.
    else assert.deepEqual(await urlsOf(text), [cut, urls[0], `${cut}x`, `${cut}y`]);
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
    assert.match(
      await problemOf(rows((_url, index) => `${cut}?${index}`)),
      delimiter === ',' ? /^Row 1, 2, 3: without headings/ : /^What separates its columns \(comma, semicolon\)/,
    );
    assert.match(await problemOf(`https://audio.example/${delimiter}${delimiter}1`), /^Row 1: without headings|^What/);
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
  // A spreadsheet separates copied cells by tabs; a comma file without headings may have one in a cell.
  const bare = withComma.map((url) => `${url}\tAnn`).join('\n');
  for (const extension of [undefined, 'txt', 'tsv']) {
    const list = await listOf(await parseList(bare, extension));
    assert.deepEqual(typeof list === 'string' ? list : list.audio.map(({ url }) => url), withComma);
  }
  assert.match(await problemOf(bare), /^What separates its columns \(tab, comma, semicolon, vertical bar\)\?/);
  // A file whose type is a tab-separated table needs no tab.
  assert.deepEqual(await urlsOf(['audio_url', ...withComma].join('\n'), '\t'), withComma);
});

test('headings name the delimiter, whatever their rows contain', async () => {
  const odd = 'https://audio.example/a,1;b|c.wav?s=1,2;3|4';
  for (const delimiter of [',', ';', '|']) {
    for (const headings of [
      ['audio_url', 'client'],
      ['"Titre"', '"lien"'],
    ]) {
      const at = headings.findIndex((name) => /url|lien/.test(name));
      const line = (url: string, other?: string): string =>
        (at === 0 ? [url, other] : [other ?? '', url]).filter((cell) => cell !== undefined).join(delimiter);
      const rows = [line(odd.replaceAll(delimiter, '_'), '-'), line(`"${odd}"`), line(urls[0] ?? '', 'a\tb')];
      const expected = [odd.replaceAll(delimiter, '_'), odd, urls[0]];
      assert.deepEqual(await urlsOf([headings.join(delimiter), ...rows].join('\n')), expected, rows.join('\n'));
    }
  }
});

test('a tab below the first row hides no rest of a URL', async () => {
  const rows = [urls[0], 'https://audio.example/a|b-1.wav\tp|q', 'https://audio.example/a|b-2.wav\t"1,5"'];
  assert.match(await problemOf(rows.join('\r\n')), /^What separates its columns/);
  // One before the URLs is a delimiter.
  const indented = [1, 2].map((n) => `https://audio.example/w_100,h_${n}/a.wav`);
  const list = await listOf(await parseList(indented.map((url) => `\n\t${url}`).join(''), 'txt'));
  assert.deepEqual(typeof list === 'string' ? list : list.audio.map(({ url }) => url), indented);
});

test('a cell that holds more than its URL is left out', async () => {
  const more = [`${urls[0]},${urls[1]}`, `${urls[0]};${urls[1]}`, `${urls[0]}|a;"x"`];
  const inQuery = 'https://audio.example/get?of=https://x.example/1,https://x.example/2';
  const list = await run(
    readAudio(
      { rows: [...more, inQuery].map((cell) => [cell]) },
      { headingsAt: -1 },
      {
        url: 0,
        metadata: new Map(),
      },
    ),
  );
  assert.deepEqual(
    list.unusable,
    more.map((_cell, index) => ({ row: index + 1, reason: 'more' })),
  );
  assert.deepEqual(
    list.audio.map(({ url }) => url),
    [inQuery],
  );
});

test('empty cells beyond the headings hide no rest of a URL', async () => {
  assert.match(
    await problemOf(`audio_url,title\nhttps://audio.example/a,1.wav,\n${urls[0]},b`),
    /^Row 2: more cells than/,
  );
  assert.deepEqual(await urlsOf(`audio_url,title\n${urls[0]},A title,,\n${urls[1]},,,`), urls.slice(0, 2));
});

test('a cell that is longer than what is parsed at once is read, until it is too long', async () => {
  const table = (length: number): string =>
    `audio_url,note\n${urls[0]},"${'a line\n'.repeat(length / 7)}"\n${urls[1]},b\n${urls[2]},"c`;
  for (const length of [100, 70_000, 300_000, 1_000_000]) {
    assert.deepEqual(await urlsOf(`${table(length)}"`), urls);
    assert.match(await problemOf(table(length)), /^Row 4: a quotation mark/);
  }
  assert.match(await problemOf(`${table(3_000_000)}"`), /^Row 2: a quotation mark/);
  assert.match(await problemOf(`audio_url,b\n${urls[0]},a\n${urls[1]},${'b'.repeat(2_000_000)}`), /^Row 3 is too long/);
});

test('a closed cell that is too long is no open quotation mark', async () => {
  const huge = `audio_url,note\n${urls[0]},"${'x'.repeat(8_000_000)}"\n${urls[1]},b\n`;
  assert.equal(await problemOf(huge), 'Row 2 is too long for a list of URLs.');
});

test('the delimiter is the only one that gives equal rows with whole URLs, else it is asked for', async () => {
  const [x, y] = ['https://x.example/w_1,h_1/a.wav', 'https://x.example/w_2,h_2/b.wav'];
  for (const [text, expected] of [
    // Rows that a comma divides, too, but not equally.
    [`${x};Ann\nhttps://x.example/c.wav;Bo`, [x, 'https://x.example/c.wav']],
    [`Lien du son;Remarque\n${x};Ann\n${y};Bo, B.`, [x, y]],
    // One column is CSV, too.
    [
      'Recording\nhttps://x.example/a;v=1.wav\nhttps://x.example/b.wav',
      ['https://x.example/a;v=1.wav', 'https://x.example/b.wav'],
    ],
    // A row without a URL, and a blank one.
    [`${urls[0]}|1,5\n|\n-|2,5\n${urls[1]}|3,5`, urls.slice(0, 2)],
  ] as const) {
    const list = await readList(text);
    const found = typeof list === 'string' ? list : list.audio.map(({ url }) => url);
    if (typeof found === 'string') assert.match(found, /without headings/, text);
    else assert.deepEqual(found, expected, text);
  }
  for (const text of [
    'https://x.example/1.mp3,a\tb',
    'https://x.example/b,c/3.mp3|b c',
    'https://x.example/a,1.mp3;b c',
  ]) {
    assert.match(await problemOf(text), /^What separates its columns/, text);
    assert.deepEqual(await urlsOf(`audio_url,note\n"${text}"\n${urls[0]},a`), [urls[0]], 'headings decide');
  }
});

test('in a text with one URL per line commas belong to the URL, whatever follows a tab', async () => {
  const [x, y, z] = ['https://x.example/a,1.mp3', 'https://x.example/b,2.mp3', 'https://x.example/c;3.mp3'];
  for (const text of [
    `${x}\n${y}\n${z}`,
    `${x}\n${y}\n${z}\tnote`,
    `${x}\t\n${y}\n${z}`,
    `Calls, May\n${x}\n${y}\n${z}`,
  ]) {
    const list = await listOf(await parseList(text, 'txt'));
    assert.deepEqual(typeof list === 'string' ? list : list.audio.map(({ url }) => url), [x, y, z], text);
  }
  // Headings make it a table.
  const headed = await listOf(await parseList(`title,url\n"a\tb",${urls[0]}`, 'txt'));
  assert.deepEqual(typeof headed === 'string' ? headed : headed.audio.map(({ url }) => url), [urls[0]]);
});

/** Writes a table. Cells that need quotation marks get them; some others, too. */
function writeTable(
  rows: readonly (readonly string[])[],
  delimiter: string,
  lineEnds: readonly string[],
  quotes: readonly boolean[],
): string {
  let cells = 0;
  const writeCell = (cell: string): string =>
    /["\r\n]/.test(cell) || cell.includes(delimiter) || quotes[cells++ % quotes.length] === true
      ? `"${cell.replaceAll('"', '""')}"`
      : cell;
  return rows
    .map((row, index) => row.map(writeCell).join(delimiter) + (lineEnds[index % lineEnds.length] ?? ''))
    .join('');
}

const path = fc.stringMatching(/^[a-z0-9_,;=|~.-]{1,12}$/);
const drawnUrl = fc
  .tuple(fc.constantFrom('https://', 'http://', 'HTTPS://'), path)
  .map(([scheme, end]) => `${scheme}audio.example/${end}`);
const otherCell = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    'Ann',
    'a "b" c',
    '"',
    'two\nlines',
    'a,b;c|d\te',
    'ftp://x.example/a',
    'é',
    '=1+1',
    '\u2028',
  ),
  fc.string({ maxLength: 8, unit: fc.constantFrom('a', ' ', '"', ',', ';', '\n', "'") }),
);
const drawnTable = fc
  .record({
    width: fc.integer({ min: 1, max: 4 }),
    delimiter: fc.constantFrom(',', ';', '\t', '|'),
    // A carriage return before an empty row with a line feed would be one line end.
    lineEnds: fc
      .constantFrom('\n', '\r')
      .chain((end) => fc.array(fc.constantFrom(end, '\r\n'), { minLength: 1, maxLength: 3 })),
    quotes: fc.array(fc.boolean(), { minLength: 1, maxLength: 5 }),
    drawn: fc.array(
      fc.tuple(
        fc.oneof({ weight: 3, arbitrary: drawnUrl }, { weight: 1, arbitrary: otherCell }),
        fc.array(otherCell, { minLength: 3, maxLength: 3 }),
      ),
      { minLength: 1, maxLength: 12 },
    ),
  })
  .map(({ width, drawn, ...format }) => {
    const headings = ['audio_url', 'title', 'custom_metadata.note', 'other'].slice(0, width);
    const rows = drawn.map(([audio, others]) => [audio, ...others].slice(0, width));
    return { ...format, headings, rows };
  });

test('each row of a table is sent with its whole URL or left out, and the list is else rejected', async () => {
  await fc.assert(
    fc.asyncProperty(drawnTable, async ({ headings, rows, delimiter, lineEnds, quotes }) => {
      const list = await readList(`sep=${delimiter}\n${writeTable([headings, ...rows], delimiter, lineEnds, quotes)}`);
      if (typeof list === 'string') {
        // A cell with a line end may be followed by anything that looks like a URL, and then is no longer trusted.
        assert.match(list, /^Row [\d, ]+: /);
        assert.ok(
          rows.some((row) => row.some((cell) => /\n[^]*https?:/i.test(cell))),
          list,
        );
        return;
      }
      const filled = rows.flatMap((row, index) => (row.every((cell) => cell.trim() === '') ? [] : [index + 3]));
      const accounted = [...list.audio, ...list.unusable].map(({ row }) => row).toSorted((a, b) => a - b);
      // Without any URL, the headings are a row like the others.
      assert.deepEqual(accounted, list.headings === undefined ? [2, ...filled] : filled);
      for (const { row, url } of list.audio) assert.equal(url, rows[row - 3]?.[0]?.trim());
    }),
    { numRuns: propertyRuns },
  );
});

test('no URL of a table without its delimiter in the first line is cut or joined with other cells', async () => {
  await fc.assert(
    fc.asyncProperty(drawnTable, fc.boolean(), async ({ headings, rows, delimiter, lineEnds, quotes }, isHeaded) => {
      const list = await readList(writeTable(isHeaded ? [headings, ...rows] : rows, delimiter, lineEnds, quotes));
      if (typeof list === 'string') return;
      // A delimiter at the end of a URL may be one before an empty cell.
      const given = new Set(rows.flatMap(([url = '']) => [url.trim(), url.trim().replace(/[,;|]+$/, '')]));
      for (const { url } of list.audio) assert.ok(given.has(url), url);
    }),
    { numRuns: propertyRuns },
  );
});

/** Returns the parts joined by a character, but not before one of them. */
function withoutOne(parts: readonly string[], character: string, index: number): string {
  return parts.slice(0, index).join(character) + parts.slice(index).join(character);
}

test('a quotation mark or delimiter too many shortens no URL', async () => {
  await fc.assert(
    fc.asyncProperty(
      drawnTable,
      fc.nat(),
      fc.boolean(),
      async ({ headings, rows, delimiter, lineEnds, quotes }, place, isQuote) => {
        const text = writeTable([headings, ...rows], delimiter, lineEnds, quotes);
        const at = place % (text.length + 1);
        const odd = isQuote ? '"' : delimiter;
        const list = await readList(`sep=${delimiter}\n${text.slice(0, at)}${odd}${text.slice(at)}`);
        if (typeof list === 'string') return;
        for (const { url } of list.audio) {
          // The character itself may be in a URL in quotation marks.
          if (
            rows.some((row) =>
              url.split(odd).some((_part, index, parts) => row[0]?.trim() === withoutOne(parts, odd, index)),
            )
          )
            continue;
          const isShorter = rows.some((row) => row[0]?.trim().startsWith(url) === true && row[0].trim() !== url);
          assert.ok(
            !isShorter || rows.some((row) => row[0]?.trim() === url),
            `${url} of ${JSON.stringify(text)} with ${odd} at ${at}`,
          );
        }
      },
    ),
    { numRuns: propertyRuns },
  );
});

test('a table is the same whatever is parsed at once', async () => {
  const bounds = { sliceLength: 64 * 1024, maxRowLength: 10_000, maxRows: 1000, maxCells: 10_000 };
  await fc.assert(
    fc.asyncProperty(
      fc.string({ maxLength: 60, unit: fc.constantFrom('a', '"', ',', '\n', '\r', ' ', '""') }),
      fc.integer({ min: 1, max: 20 }),
      async (text, sliceLength) => {
        const whole = await parseTable(text, ',', bounds);
        const sliced = await parseTable(text, ',', { ...bounds, sliceLength });
        assert.deepEqual(sliced.problem, whole.problem);
        if (whole.problem === undefined) assert.deepEqual(sliced.rows, whole.rows);
      },
    ),
    { numRuns: propertyRuns },
  );
});
