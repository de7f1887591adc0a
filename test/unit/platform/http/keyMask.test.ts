import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { Failure } from '../../../../src/base/failure.ts';
import { KeyMask } from '../../../../src/platform/http/keyMask.ts';
import { finish } from '../../../support/finish.ts';
import { keyForms, keyFormsIn, markedKey } from '../../../support/hostile/keyForms.ts';
import { propertyRuns } from '../../../support/propertyRuns.ts';

const key = 'a+b/c "d"\\';

suite('KeyMask', () => {
  const keyMask = new KeyMask(key);
  for (const form of [
    key,
    JSON.stringify({ key }),
    `?k=${encodeURIComponent(key)}`,
    `?${new URLSearchParams({ k: key }).toString()}`,
  ]) {
    test(`masks the key in ${form}`, () => {
      const text = keyMask.apply(`before ${form} after ${form}`);
      assert.ok(text.includes('•••') && !/a\+b|a%2Bb/.test(text), text);
    });
  }

  const forms: readonly (readonly [name: string, form: string])[] = [
    ['slashes', String.raw`a+b\/c \"d\"\\`],
    ['code units', String.raw`a\u002Bb\u002fc \u0022d\u0022\u005C`],
    ['part of a URL', 'a%2bb/c "d"%5C'],
    ['entities', 'a&#43;b&#x2F;c &quot;d&quot;\\'],
    ['upper case', 'A+B/C "D"\\'],
  ];
  for (const [name, form] of forms) {
    test(`masks it when written with ${name}`, () =>
      assert.equal(keyMask.apply(`50% of <${form}> & more`), '50% of <•••> & more'));
  }

  test('keeps escapes that are not part of the key', () => {
    const text = String.raw`\u002B%41%FF&lt;&#99999999;&#x7fffffff;&#1114112;%4`;
    assert.equal(keyMask.apply(text), text);
    assert.equal(keyMask.apply(`${text} ${key}`), `${text} •••`);
  });

  test('masks a short key as a whole', () => {
    assert.equal(new KeyMask('k-1').apply('no K-1, nor k-'), 'no •••, nor k-');
  });
});

suite('the forms of a key', () => {
  const long = 'Sk_live-9f8E7d6C5b4A39281706+/x';
  const keyMask = new KeyMask(long);
  const escapedAll = long.replace(/[^]/g, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`);
  const percentAll = long.replace(/[^]/g, (each) => `%${each.charCodeAt(0).toString(16)}`);
  const written: Readonly<Record<string, string>> = {
    plain: long,
    'lower case': long.toLowerCase(),
    'upper case': long.toUpperCase(),
    'code units': escapedAll,
    'percent signs': percentAll,
    hexadecimal: Buffer.from(long).toString('hex'),
    HEXADECIMAL: Buffer.from(long).toString('hex').toUpperCase(),
  };
  for (const [name, form] of Object.entries(written)) {
    test(`${name} are masked`, () => {
      assert.equal(keyMask.apply(`[${form}]`), '[•••]');
      assert.ok(keyMask.holds(`x${form}x`));
    });
  }

  test('are exactly those that docs/privacy.md names', () => {
    const base64 = Buffer.from(long).toString('base64');
    const named: Readonly<Record<string, readonly string[]>> = {
      'as it is': [long],
      'in any letter case': [long.toLowerCase(), long.toUpperCase()],
      'escaped for URLs, JSON or HTML': [
        encodeURIComponent(long),
        percentAll,
        JSON.stringify(long).slice(1, -1),
        escapedAll,
        long.replace(/[^]/g, (each) => `&#${each.charCodeAt(0)};`),
        long.replace(/[^]/g, (each) => `&#x${each.charCodeAt(0).toString(16)};`),
      ],
      'in base64 or base64url': [base64.replace(/=+$/, ''), Buffer.from(long).toString('base64url')],
      'within a longer text in base64': [Buffer.from(`user:${long}:more`).toString('base64')],
      'in hexadecimal': [Buffer.from(long).toString('hex')],
    };
    const [, sentence = ''] =
      /If a service repeats the key, it is masked (.+?)\./.exec(readFileSync('docs/privacy.md', 'utf8')) ?? [];
    assert.equal(Object.keys(named).join(', '), sentence.replace(', and ', ', '));
    for (const form of Object.values(named).flat()) {
      assert.ok(keyMask.apply(`[${form}]`).includes('•••') && keyMask.holds(form), form);
    }
  });

  test('base64 is masked at every offset, in both alphabets', () => {
    for (const before of ['', 'u', 'us', 'user:', 'user:x']) {
      for (const encoding of ['base64', 'base64url'] as const) {
        const shown = keyMask.apply(Buffer.from(`${before}${long}:after`).toString(encoding));
        assert.ok(shown.includes('•••'), shown);
        const left = Buffer.from(shown.replaceAll('•', ''), 'base64').toString('latin1');
        assert.ok(!left.includes(long.slice(2, 6)) && !left.includes(long.slice(-5, -1)), left);
      }
    }
  });

  test('no eight characters of the key remain, whatever the text around it', () => {
    const around = fc.string({ unit: 'grapheme', maxLength: 30 });
    const form = fc.constantFrom(...Object.values(written));
    fc.assert(
      fc.property(fc.array(fc.tuple(around, form), { maxLength: 4 }), around, (parts, end) => {
        const shown = keyMask.apply(parts.flat().join('') + end).toLowerCase();
        for (let at = 0; at + 8 <= long.length; at++) {
          assert.ok(!shown.includes(long.slice(at, at + 8).toLowerCase()), shown);
        }
      }),
      { numRuns: propertyRuns },
    );
  });
});

