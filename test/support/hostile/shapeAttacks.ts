import {
  asJson,
  blocks,
  filled,
  itemText,
  joined,
  listed,
  memory,
  pageAround,
  type HostileAnswer,
  type HostilePromise,
} from './hostileAnswer.ts';

const crash = 'does not crash or change what is shared';

/** Valid or nearly valid JSON of an unexpected shape. */
export function shapeAttacks(): readonly HostileAnswer[] {
  return [...depths(), ...manyItems(), ...manyFields(), ...oddJson()];
}

function* depths(): Generator<HostileAnswer> {
  // Each nests `depth` levels; `both` adds two at a time.
  const nestings: Readonly<Record<string, (depth: number) => Iterable<string>>> = {
    lists: (depth) => joined(filled(depth, '['), filled(depth, ']')),
    objects: (depth) => joined(filled(depth * 5, '{"a":'), '1', filled(depth, '}')),
    both: (depth) => joined(filled(depth * 3, '[{"a":'), '1', filled(depth, '}]')),
  };
  const places: Readonly<Record<string, (nested: Iterable<string>) => Iterable<string>>> = {
    'a refusal': (nested) => joined('{"message":', nested, '}'),
    'the metadata of an item': (nested) =>
      pageAround(joined('{"id":"1","status":"done","custom_metadata":', nested, '}')),
    'an item': (nested) => pageAround(nested),
    'the answer to a submission': (nested) => joined('{"id":"1","more":', nested, '}'),
  };
  for (const [what, nest] of Object.entries(nestings)) {
    for (const [where, place] of Object.entries(places)) {
      for (const depth of [201, 8000, 100_000]) {
        const isPost = where.endsWith('submission');
        const status = where === 'a refusal' ? 422 : isPost ? 201 : 200;
        yield {
          name: `${what} ${depth} deep in ${where}`,
          attacks: crash,
          to: where === 'a refusal' ? 'both' : isPost ? 'POST' : 'GET',
          weight: 'light',
          reply: () => ({ status, headers: asJson, body: place(nest(depth)) }),
        };
      }
    }
  }
}

function* manyItems(): Generator<HostileAnswer> {
  const kinds: Readonly<Record<string, (index: number) => string>> = {
    nulls: () => 'null',
    numbers: (index) => String(index),
    'empty objects': () => '{}',
    'short jobs': (index) => `{"id":"${index}"}`,
    'whole jobs': (index) => itemText(index),
    'the same job': () => '{"id":"1","status":"done"}',
    'jobs of statuses never heard of': (index) => `{"id":"${index}","status":"s${index}"}`,
    'jobs, each wrong in its own way': (index) => `{"id":"${index}","field${index}":[${index}],"version":"x${index}"}`,
  };
  for (const [what, make] of Object.entries(kinds)) {
    for (const count of [1001, 100_000, 1_000_000]) {
      yield page(`${count} ${what} on a page, whatever limit said`, blocks, count > 1001, () =>
        pageAround(listed(count, make), '"more"'),
      );
    }
  }
}

function* manyFields(): Generator<HostileAnswer> {
  const bodies: Readonly<Record<string, () => Iterable<string>>> = {
    'metadata with 500,000 names': () =>
      pageAround(
        joined(
          '{"id":"1","custom_metadata":{',
          listed(500_000, (index) => `"n${index}":"v"`),
          '}}',
        ),
      ),
    'an item with 500,000 fields': () =>
      pageAround(
        joined(
          '{"id":"1",',
          listed(500_000, (index) => `"n${index}":1`),
          '}',
        ),
      ),
    'a list of a million numbers in metadata': () =>
      pageAround(
        joined(
          '{"id":"1","custom_metadata":{"list":[',
          listed(1_000_000, (index) => String(index)),
          ']}}',
        ),
      ),
    'a page with 500,000 fields': () =>
      joined(
        '{"items":[],"next":null,',
        listed(500_000, (index) => `"n${index}":1`),
        '}',
      ),
    'one name 500,000 times': () =>
      joined(
        '{"items":[],"next":null,',
        listed(500_000, () => '"n":1'),
        '}',
      ),
    'session metadata of 100,000 words': () =>
      pageAround(
        joined(
          '{"id":"1","post_session_metadata":{"words":[',
          listed(100_000, (index) => `{"w":"${index}"}`),
          ']}}',
        ),
      ),
  };
  for (const [what, body] of Object.entries(bodies)) yield page(what, memory, true, body);
}

