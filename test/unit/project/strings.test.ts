import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { getL10nJson } from '@vscode/l10n-dev';
import { exportStrings } from '../../support/l10n/exportStrings.ts';
import { sameInFrench } from '../../support/l10n/sameInFrench.ts';
import { translationProblems, type Texts } from '../../support/l10n/translationProblems.ts';
import { projectSources } from '../../support/sources/projectSources.ts';
import { hardCodedStrings } from './hardCodedStrings.ts';
import { parseSnippet, parseSources } from '../../support/sources/parseSources.ts';
import { translatedMessages } from '../../support/l10n/translatedMessages.ts';

const sources = projectSources();
const trees = parseSources(sources);
const read = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'));

describe('Strings that users read', () => {
  /** Names and examples that are the same in every language. */
  const verbatim = new Set([
    'Transcription Jobs',
    'JSON',
    'NDJSON',
    'CSV',
    'Markdown',
    'SubRip',
    'WebVTT',
    'UTC',
    'https://api.example.com',
    'x-service-key',
    // Only logged.
    'its plan is lost',
  ]);
  const forUsers =
    /^(src\/((extension|services|writeSetting|settingShapes)\.ts|(platform\/editor|connections|jobs|features|language|web)\/)|media\/(page|board)\/)/;

  /** Text for the service's support, always in English. */
  const forOthers = 'src/features/attention/common/supportReport.ts';

  it('can be translated', () => {
    const read = [...trees].filter(([path]) => forUsers.test(path) && path !== forOthers);
    assert(read.length > 200);
    const found = read
      .flatMap(([path, tree]) => hardCodedStrings(tree).map((each) => `${path}:${each}`))
      .filter((each) => ![...verbatim].some((text) => each.endsWith(`: ${text}`)));
    assert.deepEqual(found, []);
  });

  for (const [snippet, text] of [
    ["void vscode.window.showInformationMessage('Saved');", 'Saved'],
    ["void vscode.window.showErrorMessage(fallback ?? 'Failed');", 'Failed'],
    ['item.description = `${count} jobs`;', '{} jobs'],
    ["item.label = ready ? 'Done' : other;", 'Done'],
    ["pick({ placeHolder: 'Choose' });", 'Choose'],
    ["throw new UserError(l10n.t('Fine'), [{ title: 'Retry', run }]);", 'Retry'],
    ["showMessage('warning', 'Careful', []);", 'Careful'],
    ["const text = 'No problems found'; show(text);", 'No problems found'],
    ["l10n.t('Found by {0}', 'the other service');", 'the other service'],
    ['html`<p class="row wide">Loading</p>`;', 'Loading'],
    ['html`<p title="Loading"><b>${text}</b></p>`;', 'Loading'],
    ["html`<p class=${row} aria-label=${ready ? 'Loaded' : words}>${text}</p>`;", 'Loaded'],
    ["html`<p class=${row}>${ready ? words : 'Loading'}</p>`;", 'Loading'],
    ['html`<p class="row ${kind}" title="${name} ${ready ? words : \'Loading\'}">${text}</p>`;', 'Loading'],
    ["node.setAttribute('aria-label', 'Copy');", 'Copy'],
    ["node.textContent = '$(sync) Waiting';", '$(sync) Waiting'],
  ] as const) {
    it(`would be found in ${snippet}`, () => {
      assert.deepEqual(hardCodedStrings(parseSnippet(snippet)), [`1: ${text}`]);
    });
  }

  it('keep the names of fields in French', () => {
    const french = read('l10n/bundle.l10n.fr.json') as Readonly<Record<string, string>>;
    const namesIn = (text: string) => new Set(text.match(/\b[a-z]+(?:_[a-z]+)+\b/gu));
    const lost = Object.entries(french).filter(
      ([text, translated]) => ![...namesIn(text)].every((name) => namesIn(translated).has(name)),
    );
    assert.deepEqual(lost, []);
  });

  /** Words that gave way to others, by the word that is used now; the glossary is docs/words.md. */
  const retired: readonly (readonly [RegExp, string])[] = [
    [/\bobey/u, 'works, ignored by the service'],
    [/\bwants?\b/u, 'needs, requires'],
    [/\bat hand\b/u, 'loaded'],
    [/\b[Tt]here is nothing\b/u, 'Nothing to …'],
    [/\bsays? nothing more\b/u, 'has no effect'],
    [/\banew\b/u, 'again, re-detected'],
    [/\bGo On\b/u, 'Continue'],
    [/\bLook for It\b/u, 'Find Job'],
    [/\bIds?\b/u, 'ID, IDs'],
    [/\b(?:is|are) not known\b/u, 'is unknown'],
    [/\bby itself\b/u, 'automatically'],
    [/\bis through\b/u, 'finished'],
    [/\b[Tt]his machine\b/u, 'this computer'],
    [/\bcannot\b/u, "can't"],
    [/\bnot (?:a )?described\b/u, 'unknown'],
    [/\bany more\b/u, 'no longer'],
    [/\b(?:with the|the) same body\b/iu, 'this request, identical'],
    [/\bwithin the last day\b/u, 'in the last 24 hours'],
    [/\bids?\b/u, 'ID, IDs'],
    [/\d %/u, '95%'],
    [/\b[Cc]ancelled\b/u, 'canceled'],
    [/\b(?:[Cc]entre|licence|spelt)\b/u, 'the American spelling'],
    [/\b[Aa] text\b/u, 'a string'],
    [/\bgo on\b/u, 'continue'],
    [/\bexplain themselves\b/u, 'what they do, in plain words'],
    [/\bShow (?:It|Them)\b/u, 'Show'],
    [/\bSend Again\b/u, 'Submit Again'],
    [/\b[Gg]oes with\b/u, 'Use together with'],
    [/\bError share\b/u, 'Failure rate'],
  ];
  const retiredInFrench: readonly (readonly [RegExp, string])[] = [
    [/\brappel\b/iu, 'callback'],
    [/\bpoursuivre\b/iu, 'continuer'],
    [/en tant que commande/u, 'en cURL'],
    [/\brespectée?s?\b/u, 'pris en compte'],
    [/au cours du dernier jour/u, 'ces dernières 24 heures'],
    [/\btutoiement\b/iu, 'registre familier'],
    [/\bjusqu’à (?:leur|son) terme\b/u, 'jusqu’à la fin'],
    [/\btables?\b/iu, 'tableau'],
    [/\btemps de traitement\b/u, 'durée de traitement'],
    [/\binformations personnelles\b/u, 'données personnelles'],
    [/\bd’après session\b/u, 'post-session'],
    [/\bva de pair\b/iu, 'à utiliser avec'],
    [/\bmême corps\b/iu, 'cette requête'],
    [/\ba bougé\b/u, 'a changé'],
    [/\bcette machine\b/iu, 'cet ordinateur'],
    [/\b(?:fichiers?|corps) de demande\b/u, 'fichier de requête'],
    [/(?<!ouvert )\bservice public\b/iu, 'service ouvert au public'],
  ];
  const retiredWordsIn = (texts: readonly string[], words: typeof retired): readonly string[] =>
    texts.flatMap((text) => words.filter(([word]) => word.test(text)).map(([, instead]) => `${text} (${instead})`));

  it('use no retired word, in either language', () => {
    const files = ['l10n/bundle.l10n', 'l10n/schema.l10n', 'package.nls'];
    const french = files.map((file) => read(`${file}.fr.json`) as Readonly<Record<string, string>>);
    const english = [
      ...Object.keys({ ...french[0], ...french[1] }),
      ...Object.values(read('package.nls.json') as Readonly<Record<string, string>>),
    ];
    assert.deepEqual(retiredWordsIn(english, retired), []);
    const translated = french.flatMap((texts) => Object.values(texts));
    assert.deepEqual(retiredWordsIn(translated, retiredInFrench), []);
    assert.equal(english.length, translated.length);
  });

  it('would be told of a retired word', () => {
    assert.deepEqual(retiredWordsIn(['Copy Id', 'Copy ID'], retired), ['Copy Id (ID, IDs)']);
    assert.deepEqual(retiredWordsIn(['URL de rappel', 'Rappelez-vous'], retiredInFrench), ['URL de rappel (callback)']);
  });

  it('are not what only engineers read, and not what is translated', () => {
    const fine = [
      "log.warn(`gave up after ${count} tries`); throw new Error('no such list here');",
      "t('Found {0} jobs', count); l10n.t({ message: 'Found it', comment: ['In the log'] }); vscode.l10n.t('Two words');",
      "html`<p class=${wide ? 'row wide' : 'row'} ?hidden=${!words} @click=${press}>${words} · ${t('Two words')}</p>`;",
      'html`<p class="row wide-${tone}" role="status"><bdi>${words}</bdi></p>`;',
      'html`<p @click=${press} class="row ${kind} ${wide ? \'wide\' : words}">${words}</p>`;',
      "places.querySelector('.row button'); const part = '.row button'; known.set('too deep', place);",
      "node.setAttribute('class', 'row wide'); node.className = 'row wide';",
      "item.label = `${name} · ${count}`; item.iconPath = new ThemeIcon('sync');",
      'showMessage(\'warning\', t(\'Careful\'), []); html = `<link rel="stylesheet" href="${href}">`;',
    ];
    assert.deepEqual(
      fine.flatMap((snippet) => hardCodedStrings(parseSnippet(snippet))),
      [],
    );
  });
});

