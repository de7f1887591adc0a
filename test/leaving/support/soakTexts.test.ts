import assert from 'node:assert/strict';
import { test } from 'node:test';
import { t } from '@vscode/l10n';
import frenchMessages from '../../../l10n/bundle.l10n.fr.json' with { type: 'json' };
import { shortIdOf, Texts } from '../../soak/texts.ts';

const english = new Texts('en');
const french = new Texts('fr');

test('a text is found by its key in both languages, one with a comment too', () => {
  assert.equal(english.message('Done/one job'), 'Done');
  assert.equal(french.message('Done/one job'), frenchMessages['Done/one job']);
  assert.notEqual(french.command('command.refresh'), english.command('command.refresh'));
});

test('a button of a welcome text is found by what it runs', () => {
  assert.equal(english.button('welcome.keyRejected', 'transcriptionJobs.testConnection'), 'Test connection');
  assert.notEqual(french.button('welcome.keyRejected', 'transcriptionJobs.testConnection'), '');
  assert.equal(english.button('welcome.keyRejected', 'transcriptionJobs.refresh'), '');
});

test('a message is found with any values and any white space', () => {
  const sent = french.start('"{0}" was not sent.');
  assert.match('« podcast (1).json » n’a pas été envoyé. Délai dépassé.'.replaceAll(' ', '\u00a0'), sent);
  assert.doesNotMatch('« podcast.json » n’a pas été accepté.', sent);
  assert.match('Board: Remote', english.start('Board: {0}'));
  assert.doesNotMatch('Clear Filter', english.whole('Clear'));
});

test('a row of a job tells the beginning of its id', () => {
  assert.equal(shortIdOf('job 1a2b3c4d, done, live', english), '1a2b3c4d');
  assert.equal(shortIdOf(`${french.message('job {0}').replace('{0}', '1a2b3c4d')}, terminée`, french), '1a2b3c4d');
  assert.equal(shortIdOf('Load More', english), undefined);
});

test('the code speaks a language for a while', () => {
  assert.equal(
    french.speaking(() => t('Load More')),
    frenchMessages['Load More'],
  );
  assert.equal(t('Load More'), 'Load More');
});