function* oddJson(): Generator<HostileAnswer> {
  const items: Readonly<Record<string, string>> = {
    'a number without end': `{"id":"1","version":1e400}`,
    'a version of a million digits': `{"id":"1","version":${'9'.repeat(1_000_000)}}`,
    'a number past all whole ones': '{"id":"1","version":9007199254740993,"error_code":-0}',
    'a prototype as metadata':
      '{"id":"1","custom_metadata":{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}}',
    'a prototype as item': '{"__proto__":{"polluted":true,"id":"2"},"id":"1"}',
    'names of methods as fields': '{"id":"1","toString":1,"valueOf":null,"hasOwnProperty":"x","toJSON":"y","then":"z"}',
    'a method name as status': '{"id":"1","status":"constructor","kind":"__proto__"}',
    'a method name as id': '{"id":"__proto__","status":"done"}',
    'half a surrogate': String.raw`{"id":"1\ud83d","custom_metadata":{"\udc00":"\ud800"}}`,
    zeros: String.raw`{"id":"1\u0000","status":"done\u0000"}`,
    'the year 275761': '{"id":"1","created_at":"+275761-01-01T00:00:00.000Z","completed_at":"-999999-01-01T00:00:00Z"}',
    'times that are numbers': '{"id":"1","created_at":8640000000000001,"completed_at":-1e308}',
    'ids that are objects': '{"id":{"toString":"x"},"request_id":[1],"status":{},"kind":[]}',
    'a list as metadata': '{"id":"1","custom_metadata":[1,2,3],"request_params":"x","post_session_metadata":7}',
    'an id that is a path': '{"id":"../../../../etc/passwd","status":"done"}',
    'an id that is a link': '{"id":"command:workbench.action.quit?[1]","status":"[x](command:y)"}',
  };
  for (const [what, item] of Object.entries(items))
    yield page(`an item with ${what}`, crash, false, () => pageAround(item));
  const bodies: Readonly<Record<string, Iterable<string | Uint8Array>>> = {
    'items with a length but no items': ['{"items":{"length":1000000000},"next":null}'],
    'items that are a text': ['{"items":"abc","next":null}'],
    'a page that is null': ['null'],
    'a page that is a list': ['[[],null]'],
    'a page in a text': ['"{\\"items\\":[],\\"next\\":null}"'],
    'a byte order mark': ['\u{feff}{"items":[],"next":null}'],
    'UTF-16': [Buffer.from('{"items":[],"next":null}', 'utf16le')],
    'bytes that are no UTF-8': [Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0xc0, 0x80, 0x22, 0x3a, 0x31, 0x7d])],
    'nothing at all': [],
    'blanks only': filled(1_000_000, ' \n'),
    'a comment': ['{"items":[],/* no */"next":null,}'],
    'two pages': ['{"items":[],"next":null}{"items":[],"next":null}'],
  };
  for (const [what, body] of Object.entries(bodies)) yield page(what, crash, false, () => body);
}

function page(
  name: string,
  attacks: HostilePromise,
  isHeavy: boolean,
  body: () => Iterable<string | Uint8Array>,
): HostileAnswer {
  const weight = isHeavy ? 'heavy' : 'light';
  return { name, attacks, to: 'GET', weight, reply: () => ({ status: 200, headers: asJson, body: body() }) };
}
