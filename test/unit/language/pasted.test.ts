import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { understandPaste } from '../../../src/language/pasted.ts';
import { maxEditorValues, parseRequest } from '../../../src/language/request/requestFile.ts';
import { propertyRuns } from '../../support/propertyRuns.ts';

/** Pastes over the text between « and », or at a bar. @returns the interpreted paste, and the text after it */
function paste(marked: string, pasted: string) {
  const plain = marked.replaceAll(/[«»|]/gu, '');
  const offset = marked.search(/[«|]/u);
  const length = marked.includes('»') ? marked.indexOf('»') - offset - 1 : 0;
  const understood = understandPaste(parseRequest(plain), { offset, length }, pasted);
  if (!understood || understood.type === 'localFile') return { type: understood?.type, after: plain };
  const { type, range = { offset, length }, text, title, count } = understood;
  const after = plain.slice(0, range.offset) + text + plain.slice(range.offset + range.length);
  return { type, after, title, count };
}

describe('Rows of a spreadsheet', () => {
  const around = (list: string): string => `{ "custom_vocabulary_config": { "vocabulary": [${list}] } }`;
  const terms = (marked: string, pasted: string): unknown => {
    const { type, after } = paste(around(marked), pasted);
    assert.equal(type, 'terms', after);
    const { custom_vocabulary_config: config } = JSON.parse(after) as {
      readonly custom_vocabulary_config: { readonly vocabulary: unknown };
    };
    return config.vocabulary;
  };

  it('become terms with pronunciations, intensity and language', () => {
    assert.deepEqual(terms('|', 'Nguyen\twin, nwin\t0.5\tvi\nKubernetes\nQuay\tkey\r\n'), [
      { value: 'Nguyen', pronunciations: ['win', 'nwin'], intensity: 0.5, language: 'vi' },
      'Kubernetes',
      { value: 'Quay', pronunciations: ['key'] },
    ]);
  });

  it('are recognised by their headings, in any order, and in French', () => {
    assert.deepEqual(terms('|', 'Langue\tTerme\tIntensité\tPrononciation\nFR\tQuai\t0,6\tké\n'), [
      { value: 'Quai', pronunciations: ['ké'], intensity: 0.6, language: 'fr' },
    ]);
    assert.deepEqual(terms('|', 'Term\tWeight\nHelm\t50 %'), [{ value: 'Helm', intensity: 0.5 }]);
  });

  it('keep their numbers as written, and convert percentages exactly', () => {
    const { after } = paste(around('|'), 'a\t0.50\nb\t33.3 %\nc\t0,7');
    assert.deepEqual(
      [...after.matchAll(/"intensity":([\d.]+)/gu)].map(([, written]) => written),
      ['0.50', '0.333', '0.7'],
    );
  });

  it('keep line breaks and quotes within their cells', () => {
    assert.deepEqual(terms('|', '"say ""hi"""\t"a\nb"\nx\ty\n'), [
      { value: 'say "hi"', pronunciations: ['a', 'b'] },
      { value: 'x', pronunciations: ['y'] },
    ]);
  });

  it('are inserted between other terms, with the missing commas, and replace selected terms', () => {
    assert.deepEqual(terms('"a"|', 'b\nc'), ['a', 'b', 'c']);
    assert.deepEqual(terms('"a", |"d"', 'b\nc'), ['a', 'b', 'c', 'd']);
    assert.deepEqual(terms('"a", |', 'b\nc'), ['a', 'b', 'c']);
    assert.deepEqual(terms('|, "d"', 'b\nc'), ['b', 'c', 'd']);
    assert.deepEqual(terms('«"a"», "d"', 'b\nc'), ['b', 'c', 'd']);
  });

  it('replace the empty term in which completion leaves the cursor', () => {
    assert.deepEqual(terms('"|"', 'Nguyen\twin\nb'), [{ value: 'Nguyen', pronunciations: ['win'] }, 'b']);
    assert.deepEqual(terms('"a", "|", "d"', 'b\nc'), ['a', 'b', 'c', 'd']);
  });

  it('have the line breaks and the indentation of the file', () => {
    for (const [gap, marked] of [
      ['\n\t\t', '"|"'],
      ['\r\n      ', '|'],
    ] as const) {
      const { after } = paste(`{"custom_vocabulary_config": {"vocabulary": [${gap}${marked}${gap}]}}`, 'a\nb');
      assert.equal(after, `{"custom_vocabulary_config": {"vocabulary": [${gap}"a",${gap}"b"${gap}]}}`);
    }
  });

  it('are pasted unchanged if they have more cells or values than a request', () => {
    // The list is a value, too.
    const most = maxEditorValues - 1;
    assert.equal(paste(around('|'), 'a\n'.repeat(most)).count, most);
    assert.equal(paste(around('|'), 'a\n'.repeat(most + 1)).type, undefined);
    assert.equal(paste(around('|'), `a\t${'b;'.repeat(8000)}\n`.repeat(10)).type, undefined);
  });

  it('have at most 200 characters of the indentation of the file', () => {
    const { after } = paste(`{"custom_vocabulary_config": {\n${' '.repeat(1500)}"vocabulary": [|]}}`, 'a\nb');
    assert.match(after, /\["a",\n {200}"b"\]/u);
  });

  it('are pasted unchanged within a term, elsewhere, and if there is a single word', () => {
    assert.equal(paste(around('"a|"'), 'b\nc').type, undefined);
    assert.equal(paste(around('{ "value": | }'), 'b\nc').type, undefined);
    assert.equal(paste(around('|'), 'word').type, undefined);
    assert.equal(paste(around('|'), '\t\n\t').type, undefined);
    assert.equal(paste('{ "other": [|] }', 'b\tc').type, undefined);
  });
});

