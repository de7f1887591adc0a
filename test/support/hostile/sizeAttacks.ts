import {
  asJson,
  blocks,
  filled,
  itemText,
  joined,
  listed,
  megabyte,
  memory,
  pageAround,
  type HostileAnswer,
  type HostileAsk,
} from './hostileAnswer.ts';

/** Positions of a huge text in an error response. */
const wrappings: Readonly<Record<string, (text: Iterable<string>) => Iterable<string>>> = {
  'a message': (text) => joined('{"statusCode":400,"message":"', text, '"}'),
  'an inner message': (text) => joined('{"error":{"code":"bad","message":"', text, '"}}'),
  'a complaint': (text) => joined('{"validation_errors":["', text, '"]}'),
  'the name of a field': (text) => joined('{"', text, '":"is wrong"}'),
  'a request_id': (text) => joined('{"message":"No","request_id":"', text, '"}'),
  'JSON that never ends': (text) => joined('{"message":"', text),
  'plain text': (text) => text,
};

/** Contents that are slow to mask, cut, escape or match. */
const fillings: Readonly<Record<string, (key: string) => string>> = {
  'the key': (key) => key,
  'the beginning of the key': (key) => key.slice(0, 6),
  'line breaks': () => String.raw`\n`,
  'escaped zeros': () => String.raw`\u0000`,
  'escape sequences': () => String.raw`\u001b[31m`,
  'emoji with joiners': () => '👩‍👩‍👧‍👦',
  'combining marks': () => '\u0301',
  'angle brackets': () => '<<<<>',
  backslashes: () => String.raw`\\`,
  blanks: () => ' ',
  'per cent signs': () => '%25',
  'addresses with userinfo': (key) => `https://a:${key}@b.example/ `,
  'one letter': () => 'a',
};

/** Error responses and pages with more text than anyone reads. */
export function sizeAttacks(): readonly HostileAnswer[] {
  return [...refusals(), ...oddFillings(), ...complaints(), ...hugeFields(), ...largeItems(), ...hugeSubmissions()];
}

function* refusals(): Generator<HostileAnswer> {
  for (const [where, wrap] of Object.entries(wrappings)) {
    for (const size of [16, 28]) {
      for (const status of [400, 500]) {
        yield refusal(`${size} MB in ${where}, status ${status}`, status, ({ key }) =>
          wrap(filled(size * megabyte, `No, ${key}. `)),
        );
      }
    }
  }
  for (const size of [1, 31, 33, 256]) {
    yield refusal(`${size} MB in a message, status 422`, 422, ({ key }) =>
      joined('{"message":"', filled(size * megabyte, `No, ${key}. `), '"}'),
    );
  }
}

function* oddFillings(): Generator<HostileAnswer> {
  for (const [what, fill] of Object.entries(fillings)) {
    yield refusal(`16 MB of ${what} in a message`, 400, ({ key }) =>
      joined('{"message":"', filled(16 * megabyte, fill(key)), '"}'),
    );
  }
}

function* complaints(): Generator<HostileAnswer> {
  const forms: Readonly<Record<string, (count: number, key: string) => Iterable<string>>> = {
    texts: (count) =>
      joined(
        '{"validation_errors":[',
        listed(count, (index) => `"no ${index}"`),
        ']}',
      ),
    'objects with a place': (count) =>
      joined(
        '{"detail":[',
        listed(count, (index) => `{"loc":["body",${index}],"msg":"no"}`),
        ']}',
      ),
    'names with texts': (count) =>
      joined(
        '{"errors":{',
        listed(count, (index) => `"f${index}":["no"]`),
        '}}',
      ),
    'names that are the key': (count, key) =>
      joined(
        '{"errors":{',
        listed(count, () => `"${key}":"no"`),
        '}}',
      ),
    'unlike shapes': (count) =>
      joined(
        '{"errors":[',
        listed(count, (index) => `{"field${index}":${index}}`),
        ']}',
      ),
    'the same': (count, key) =>
      joined(
        '{"message":[',
        listed(count, () => `"not ${key}"`),
        ']}',
      ),
    'lists of lists': (count) =>
      joined(
        '{"errors":[',
        listed(count, () => '[["no"]]'),
        ']}',
      ),
    'empty ones': (count) =>
      joined(
        '{"errors":[',
        listed(count, () => '""'),
        ']}',
      ),
  };
  for (const [what, form] of Object.entries(forms)) {
    for (const count of [21, 100_000, 1_000_000]) {
      const weight = count > 1000 ? 'heavy' : 'light';
      yield { ...refusal(`${count} complaints: ${what}`, 422, ({ key }) => form(count, key)), weight };
    }
  }
}

