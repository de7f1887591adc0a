import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../support/editor/ownedFolder.ts';
import { repositoryRoot } from '../../support/editor/repositoryRoot.ts';
import { parityRequests, writeRequests } from '../../support/parity/parityRequests.ts';
import { differences } from '../../support/parity/recordedRequest.ts';
import { recordCommand, recordServer } from '../../support/parity/recordOutside.ts';

const script = join(repositoryRoot, 'dist/cli.js');

test('the command and the language server say the same of all fixtures and of a thousand random requests', async () => {
  const { path: folder, remove } = temporaryFolder();
  const requests = parityRequests(repositoryRoot);
  writeRequests(join(folder, 'requests'), requests);
  const command = recordCommand(script, join(folder, 'requests'), join(folder, 'fixed'));
  const server = await recordServer(script, requests);
  remove();
  assert.ok(requests.size > 1050);
  assert.equal(Object.keys(command).length, requests.size);
  assert.deepEqual(differences(command, server).slice(0, 3), []);
  // There is enough to agree on.
  const said = Object.values(command);
  assert.ok(said.flatMap(({ findings }) => findings).length > 2000);
  assert.ok(said.flatMap(({ fixes }) => fixes).length > 1000);
});
