import fc from 'fast-check';

const language = fc.constantFrom('en', 'fr', 'de', 'es', 'EN', 'en-US', 'jp', 'elvish', '', ' fr ');
const word = fc.constantFrom('a', 'A', 'b', 'Nguyen', 'nguyen ', '', ' ', 'x/y', 'quote"d', 'ü', '日本');
const size = fc.constantFrom(-1, 0, 1, 2, 3, 4, 42, 43, 0.3, 0.4, 0.5, 0.9, 2.5);
const odd = fc.constantFrom<unknown>(null, 'yes', 3, [], {}, [null], { a: 1 });

/** Usually the value, sometimes something else. */
const mostly = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 12, arbitrary: value }, { weight: 1, arbitrary: odd });

/** An object with some of the members, some misspelt, and some unknown ones. */
function someOf(members: Readonly<Record<string, fc.Arbitrary<unknown>>>): fc.Arbitrary<unknown> {
  const names = Object.keys(members);
  const name = fc.constantFrom(...names);
  const misspelt = name.chain((right) =>
    fc.constantFrom(right.replace('_', ''), right.replaceAll('_', '-'), `${right}s`),
  );
  const member = fc.oneof(
    { weight: 10, arbitrary: name.chain((each) => fc.tuple(fc.constant(each), mostly(members[each] ?? odd))) },
    { weight: 1, arbitrary: name.chain((each) => fc.tuple(misspelt, mostly(members[each] ?? odd))) },
    { weight: 1, arbitrary: fc.tuple(fc.constantFrom('flavour', '__proto__', 'toString', ''), odd) },
  );
  return fc
    .uniqueArray(member, { selector: ([key]) => key, maxLength: 9 })
    .map((entries) => Object.fromEntries(entries) as unknown);
}

const term = fc.oneof(
  word,
  someOf({ value: word, pronunciations: fc.array(word, { maxLength: 3 }), intensity: size, language }),
);

/** Requests with typical mistakes. */
const requestValue: fc.Arbitrary<unknown> = someOf({
  audio_url: fc.constantFrom(
    'https://media.example.com/a.mp3',
    ' https://me:pw@media.example.com/a ',
    'media.example.com/a.mp3',
    'http://localhost/a',
    'https://b.s3.amazonaws.com/a?Expires=1700000000',
    's3://bucket/a',
    '',
  ),
  language_config: someOf({ languages: fc.array(mostly(language), { maxLength: 7 }), code_switching: fc.boolean() }),
  custom_vocabulary: fc.boolean(),
  custom_vocabulary_config: someOf({ vocabulary: fc.array(mostly(term), { maxLength: 6 }), default_intensity: size }),
  diarization: fc.boolean(),
  diarization_config: someOf({ min_speakers: size, max_speakers: size, number_of_speakers: size }),
  subtitles: fc.boolean(),
  subtitles_config: someOf({
    formats: fc.array(fc.constantFrom('srt', 'vtt', 'txt'), { maxLength: 3 }),
    maximum_characters_per_row: size,
    maximum_rows_per_caption: size,
    style: fc.constantFrom('compliance', 'plain'),
  }),
  translation: fc.boolean(),
  translation_config: someOf({ target_languages: fc.array(language, { maxLength: 3 }) }),
  summarization: fc.boolean(),
  summarization_config: someOf({ type: fc.constantFrom('bullet_points', 'general', 'paragraph') }),
  language: fc.constantFrom('fr', 'en, fr', 'auto'),
  enable_code_switching: fc.boolean(),
  code_switching_config: fc.constant({ languages: ['en', 'fr'] }),
  callback: fc.boolean(),
  callback_config: someOf({ url: fc.constantFrom('https://hooks.example.com/a', 'http://localhost/a', '') }),
  callback_url: fc.constant('http://hooks.example.com/a'),
  diarize: fc.boolean(),
  keywords: fc.array(word, { maxLength: 2 }),
  max_speakers: size,
  model: fc.constantFrom('solaria-1', 'solaria-3', 'fast'),
  realtime_processing: fc.constant({ translation: true, translation_config: { target_languages: ['fr'] } }),
  custom_metadata: fc.dictionary(word, fc.jsonValue({ maxDepth: 1 }), { maxKeys: 3 }),
});

const plainTrivia = ['', ' ', '\n', '\r\n\t', '  '];
const relaxedTrivia = [...plainTrivia, '/* , */', ' // note\n', '/**/ '];

/** Request texts with arbitrary white space between their tokens. */
export const plainRequestText = requestText(plainTrivia, false);
/** Request texts with additional comments and trailing commas. */
export const relaxedRequestText = requestText(relaxedTrivia, true);

function requestText(trivia: readonly string[], trailingCommas: boolean): fc.Arbitrary<string> {
  const anyhow = fc
    .tuple(requestValue, fc.array(fc.constantFrom(...trivia), { minLength: 1, maxLength: 30 }), fc.boolean())
    .map(([value, gaps, comma]) => new Writer(gaps, comma && trailingCommas).write(value));
  const neat = fc
    .tuple(requestValue, fc.constantFrom('', '  ', '\t'), fc.constantFrom('\n', '\r\n'))
    .map(([value, indent, eol]) => JSON.stringify(value, null, indent).replaceAll('\n', eol));
  return fc.oneof(neat, anyhow);
}

/** Writes JSON with the given gaps between tokens, in rotation. */
class Writer {
  readonly #gaps: readonly string[];
  readonly #trailing: string;
  #used = 0;

  constructor(gaps: readonly string[], trailingCommas: boolean) {
    this.#gaps = gaps;
    this.#trailing = trailingCommas ? ',' : '';
  }

  write(value: unknown): string {
    return this.#gap() + this.#value(value) + this.#gap();
  }

  #value(value: unknown): string {
    if (typeof value !== 'object' || value === null) return JSON.stringify(value);
    const isArray = Array.isArray(value);
    const parts = Object.entries(value).map(([name, member]) =>
      isArray ? this.write(member) : `${this.#gap()}${JSON.stringify(name)}${this.#gap()}:${this.write(member)}`,
    );
    const inner = parts.length === 0 ? this.#gap() : parts.join(',') + this.#trailing + this.#gap();
    return isArray ? `[${inner}]` : `{${inner}}`;
  }

  #gap(): string {
    return this.#gaps[this.#used++ % this.#gaps.length] ?? '';
  }
}
