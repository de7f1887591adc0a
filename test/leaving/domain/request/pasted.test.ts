import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { checkRequest } from '../../../../src/domain/request/check.ts';
import { findServiceKnowledge } from '../../../../src/domain/request/known/serviceKnowledge.ts';
import { understandPaste } from '../../../../src/domain/request/pasted.ts';
import { parseRequest, type RequestFile } from '../../../../src/domain/request/requestFile.ts';
import { schemaErrors } from '../../../unit/domain/request/schemaCheck.ts';

const knowledge = findServiceKnowledge('gladia');
const check = (request: RequestFile) => checkRequest(request, schemaErrors, { nowMs: 0, knowledge });
/** Where it is not known which service is in use. */
const unsure = (request: RequestFile) =>
  checkRequest(request, schemaErrors, { nowMs: 0, knowledge: findServiceKnowledge() });

/** Pastes over what stands between « and », or at a bar. @returns what was understood, and the text after it */
function paste(marked: string, pasted: string) {
  const plain = marked.replaceAll(/[«»|]/gu, '');
  const offset = marked.search(/[«|]/u);
  const length = marked.includes('»') ? marked.indexOf('»') - offset - 1 : 0;
  const understood = understandPaste(parseRequest(plain), { offset, length }, pasted, check);
  if (!understood || understood.type === 'localFile') return { type: understood?.type, after: plain };
  const { type, isWhole, text, title, count } = understood;
  const after = isWhole ? text : plain.slice(0, offset) + text + plain.slice(offset + length);
  return { type, after, title, count };
}

describe('A request of another kind', () => {
  it('is read from a cURL command, without its headers and their key', () => {
    const command = String.raw`curl --request POST \
      --url https://api.example.com/v2/pre-recorded \
      -H 'x-service-key: secret' --header "content-type: application/json" \
      --data '{"audio_url": "https://media.example.com/it'\''s.mp3", "diarization": true}'`;
    for (const marked of ['|', '{|}', '{\n  |\n}\n', '«{ "old": 1 }»']) {
      const { type, after } = paste(marked, command);
      assert.equal(type, 'request', marked);
      assert.deepEqual(JSON.parse(after), { audio_url: "https://media.example.com/it's.mp3", diarization: true });
    }
    for (const [written, name] of [
      [String.raw`curl x -d "{\"a\": 1}"`, 'a'],
      [`curl x --json={"b":1}`, undefined],
      [`curl x --data-raw='{"c":1}' y`, 'c'],
      [`$ curl -d'{"d":1}' x`, 'd'],
    ] as const) {
      const { after } = paste('|', written);
      assert.equal(after === '' ? undefined : Object.keys(JSON.parse(after) as object)[0], name, written);
    }
  });

  it('gets the names of today', () => {
    const { type, after } = paste(
      '{|}',
      '{"audio_url": "https://media.example.com/a.mp3", "language": "fr", "toggle_diarization": true}',
    );
    assert.equal(type, 'request');
    assert.deepEqual((JSON.parse(after) as { readonly language_config: unknown }).language_config, {
      languages: ['fr'],
    });
  });
});

it('Names of a known service become those of today, whichever service is in use: the paste offers the text as well', () => {
  const pasted = `curl https://api.example.com/v2/pre-recorded -d '{"audio_url":"https://a.example/a.mp3","language":"fr"}'`;
  for (const each of [check, unsure]) {
    const understood = understandPaste(parseRequest('{}'), { offset: 1, length: 0 }, pasted, each);
    assert.deepEqual(understood?.type === 'request' && JSON.parse(understood.text), {
      audio_url: 'https://a.example/a.mp3',
      language_config: { languages: ['fr'] },
    });
  }
});