test('a failure is masked, and otherwise unchanged', () => {
  const facts = { status: 400, retryAtMs: 7 };
  const reported = { serviceMessage: `bad ${key}`, fieldErrors: [`x: ${key}`], requestId: key, cause: key };
  const keyMask = new KeyMask(key);
  const failure = keyMask.applyToFailure(new Failure('rejected', { ...facts, ...reported }));
  assert.equal(failure.code, 'rejected');
  assert.deepEqual(failure.facts, {
    ...facts,
    serviceMessage: 'bad •••',
    fieldErrors: ['x: •••'],
    requestId: '•••',
    cause: '•••',
  });
  assert.ok(!failure.message.includes(key));
  assert.deepEqual(keyMask.applyToFailure(new Failure('timeout', facts)).facts, facts);
});

suite('the masked beginning of a text with a key', () => {
  const long = 'Sk_live-9f8E7d6C5b4A39281706+/x';
  const keyMask = new KeyMask(long);

  test('shows no eight characters of the key, wherever the text is truncated', () => {
    for (let before = 19_900; before < 20_010; before += 5) {
      for (const filler of ['n ', 'n']) {
        const reported = keyMask.applyToBeginning(
          `${filler.repeat(before).slice(0, before)}${long}${long}${'y'.repeat(500)}`,
        );
        assert.ok(!/Sk_live|9f8E7d|5b4A39/.test(reported), String(before));
        assert.ok(reported.length > 19_000);
      }
    }
    const cut = `${'n'.repeat(500)}${long.slice(0, 7)}`;
    assert.ok(!keyMask.applyToBeginning(cut, true).includes('Sk_'));
  });

  test('is the whole text if that is short, even if it ends like the start of a key', () => {
    assert.equal(keyMask.applyToBeginning('no Sk_li'), 'no Sk_li');
    assert.equal(keyMask.applyToBeginning('no Sk_li', true), '');
  });

  test('is not empty even if the text consists of keys', () => {
    const huge = new KeyMask('k3y-'.repeat(1024));
    assert.equal(huge.applyToBeginning('k3y-'.repeat(16_384)), '•••');
    assert.equal(keyMask.applyToBeginning(`${long}: ${'•'.repeat(9)} ${long.repeat(2000)}`), '•••: ••••••••• •••');
    assert.equal(keyMask.applyToBeginning(`refused: ${long}`, true), 'refused: •••');
  });

  test('is masked without reading the whole text', () => {
    const startMs = process.threadCpuUsage().user;
    keyMask.applyToBeginning(`${long} `.repeat(500_000));
    // Masking the whole text would take more than ten times as long.
    assert.ok(process.threadCpuUsage().user - startMs < 2e6);
  });
});

suite('a JSON text with the key', () => {
  const keyMask = new KeyMask(markedKey);
  const masked = (text: string, by = keyMask): string => finish(by.applyToJson(text));

  test('is unchanged if it does not contain the key', () => {
    const text = String.raw`{ "n":1.50, "a\u0062c":"\u00e9\n\\", "a":[true,null , -1e3] }`;
    assert.equal(masked(text), text);
  });

  test('stays valid with the key masked in strings, names and numbers, and is otherwise unchanged', () => {
    const digits = new KeyMask('123456789012');
    assert.equal(
      masked(
        String.raw`{"a":1.50,"b":["\u00e9",123456789012,-1234567890123.5],"123456789012":"x123456789012"}`,
        digits,
      ),
      String.raw`{"a":1.50,"b":["\u00e9","•••","•••"],"•••":"x•••"}`,
    );
  });

  test('has the key masked in every form, escaped or not, even across two parts of the text', () => {
    const escapedAll = (text: string): string =>
      text.replaceAll(/[^]/gu, (each) => String.raw`\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`);
    const size = 64 * 1024;
    const fillers = { x: 'x', [String.raw`\\\\`]: '\\', [String.raw`\u00e9`]: 'é' };
    for (const [index, { name, write }] of keyForms.entries()) {
      for (const form of [JSON.stringify(write(markedKey)).slice(1, -1), escapedAll(write(markedKey))]) {
        for (const before of [size - Math.floor(form.length / 2), size - 1]) {
          const [filler, decoded] = Object.entries(fillers)[(index + before) % 3] ?? assert.fail();
          const start = filler.repeat(before).slice(0, before - (before % filler.length));
          const text = masked(`{"a":"${start}${form} ${'y'.repeat(10_000)}"}`);
          const value = JSON.parse(text) as { readonly a: string };
          assert.deepEqual(keyFormsIn(value.a, markedKey), [], `${name} at ${before} after ${filler}`);
          assert.ok(value.a.startsWith(decoded) && value.a.length > 20_000);
        }
      }
    }
  });

  test('has a key with repetitions masked, even if occurrences overlap', () => {
    const own = new KeyMask('abcabcab');
    for (let before = 65_500; before < 65_560; before++) {
      const text = masked(`["${'x'.repeat(before)}${'abc'.repeat(30_000)}"]`, own);
      assert.ok(!text.includes('abcabcab'), String(before));
    }
  });

  test('of any shape becomes valid JSON without the key', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 20 }),
      fc.constantFrom(...keyForms.map(({ write }) => write(markedKey))),
    );
    const words = fc.array(piece, { maxLength: 4 }).map((parts) => parts.join(''));
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 3 },
        words,
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.boolean(),
        fc.array(tie('value'), { maxLength: 4 }),
        fc.dictionary(words, tie('value'), { maxKeys: 4 }),
      ),
    }));
    fc.assert(
      fc.property(value, (sent) => {
        const text = masked(JSON.stringify(sent));
        JSON.parse(text);
        assert.deepEqual(keyFormsIn(text, markedKey), []);
      }),
      { numRuns: propertyRuns },
    );
  });
});
