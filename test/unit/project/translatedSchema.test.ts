import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { mapSchemaTexts, schemaTexts } from '../../../media/schemas/mapSchemaTexts.ts';
import { makeEditorSchema } from '../../../media/schemas/editorSchema.ts';
import { translatedSchema, type SchemaTexts } from '../../../media/schemas/translatedSchema.ts';
import { repositoryRoot } from '../../support/editor/repositoryRoot.ts';
import { sameInFrench } from '../../support/l10n/sameInFrench.ts';
import { schemaStrings } from '../../support/l10n/schemaStrings.ts';
import { translationProblems } from '../../support/l10n/translationProblems.ts';

const read = (file: string): unknown => JSON.parse(readFileSync(join(repositoryRoot, file), 'utf8'));
const schema = read('media/schemas/request.schema.json');
const texts = read('l10n/schema.l10n.fr.json') as SchemaTexts;
const french = translatedSchema(schema, texts);

/** The members that people read, at any depth. */
const readByPeople =
  /^(title|label|(markdownD|d)escription|(markdownE|e)numDescriptions|(error|patternError|deprecation)Message|completionDetail)$/;
const isText = (value: unknown): boolean => [value].flat().every((each) => typeof each === 'string');

/** A schema without its texts: only what determines validity and completions. */
function withoutTexts(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (key, each: unknown) =>
    readByPeople.test(key) && isText(each) ? undefined : each,
  );
}

function textsAnywhere(value: unknown): ReadonlySet<string> {
  const found = new Set<string>();
  JSON.parse(JSON.stringify(value), (key, each: unknown) => {
    if (readByPeople.test(key) && isText(each)) for (const text of [each].flat()) found.add(String(text));
    return each;
  });
  return found;
}

describe('The request schema in French', () => {
  it('has each text of the schema, and no other: npm run l10n', () => {
    assert.deepEqual(translationProblems(schemaStrings(schema), texts, sameInFrench), []);
  });

  it('has the paragraphs and lists of the English one', () => {
    const shape = (text: string): string => text.replaceAll(/^(- )?.*$/gm, '$1');
    const other = Object.entries(texts).filter(([english, translated]) => shape(english) !== shape(translated));
    assert.deepEqual(other, []);
  });

  it('leaves none of its texts in English', () => {
    assert.deepEqual(textsAnywhere(schema), new Set(schemaTexts(schema)));
    const left = [...textsAnywhere(french)].filter((text) => text in texts && !sameInFrench.has(text));
    assert.deepEqual(left, []);
  });

  it('finds the same valid, and inserts the same', () => {
    assert.notDeepEqual(french, schema);
    assert.deepEqual(withoutTexts(french), withoutTexts(schema));
  });

  it('is where the manifest in French says', () => {
    const { requestSchema } = read('package.nls.fr.json') as { readonly requestSchema: string };
    assert(existsSync(join(repositoryRoot, requestSchema)), 'dist is missing: npm run build makes it');
    assert.deepEqual(read(requestSchema), makeEditorSchema(french));
  });
});

describe('Texts of a schema', () => {
  it('are replaced where people read them, and nowhere else', () => {
    const tricky = {
      title: 'a',
      enum: ['a'],
      default: { title: 'a' },
      examples: [{ description: 'a' }],
      properties: {
        title: { description: 'a', enumDescriptions: ['a', 'b'], const: 'a' },
        items: { items: [{ title: 'a' }, true], additionalProperties: { anyOf: [{ errorMessage: 'a' }, false] } },
      },
      defaultSnippets: [{ label: 'a', description: 'a', body: { title: 'a', label: 'a' } }],
    };
    assert.deepEqual(translatedSchema(tricky, { a: 'A' }), {
      title: 'A',
      enum: ['a'],
      default: { title: 'a' },
      examples: [{ description: 'a' }],
      properties: {
        title: { description: 'A', enumDescriptions: ['A', 'b'], const: 'a' },
        items: { items: [{ title: 'A' }, true], additionalProperties: { anyOf: [{ errorMessage: 'A' }, false] } },
      },
      defaultSnippets: [{ label: 'A', description: 'A', body: { title: 'a', label: 'a' } }],
    });
    assert.deepEqual(schemaTexts(tricky), ['a', 'b']);
    assert.deepEqual(
      mapSchemaTexts(true, () => 'never'),
      true,
    );
  });
});
