import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../support/editor/ownedFolder.ts';
import { repositoryRoot } from '../../support/editor/repositoryRoot.ts';
import { parityRequests, writeRequests } from '../../support/parity/parityRequests.ts';
import { differences } from '../../support/parity/recordedRequest.ts';
import { recordCommand, recordServer } from '../../support/parity/recordOutside.ts';

const script = join(repositoryRoot, 'dist/cli.js');

// The release tests compare all requests.
test('the command and the language server report the same about a sample of fixtures and random requests', async () => {
  const { path: folder, remove } = temporaryFolder();
  const requests = new Map([...parityRequests(repositoryRoot)].filter((_, index) => index % 12 === 0));
  writeRequests(join(folder, 'requests'), requests);
  const command = recordCommand(script, join(folder, 'requests'), join(folder, 'fixed'));
  const server = await recordServer(script, requests);
  remove();
  assert.equal(Object.keys(command).length, requests.size);
  assert.deepEqual(differences(command, server).slice(0, 3), []);
  // The sample has enough findings and fixes.
  const said = Object.values(command);
  assert.ok(said.flatMap(({ findings }) => findings).length > 150);
  assert.ok(said.flatMap(({ fixes }) => fixes).length > 80);
});
