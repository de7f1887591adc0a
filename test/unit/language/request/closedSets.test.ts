import assert from 'node:assert/strict';
import { test } from 'node:test';
import schema from '../../../../media/schemas/request.schema.json' with { type: 'json' };
import { checkRequest } from '../../../../src/language/check.ts';
import { findMeantValue } from '../../../../src/language/request/closedSets.ts';
import { gladia } from '../../../../src/known/gladia.ts';
import { findServiceKnowledge } from '../../../../src/known/serviceKnowledge.ts';
import { parseRequest } from '../../../../src/language/request/requestFile.ts';
import { schemaErrors } from '../schemaCheck.ts';
import { withChanges } from '../withChanges.ts';

/** Every closed set of the contract and of the known service, by the dotted path of its field. */
const closedSets: readonly (readonly [path: string, values: readonly string[]])[] = [
  ['subtitles_config.formats.*', schema.properties.subtitles_config.properties.formats.items.enum],
  ...[...gladia.fields].flatMap(([path, { values }]) => (values ? [[path, values] as const] : [])),
];

for (const [path, values] of closedSets) {
  test(`a value of ${path} that differs only in case is fixed to the member of the set`, () => {
    for (const value of values) {
      const other = value === value.toUpperCase() ? value.toLowerCase() : value.toUpperCase();
      const request = parseRequest(JSON.stringify(bodyWith(path.split('.'), other)));
      const shown = checkRequest(request, schemaErrors, { nowMs: 0, knowledge: findServiceKnowledge('gladia') });
      const [fix] = shown.find(({ code }) => code === 'schema/value' || code === 'service/value')?.fixes ?? [];
      assert.deepEqual(JSON.parse(withChanges(request, fix?.changes ?? [])), bodyWith(path.split('.'), value), other);
    }
  });
}

test('selects the closest of several similar values', () => {
  const values = ['CREDIT_CARD', 'CREDIT_CARD_EXPIRATION', 'NAME', 'NAME_FAMILY', 'GDPR'];
  for (const [written, meant] of [
    ['credit card', 'CREDIT_CARD'],
    ['CREDIT_CARD_EXPIRATION_DATE', 'CREDIT_CARD_EXPIRATION'],
    ['FULL_NAME', 'NAME'],
    ['names', 'NAME'],
    ['Credits', 'CREDIT_CARD'],
    ['GD', undefined],
    ['', undefined],
    ['FLAVOUR', undefined],
  ] as const) {
    assert.equal(findMeantValue(written, values), meant, written);
  }
});

function bodyWith([name = '', ...rest]: readonly string[], value: string): unknown {
  const inner = rest.length === 0 ? value : bodyWith(rest, value);
  return name === '*' ? [inner] : { [name]: inner };
}
