import { asJson, itemText, pageAround, type HostileAnswer, type HostileReply } from './hostileAnswer.ts';
import { keyForms } from './keyForms.ts';

/** Positions of a written key; header values and hosts only take forms that are valid there. */
const places: Readonly<
  Record<string, { readonly to: HostileAnswer['to']; readonly reply: (written: string, key: string) => HostileReply }>
> = {
  'messages and complaints': {
    to: 'both',
    reply: (written) =>
      refused(
        JSON.stringify({
          message: written,
          code: written,
          request_id: written,
          errors: [{ loc: [written], msg: written }],
        }),
      ),
  },
  'names of fields': {
    to: 'both',
    reply: (written) => refused(JSON.stringify({ [written]: 'unknown', errors: { [written]: [written] } })),
  },
  'an item': {
    to: 'GET',
    reply: (written) => {
      const json = JSON.stringify(written);
      const fields = {
        id: json,
        request_id: json,
        status: json,
        kind: json,
        created_at: json,
        error_code: json,
        [written]: json,
      };
      return ok(pageAround(itemText(1, { ...fields, custom_metadata: JSON.stringify({ [written]: written }) })));
    },
  },
  'the answer to a submission': {
    to: 'POST',
    reply: (written) => ({
      ...ok([JSON.stringify({ id: written, result_url: `https://service.example/${written}`, [written]: 1 })]),
      status: 201,
    }),
  },
};

/** The key in every form at every place, in headers, in redirects, and across the limits at which texts are cut. */
export function keyAttacks(): readonly HostileAnswer[] {
  return [...bodies(), ...headers(), ...edges()];
}

function* bodies(): Generator<HostileAnswer> {
  for (const { name, write } of keyForms) {
    for (const [where, { to, reply }] of Object.entries(places)) {
      yield echo(`the key ${name} in ${where}`, to, (key) => reply(write(key), key));
    }
  }
  yield echo('the key in JSON escapes in a message', 'both', (key) =>
    refused(`{"message":"${escaped(key)}","${escaped(key)}":1}`),
  );
  yield echo('the key in JSON escapes in an item', 'GET', (key) =>
    ok(pageAround(`{"id":"${escaped(key)}","${escaped(key)}":"${escaped(key)}"}`)),
  );
  yield echo('the key as a page of HTML', 'both', (key) => ({
    status: 502,
    headers: [['content-type', 'text/html']],
    body: [`<html><title>${key}</title>x-service-key: ${key}</html>`],
  }));
}

function* headers(): Generator<HostileAnswer> {
  for (const name of [
    'x-request-id',
    'retry-after',
    'content-type',
    'date',
    'www-authenticate',
    'set-cookie',
    'x-service-key',
  ]) {
    yield echo(`the key in the header ${name}`, 'both', (key) => ({
      status: 429,
      headers: [[name, key]],
      body: ['{}'],
    }));
  }
  yield echo('the key as name of a header', 'both', (key) => ({ status: 400, headers: [[key, '1']], body: ['{}'] }));
  yield echo('the key as reason', 'both', (key) => ({ status: 400, reason: key, body: ['{}'] }));
  const targets: Readonly<Record<string, (key: string) => string>> = {
    host: (key) => `https://${key.toLowerCase()}.evil.example/`,
    path: (key) => `https://evil.example/${key}`,
    'path, per cent': (key) => `https://evil.example/${Buffer.from(key).toString('hex').replace(/../gu, '%$&')}`,
    query: (key) => `https://evil.example/?key=${key}`,
    fragment: (key) => `https://evil.example/#${key}`,
    userinfo: (key) => `https://${key}:${key}@evil.example/`,
    scheme: (key) => `${key.toLowerCase()}:x`,
  };
  for (const [where, target] of Object.entries(targets)) {
    yield echo(`a redirect with the key as ${where}`, 'both', (key) => ({
      status: 301,
      headers: [['location', target(key)]],
      body: [],
    }));
  }
}

/** A key that spans the limit at which a text is cut must not appear partially. */
function* edges(): Generator<HostileAnswer> {
  for (const size of [200, 256, 300, 500, 512, 1000, 1024, 2000, 4096, 8192, 65_536]) {
    yield echo(`the key over the edge of ${size} characters`, 'both', (key) =>
      refused(JSON.stringify({ message: `${'n'.repeat(size - (key.length >> 1))}${key}${'n'.repeat(size)}` })),
    );
  }
  yield echo('the key at every place of 64 KB', 'both', (key) =>
    refused(JSON.stringify({ message: `${key} `.repeat(1900) })),
  );
}

function escaped(key: string): string {
  return Array.from(key)
    .map((each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}

function echo(name: string, to: HostileAnswer['to'], reply: (key: string) => HostileReply): HostileAnswer {
  return { name, attacks: 'does not contain the key', to, weight: 'light', reply: ({ key }) => reply(key) };
}

function refused(body: string): HostileReply {
  return { status: 400, headers: asJson, body: [body] };
}

function ok(body: Iterable<string>): HostileReply {
  return { status: 200, headers: asJson, body };
}