function* hugeFields(): Generator<HostileAnswer> {
  for (const name of ['id', 'status', 'kind', 'created_at', 'request_id', 'version']) {
    yield {
      name: `a page with 20 MB in ${name}`,
      attacks: memory,
      to: 'GET',
      weight: 'heavy',
      reply: ({ key }) => ({
        status: 200,
        headers: asJson,
        body: pageAround(joined(`{"id":"1","${name}":"`, filled(20 * megabyte, `${key} `), '"}')),
      }),
    };
  }
  for (const name of ['next', 'first']) {
    yield {
      name: `a page with 20 MB in ${name}`,
      attacks: memory,
      to: 'GET',
      weight: 'heavy',
      reply: () => ({
        status: 200,
        headers: asJson,
        body: joined(
          `{"items":[${itemText(1)}],"current":"","${name}":"https://a.example/`,
          filled(20 * megabyte, 'a'),
          '"}',
        ),
      }),
    };
  }
}

/** Items of many megabytes, which are valid jobs: the fields for rows are found without parsing the rest. */
function* largeItems(): Generator<HostileAnswer> {
  const fields: Readonly<Record<string, () => Iterable<string>>> = {
    'a transcript of words': () =>
      joined(
        '"result":{"transcription":{"utterances":[{"words":[',
        listed(400_000, (index) => `{"word":"w","start":${index},"end":${index},"confidence":0.9}`),
        ']}]}}',
      ),
    'numbers in a result': () =>
      joined(
        '"result":[',
        listed(8_000_000, () => '0'),
        ']',
      ),
    'names in the item': () => listed(1_500_000, (index) => `"f${index}":1`),
    'names in its metadata': () =>
      joined(
        '"custom_metadata":{',
        listed(1_500_000, (index) => `"f${index}":1`),
        '}',
      ),
    'the same name': () => listed(1_500_000, () => '"result":{}'),
    'add-ons that failed': () =>
      joined(
        '"result":{',
        listed(500_000, (index) => `"f${index}":{"success":false}`),
        '}',
      ),
    'parts that failed': () =>
      joined(
        '"result":{"translation":{"results":[',
        listed(500_000, () => '{"success":false,"error":{}}'),
        ']}}',
      ),
    'escaped quotes': () => joined('"result":{"summarization":"', filled(20 * megabyte, String.raw`\"`), '"}'),
    'a name': () => joined('"', filled(20 * megabyte, 'a'), '":1'),
  };
  for (const [what, make] of Object.entries(fields)) {
    yield {
      name: `a large item of ${what}`,
      attacks: blocks,
      to: 'GET',
      weight: 'heavy',
      reply: () => ({
        status: 200,
        headers: asJson,
        body: pageAround(joined('{"id":"1","status":"done",', make(), '},', itemText(2))),
      }),
    };
  }
}

function* hugeSubmissions(): Generator<HostileAnswer> {
  const bodies: Readonly<Record<string, (key: string) => Iterable<string>>> = {
    'an id': (key) => joined('{"id":"', filled(20 * megabyte, key), '"}'),
    text: (key) => filled(20 * megabyte, `Created ${key} `),
    'other fields': () =>
      joined(
        '{"id":"a"',
        ',',
        listed(500_000, (index) => `"f${index}":1`),
        '}',
      ),
  };
  for (const [what, body] of Object.entries(bodies)) {
    yield {
      name: `a job was made, said with 20 MB of ${what}`,
      attacks: memory,
      to: 'POST',
      weight: 'heavy',
      reply: ({ key }) => ({ status: 201, headers: asJson, body: body(key) }),
    };
  }
}

function refusal(name: string, status: number, body: (ask: HostileAsk) => Iterable<string>): HostileAnswer {
  return {
    name,
    attacks: blocks,
    to: 'both',
    weight: 'heavy',
    reply: (ask) => ({ status, headers: asJson, body: body(ask) }),
  };
}