describe('Addresses', () => {
  const address = 'https://media.example.com/a.mp3?sig=a%20b';

  it('become the audio, without the surrounding characters', () => {
    const wanted = `{ "audio_url": "${address}", "sentences": true }`;
    for (const marked of ['"|"', '"«https://old.example»"', '«"https://old.example"»', '«""»']) {
      for (const pasted of [address, `  ${address}\n`, `<${address}>`, `"${address}"`]) {
        const { type, after } = paste(`{ "audio_url": ${marked}, "sentences": true }`, pasted);
        assert.equal(type, 'address', `${marked} ${pasted}`);
        assert.deepEqual(JSON.parse(after), JSON.parse(wanted));
      }
    }
  });

  it('become one audio for a request; the others are for a batch', () => {
    const pasted = paste('{ "audio_url": "|" }', `${address}\n\nhttps://media.example.com/b.mp3\n`);
    assert.deepEqual([pasted.type, pasted.count, pasted.title], ['severalAddresses', 2, 'Paste the first of 2 URLs']);
    assert.deepEqual(JSON.parse(pasted.after), { audio_url: address });
  });

  it('are pasted unchanged into a part of another address, and elsewhere', () => {
    assert.equal(paste('{ "audio_url": "https://old.example|" }', address).type, undefined);
    assert.equal(paste('{ "audio_url": "", "callback_url": "|" }', address).type, undefined);
    assert.equal(paste('{ "audio_url": "|" }', 'some words').type, undefined);
  });

  it('are distinguished from files of this machine, which no service can fetch', () => {
    for (const file of ['file:///home/me/a.mp3', '/home/me/a.WAV', String.raw`C:\talks\a.m4a`, '~/a.ogg']) {
      assert.equal(paste('{ "audio_url": "|" }', file).type, 'localFile', file);
    }
    assert.equal(paste('{ "audio_url": "|" }', '/home/me/notes.txt').type, undefined);
  });
});

describe('The body of a request', () => {
  // A number that JavaScript cannot represent, a name of another service, and a comment.
  const body =
    '{\n\t"audio_url" : "https://media.example.com/a.mp3", // now\n\t"metadata": { "n": 9007199254740993 }\n}';

  it('replaces the braces of an empty request, unchanged', () => {
    for (const marked of ['{|}', '{\n  |\n}\n', '{«"old": 1»}']) {
      for (const pasted of [body, `\n  ${body}\n\n`]) {
        const { type, after } = paste(marked, pasted);
        assert.deepEqual([type, after], ['request', `${body}\n`], marked);
      }
    }
  });

  it('is pasted by the editor if nothing else remains, or there is a request already', () => {
    for (const marked of [
      '|',
      '«{ "old": 1 }»',
      '{ "audio_url": "", | }',
      '{ "custom_metadata": {|}, "audio_url": "" }',
    ]) {
      assert.equal(paste(marked, body).type, undefined, marked);
    }
  });

  it('is not recognised if it is broken, no object, or a command', () => {
    for (const pasted of ['{', '{ "a": 1', '[1]', 'null', 'curl https://example.com', `curl x -d '${body}'`]) {
      assert.equal(paste('{|}', pasted).type, undefined, pasted);
    }
  });
});

it('a request remains unchanged or valid JSON, whatever is pasted at any position', () => {
  const places = ['{|}', '{ "audio_url": "|" }', '{ "custom_vocabulary_config": { "vocabulary": ["a"|, "b"] } }'];
  const piece = fc.constantFrom(
    '\t',
    '\n',
    '"',
    "'",
    '\\',
    'a',
    '0.5',
    'curl ',
    '-d ',
    '{}',
    '{"language":"fr"}',
    'https://a.example',
    '\r\n',
    ' ',
  );
  const text = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''));
  fc.assert(
    fc.property(fc.constantFrom(...places), text, (marked, pasted) => {
      const { type, after } = paste(marked, pasted);
      return type === undefined || parseRequest(after).problems.length === 0;
    }),
    { numRuns: propertyRuns },
  );
});