describe('The manifest', () => {
  /** Properties of contributions that the editor shows, such as `title` in `walkthroughs` and `commands`. */
  const shown = /^(title|description|markdownDescription|displayName|label|category|contextualTitle|altText|contents)$/;

  function literals(value: unknown, path: string): readonly string[] {
    if (typeof value !== 'object' || value === null) return [];
    return Object.entries(value).flatMap(([key, each]: [string, unknown]) => {
      // For language models, not for users.
      if (key === 'inputSchema') return [];
      const isLiteral = typeof each === 'string' && shown.test(key) && !/^%.+%$/.test(each);
      return isLiteral ? [`${path}.${key}: ${each}`] : literals(each, `${path}.${key}`);
    });
  }

  it('shows only texts of package.nls.json', () => {
    const { contributes } = read('package.json') as { readonly contributes: unknown };
    assert.deepEqual(literals(contributes, 'contributes'), []);
    assert.deepEqual(literals({ a: [{ title: 'Open' }] }, ''), ['.a.0.title: Open']);
  });
});

describe('Translated messages', () => {
  const messages = [...trees].flatMap(([path, tree]) => translatedMessages(tree).map((each) => ({ path, ...each })));

  it('are literals, so that they can be exported', () => {
    assert(messages.length > 0);
    assert.deepEqual(
      messages.filter(({ message }) => message === undefined).map(({ path }) => path),
      [],
    );
  });

  it('use each value that they are given, and no other', () => {
    const wrong = messages.filter(({ message = '', values }) => {
      const places = [...message.matchAll(/\{(\d+)\}/g)].map(([, place]) => Number(place));
      const needed = Math.max(-1, ...places) + 1;
      return values !== undefined && (needed !== values || new Set(places).size !== needed);
    });
    assert.deepEqual(wrong, []);
  });

  it('are all in l10n/bundle.l10n.json, and nothing else is: npm run l10n', () => {
    assert.deepEqual(read('l10n/bundle.l10n.json'), exportStrings(trees.values()));
  });

  it('are exported in the form that the editor reads', async () => {
    const snippet = `import * as l10n from '@vscode/l10n';
      l10n.t('Plain {0}', a); l10n.t(\`It"s\`); l10n.t({ message: 'Noted', comment: ['One', 'two'] });`;
    const expected = await getL10nJson([{ contents: snippet, extension: '.ts' }]);
    assert.deepEqual(exportStrings([parseSnippet(snippet)]), expected);
    const byName = snippet.replace('* as l10n', '{ t }').replaceAll('l10n.t(', 't(');
    assert.deepEqual(exportStrings([parseSnippet(byName)]), expected);
  });
});

describe('French', () => {
  for (const [english, french] of [
    ['l10n/bundle.l10n.json', 'l10n/bundle.l10n.fr.json'],
    ['package.nls.json', 'package.nls.fr.json'],
  ] as const) {
    it(`is complete in ${french}`, () => {
      const problems = translationProblems(
        read(english) as Texts,
        read(french) as Record<string, string>,
        sameInFrench,
      );
      assert.deepEqual(problems, []);
    });
  }

  it('would be found wanting', () => {
    const english = {
      a: 'One {0}',
      b: 'Two',
      c: 'Three {0}',
      d: '[Four](command:x.four)',
      e: 'Sure?',
      f: { message: 'Five: {0}' },
    };
    const french = { a: 'Un {0}', b: 'Two', c: 'Trois', d: '[Quatre](command:x.cinq)', e: 'Sûr?', g: 'Rien' };
    assert.deepEqual(translationProblems(english, french, new Set()), [
      { key: 'g', problem: 'unused' },
      { key: 'b', problem: 'not translated' },
      { key: 'c', problem: 'other placeholders' },
      { key: 'd', problem: 'other links or code' },
      { key: 'e', problem: 'spacing' },
      { key: 'f', problem: 'missing' },
    ]);
    const nb = '\u202F';
    const fine = {
      a: 'Un {0}',
      b: 'Two',
      c: `«${nb}{0}${nb}» trois`,
      d: '[Quatre](command:x.four)',
      e: `Sûr${nb}?`,
      f: `Cinq${nb}: {0}`,
    };
    assert.deepEqual(translationProblems(english, fine, new Set(['b'])), []);
  });
});
