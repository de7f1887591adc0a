import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { readConnectionDefaults } from '../../../src/connections/common/connection.ts';
import { savedViewsSetting } from '../../../src/features/views/common/savedView.ts';
import { settingShapes } from '../../../src/settingShapes.ts';
import { commandIds, contextKeys, holdRowCommand, viewIds } from '../../../src/platform/editor/ids.ts';
import { serviceChoices } from '../../../src/known/knownService.ts';

interface Command {
  readonly command: string;
  readonly title?: string;
  readonly category?: string;
  readonly enablement?: string;
}
interface Setting {
  readonly type: string;
  readonly default?: unknown;
  readonly markdownDescription?: string;
  readonly scope?: string;
  readonly order?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly enum?: readonly string[];
  readonly const?: unknown;
  readonly enumDescriptions?: readonly string[];
  readonly markdownEnumDescriptions?: readonly string[];
  readonly items?: Setting;
  readonly properties?: Readonly<Record<string, Setting>>;
  readonly additionalProperties?: unknown;
  readonly oneOf?: readonly Setting[];
}
interface Manifest {
  readonly main: string;
  readonly engines: { readonly vscode: string };
  readonly extensionKind: readonly string[];
  readonly activationEvents: readonly string[];
  readonly capabilities: {
    readonly untrustedWorkspaces: { readonly supported: string; readonly restrictedConfigurations: readonly string[] };
    readonly virtualWorkspaces: boolean;
  };
  readonly contributes: {
    readonly commands: readonly Command[];
    readonly views: Readonly<Record<string, readonly { readonly id: string }[]>>;
    readonly viewsContainers: { readonly activitybar: readonly { readonly id: string }[] };
    readonly viewsWelcome: readonly { readonly view: string; readonly contents: string; readonly when: string }[];
    readonly menus: Readonly<
      Record<
        string,
        readonly {
          readonly command?: string;
          readonly submenu?: string;
          readonly when?: string;
          readonly group?: string;
        }[]
      >
    >;
    readonly keybindings: readonly {
      readonly command: string;
      readonly args?: { readonly commands: readonly string[] };
    }[];
    readonly walkthroughs: readonly { readonly steps: readonly { readonly completionEvents: readonly string[] }[] }[];
    readonly languageModelTools: readonly { readonly name: string; readonly when?: string }[];
    readonly configuration: readonly {
      readonly title: string;
      readonly properties: Readonly<Record<string, Setting>>;
    }[];
  };
}

const read = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'));
const manifestText = readFileSync('package.json', 'utf8');
const manifest = JSON.parse(manifestText) as Manifest;
const texts = read('package.nls.json') as Readonly<Record<string, string>>;
const { commands, configuration, menus, viewsWelcome } = manifest.contributes;
const declared = new Set(commands.map(({ command }) => command));
const settings = configuration.flatMap(({ properties }) => Object.entries(properties));
const settingsById = Object.fromEntries(settings);

/** Values of context keys. */
type Context = Readonly<Record<string, string | boolean>>;

/** True if a clause holds. Knows the operators that this manifest uses. */
function holds(clause: string | undefined, context: Context): boolean {
  const isTrue = (term: string): boolean => {
    const match = /^(!?)([\w.]+)(?: (==|!=|=~) (.+))?$/.exec(term);
    assert(match, `a clause that this test cannot read: ${term}`);
    const [, not, key = '', operator, operand = ''] = match;
    const value = context[key] ?? false;
    if (key === 'true' || key === 'false') return key === 'true';
    if (operator === '=~') {
      const [, pattern = '', flags] = /^\/(.+)\/(i?)$/.exec(operand) ?? [];
      return new RegExp(pattern, flags).test(String(value));
    }
    if (operator !== undefined) return (String(value) === operand) === (operator === '==');
    return (value !== false && value !== '') === (not === '');
  };
  return clause === undefined || clause.split(' || ').some((terms) => terms.split(' && ').every(isTrue));
}

function entriesOf(menu: string, context: Context) {
  return menus[menu]?.filter(({ when }) => holds(when, context)) ?? [];
}

function nameOf({ command, submenu }: { readonly command?: string; readonly submenu?: string }): string {
  return command ?? submenu ?? '';
}

describe('Commands', () => {
  it('are those that the code spells', () => {
    assert.deepEqual([...declared].sort(), Object.values(commandIds).sort());
    assert.equal(declared.size, commands.length, 'a command is declared twice');
  });

  for (const { command, title, category, enablement } of commands) {
    it(`${command} has title, category and enablement`, () => {
      assert.equal(title, `%command.${command.replace('transcriptionJobs.', '')}%`);
      assert.equal(category, '%category%');
      assert(enablement, 'no enablement');
    });
  }

  it('are the only ones that menus, keys and welcome texts name', () => {
    const named = [
      ...Object.values(menus).flatMap((items) => items.flatMap(({ command = [] }) => command)),
      ...manifest.contributes.keybindings.flatMap(({ command, args }) => args?.commands ?? [command]),
      ...Object.values(texts).flatMap((text) => [...text.matchAll(/\(command:([\w.]+)\)/g)].map(([, id]) => id ?? '')),
    ];
    const others = new Set<string>([holdRowCommand, 'list.selectAndPreserveFocus']);
    const unknown = named.filter((id) => !declared.has(id) && !id.startsWith('workbench.') && !others.has(id));
    assert.deepEqual(unknown, []);
  });

  /** Set API Key, Undo Mark as Handled or Mute, and the commands of the connection's row need no row: they take no arguments. */
  const rowCommands = (): readonly string[] =>
    (menus['view/item/context'] ?? [])
      .filter(
        ({ command, when }) =>
          command !== commandIds.setApiKey &&
          command !== commandIds.undoHandled &&
          !/viewItem =~ \/\^(connection|\(connection)/.test(when ?? ''),
      )
      .flatMap(({ command = [] }) => command);

  it('that need a row stay out of the palette', () => {
    const hidden = new Set(
      menus['commandPalette']?.filter(({ when }) => when === 'false').map(({ command }) => command),
    );
    const ofRows = rowCommands();
    assert.deepEqual(
      ofRows.filter((id) => !hidden.has(id)),
      [],
    );
  });

  it('that ask the service for a list are not offered for one that is made of what was seen', () => {
    const offered = menus['view/item/context']?.filter(({ when = '' }) => {
      const pattern = /viewItem =~ \/(.+?)\//.exec(when)?.[1];
      return pattern !== undefined && new RegExp(pattern).test('observed');
    });
    assert.deepEqual(
      offered?.map(({ command }) => command),
      [commandIds.exportRow],
    );
  });

  it('let what failed and what failed in part be marked as handled, in the menus of jobs and by a button of groups', () => {
    const groups = (contextValue: string) =>
      menus['view/item/context']
        ?.filter(({ command, when = '' }) => {
          const pattern = /viewItem =~ \/(.+?)\//.exec(when)?.[1];
          return command === commandIds.markHandled && pattern !== undefined && new RegExp(pattern).test(contextValue);
        })
        .map(({ group = '' }) => group.replace(/@.*/, ''));
    for (const ofJob of [
      'job live finished failed',
      'job live finished failed unhandled',
      'job live finished failed result partlyFailed',
    ])
      assert.deepEqual(groups(ofJob), ['2_attention'], ofJob);
    for (const ofGroup of ['failureGroup unhandled', 'partlyFailed'])
      assert.deepEqual(groups(ofGroup), ['2_attention', 'inline'], ofGroup);
    for (const other of ['job live finished result', 'job live finished failed handled result'])
      assert.deepEqual(groups(other), [], other);
  });

  it('are few enough to read: nine for a job, ten behind the dots of the view, twenty in the palette', () => {
    const words = [
      'live',
      'finished',
      'unfinished',
      'result',
      'audio',
      'submitted',
      'batch',
      'echo',
      'resubmittable',
      'retryable',
      'linkable',
    ];
    const isPossible = (word: string, state: string): boolean =>
      word.endsWith('finished')
        ? word === state
        : state === 'finished' || !['result', 'resubmittable', 'retryable'].includes(word);
    const job = (state: string): string => ['job', ...words.filter((word) => isPossible(word, state))].join(' ');
    const rows = [
      ...['failed unhandled', 'failed partlyFailed', 'failed', ''].map(
        (attention) => `${job('finished')} ${attention}`,
      ),
      job('unfinished'),
      'failures unhandled undoable',
      'failureGroup unhandled resubmittable',
      'partlyFailed',
      'group kind',
      'connection',
      'view',
    ];
    for (const viewItem of rows) {
      for (const listMultiSelection of [false, true]) {
        const context = { view: viewIds.jobs, viewItem, listMultiSelection, isWorkspaceTrusted: true };
        const entries = entriesOf('view/item/context', context);
        const places = entries.map(({ group = '' }) => group);
        // Entries in one place are sorted by their titles, so differently in each language.
        assert.equal(new Set(places).size, places.length, `${viewItem}: ${places.join(', ')}`);
        const shown = entries.filter(({ group }) => group?.startsWith('inline') !== true);
        assert(shown.length > 0 && shown.length <= 9, `${viewItem}: ${shown.map(nameOf).join(', ')}`);
        assert.equal(new Set(shown.map(nameOf)).size, shown.length, viewItem);
      }
    }
    for (const filtered of [false, true]) {
      const entries = entriesOf('view/title', { view: viewIds.jobs, [contextKeys.filtered]: filtered });
      const behindDots = entries.filter(({ group }) => group?.startsWith('navigation') !== true);
      assert(behindDots.length > 0 && behindDots.length <= 10, behindDots.map(nameOf).join(', '));
    }
    const clauses = new Map(menus['commandPalette']?.map(({ command, when }) => [command, when]));
    const state = {
      [contextKeys.state]: 'ready',
      [contextKeys.filtered]: true,
      resourceFilename: 'a.transcription.json',
    };
    const inPalette = commands.filter(
      ({ command, enablement }) => holds(enablement, state) && holds(clauses.get(command), state),
    );
    assert(inPalette.length > 10 && inPalette.length <= 20, inPalette.map(({ command }) => command).join(', '));
  });

  it('in a browser are those that need no service, and the one that explains why', () => {
    const request = {
      [contextKeys.state]: 'desktopOnly',
      resourceFilename: 'a.transcription.json',
      resourceScheme: 'transcription-preview',
    };
    const enabled = commands.flatMap(({ command, enablement }) => (holds(enablement, request) ? command : []));
    const { connect, newRequest, checkRequest, previewRequest, showLog, openSettings } = commandIds;
    assert.deepEqual(enabled, [connect, newRequest, checkRequest, previewRequest, showLog, openSettings]);
    const isEnabled = new Set<string>(enabled);
    for (const context of [request, { ...request, resourceFilename: 'a.csv', resourceExtname: '.csv' }]) {
      const shown = ['editor/title', 'explorer/context'].flatMap((menu) => entriesOf(menu, context)).map(nameOf);
      assert.deepEqual(
        shown.filter((command) => !isEnabled.has(command)),
        [],
      );
    }
    // The tools are only registered where there is a service.
    const { languageModelTools } = manifest.contributes;
    assert.deepEqual(
      languageModelTools.filter(({ when }) => holds(when, request)),
      [],
    );
    assert(languageModelTools.every(({ when }) => holds(when, {})));
  });

  const places: readonly (readonly [menu: string, viewItem: string, commands: readonly string[]])[] = [
    ['view/item/context', 'connection', ['testConnection', 'editConnection', 'removeConnection']],
    ['view/item/context', 'group kind', ['loadAll', 'countJobs']],
    ['view/item/context', 'job live unfinished', ['openJobToSide', 'openJobJson', 'watchJob', 'runAgain', 'copy']],
    ['view/item/context', 'job pre-recorded finished result submitted', ['saveTranscript', 'openRequest']],
    ['view/item/context', 'job pre-recorded finished result submitted batch', ['showBatch']],
    ['view/item/context', 'failureGroup unhandled', ['markHandled', 'muteFailures', 'copyReport']],
    ['view/item/context', 'failureGroup unhandled resubmittable', ['resubmitFailed']],
    ['view/item/context', 'failures unhandled', ['markHandled', 'muteFailures', 'copyReport']],
    ['view/item/context', 'failures unhandled undoable', ['undoHandled']],
    [
      'transcriptionJobs.runAgain',
      'job pre-recorded failed resubmittable retryable submitted',
      ['resubmitFailed', 'retryJob'],
    ],
    ['transcriptionJobs.runAgain', 'job pre-recorded echo', ['newRequestFromJob']],
    ['transcriptionJobs.copy', 'job live linkable', ['copyJobId', 'copyLink', 'copyCurl']],
    ['view/title', '', ['openSettings', 'showWatched', 'undoHandled']],
    ['editor/title', '', ['copyRequestCurl']],
    ['explorer/context', '', ['submitRequest', 'submitBatch']],
  ];
  for (const [menu, viewItem, names] of places) {
    it(`are in the menu ${menu} ${viewItem}, as the documents say`, () => {
      const context = {
        view: viewIds.jobs,
        viewItem,
        resourceFilename: 'a.transcription.json',
        [contextKeys.state]: 'ready',
      };
      const entries = entriesOf(menu, context).filter(({ group }) => !/^(?:inline|navigation)/.test(group ?? ''));
      const shown = entries.map((entry) => nameOf(entry).replace('transcriptionJobs.', ''));
      assert.deepEqual(
        names.filter((name) => !shown.includes(name)),
        [],
      );
      if (viewItem.includes('batch')) assert(!shown.includes('openRequest'));
    });
  }

  it("that need a row stay out of the view's title, which hands over the one that has the focus", () => {
    const ofRows = new Set(rowCommands());
    const ofTitle = menus['view/title']?.flatMap(({ command = [] }) => command) ?? [];
    assert.deepEqual(
      ofTitle.filter((id) => ofRows.has(id)),
      [],
    );
  });
});

describe('Views', () => {
  it('are those that the code spells', () => {
    assert.deepEqual(
      manifest.contributes.viewsContainers.activitybar.map(({ id }) => id),
      [viewIds.container],
    );
    assert.deepEqual(
      Object.entries(manifest.contributes.views).map(([container, views]) => [container, views.map(({ id }) => id)]),
      [[viewIds.container, [viewIds.jobs]]],
    );
    assert(viewsWelcome.every(({ view }) => view === viewIds.jobs));
  });

  it('have a welcome text for each state that has no rows', () => {
    const states = viewsWelcome.map(({ when }) => / == (\w+)/.exec(when)?.[1]);
    assert.deepEqual(new Set(states), new Set(['noConnection', 'noKey', 'keyRejected', 'offline', 'desktopOnly']));
  });

  it('ask only for context keys that the code sets', () => {
    const asked = new Set(
      [...manifestText.matchAll(/"(?:(?:when|enablement)": "|onContext:)((?:[^"\\]|\\.)*)"/g)].flatMap(([, clause]) =>
        [...(clause ?? '').matchAll(/(?<![=] )\btranscriptionJobs\.\w+/g)].map(([key]) => key),
      ),
    );
    assert.deepEqual([...asked].sort(), Object.values(contextKeys).sort());
  });
});

/** Returns the parts of a schema in which values are described. */
function describedParts(schema: unknown): readonly Setting[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { items, properties = {}, additionalProperties, oneOf = [] } = schema as Setting;
  const parts = [items, additionalProperties, ...Object.values(properties), ...oneOf];
  return [schema as Setting, ...parts.flatMap(describedParts)];
}

function withoutDescriptions(schema: object): unknown {
  return JSON.parse(JSON.stringify(schema, (key, value: unknown) => (/Descriptions?$/.test(key) ? undefined : value)));
}

describe('Steps of the walkthrough', () => {
  it('are also completed if they were done before the walkthrough was opened', () => {
    const events = manifest.contributes.walkthroughs.flatMap(({ steps }) => steps.map((step) => step.completionEvents));
    // `onContext` only fires when a key changes: the second event fires when the page of the walkthrough becomes the active editor.
    for (const [first = '', ...others] of events)
      assert.deepEqual(others, [first.replace(':', ':activeEditor == gettingStartedPage && ')]);
  });
});

describe('Settings', () => {
  const shapes = { ...settingShapes(readConnectionDefaults(manifest)), views: savedViewsSetting() };

  it('are those that the code reads', () => {
    assert.deepEqual(
      settings.map(([id]) => id).sort(),
      Object.keys(shapes)
        .map((name) => `transcriptionJobs.${name}`)
        .sort(),
    );
  });

  for (const [id, setting] of settings) {
    const shape = Object.entries(shapes).find(([name]) => id === `transcriptionJobs.${name}`)?.[1];
    it(`${id} has a description, and a default that the code can read`, () => {
      assert.match(setting.markdownDescription ?? '', /^%setting\..+%$/);
      assert(shape && 'default' in setting);
      const { value, problems } = shape.read(setting.default);
      assert.notEqual(value, undefined);
      assert.deepEqual(problems, []);
    });

    if (id === 'transcriptionJobs.connections') continue;
    it(`${id} has the bounds that the code checks`, () => {
      const keywords = ['type', 'minimum', 'maximum', 'anyOf', 'enum', 'pattern', 'items', 'additionalProperties'];
      const bounds = Object.fromEntries(Object.entries(setting).filter(([keyword]) => keywords.includes(keyword)));
      assert.deepEqual(withoutDescriptions(bounds), shape?.schema);
      if (setting.type === 'integer') assert(setting.minimum !== undefined && setting.maximum !== undefined);
    });
  }

  it('describe each field and each choice in a sentence', () => {
    const places = settings.flatMap(([, setting]) => describedParts(setting));
    const fields = places.flatMap(({ properties = {}, oneOf }) => [
      ...Object.entries(properties).filter(([, { const: constant }]) => constant === undefined),
      ...Object.entries(oneOf ?? {}),
    ]);
    const nameless = ['utc', 'day', 'hours', 'after', 'before'];
    const described = fields.filter(([name]) => !nameless.includes(name)).map(([, field]) => field.markdownDescription);
    const choices = places
      // Statuses are the service's words.
      .filter(({ enum: values = [] }) => values.length > 0 && !values.includes('queued'))
      .flatMap(({ enum: values = [], enumDescriptions, markdownEnumDescriptions }) => {
        const texts = enumDescriptions ?? markdownEnumDescriptions ?? [];
        assert.equal(texts.length, values.length, values.join());
        return texts;
      });
    const all = [...settings.map(([, setting]) => setting.markdownDescription), ...described, ...choices];
    assert.deepEqual(
      // Code and names have no translation.
      all.filter((key = '') => !(texts[key.slice(1, -1)] ?? key).endsWith('.')),
      [],
    );
  });

  it('of a connection have a description and the bounds that the code checks', () => {
    const fields = Object.entries(settingsById['transcriptionJobs.connections']?.items?.properties ?? {});
    const problemsOf = (field: string, value: unknown): number =>
      shapes.connections.read([{ name: 'A', baseUrl: 'https://a.example', [field]: value }]).problems.length;
    for (const [field, { type, markdownDescription, minimum, maximum, enum: choices = [] }] of fields) {
      assert.equal(markdownDescription, `%setting.connections.${field}%`);
      for (const choice of choices) assert.equal(problemsOf(field, choice), 0, choice);
      if (type !== 'integer') continue;
      assert(minimum !== undefined);
      assert.deepEqual([minimum - 1, minimum].map(problemsOf.bind(undefined, field)), [1, 0], field);
      // Contract 8 has no maximum of a limit.
      const great = maximum ?? Number.MAX_SAFE_INTEGER - 1;
      assert.deepEqual(
        [great, great + 1].map(problemsOf.bind(undefined, field)),
        [0, maximum === undefined ? 0 : 1],
        field,
      );
    }
  });

  it('have a place of their own in their section', () => {
    for (const { title, properties } of configuration) {
      const places = Object.values(properties).map(({ order }) => order);
      assert.deepEqual(
        places,
        places.map((_, index) => index + 1),
        title,
      );
    }
  });

  it('of a service are the same in the code and in the setting', () => {
    const { service } = settingsById['transcriptionJobs.connections']?.items?.properties ?? {};
    assert.deepEqual(service?.enum, serviceChoices);
  });

  it('let agents read the jobs of all connections by default, as docs/agents.md says', () => {
    assert.deepEqual(settingsById['transcriptionJobs.agents.connections']?.default, ['*']);
  });

  it('that could redirect money or silence a warning are not for a folder that nobody trusts', () => {
    const restricted = new Set(manifest.capabilities.untrustedWorkspaces.restrictedConfigurations);
    const ofFolders: readonly string[] = ['window', 'resource', 'language-overridable', 'machine-overridable'];
    const whoDecides = settings.map(([id, { scope = 'window' }]) => [
      id.replace('transcriptionJobs.', ''),
      ofFolders.includes(scope) ? (restricted.has(id) ? 'a trusted folder' : 'any folder') : scope,
    ]);
    // For each new setting, consider what a folder from a stranger could do with it.
    assert.deepEqual(Object.fromEntries(whoDecides), {
      connection: 'a trusted folder',
      connections: 'machine',
      groupBy: 'any folder',
      labelKeys: 'any folder',
      errorLabels: 'a trusted folder',
      'autoRefresh.intervalSeconds': 'a trusted folder',
      'submit.confirm': 'application',
      'agents.connections': 'application',
      'submit.correlationTag': 'a trusted folder',
      notifyWhenFinished: 'any folder',
      overdueMinutes: 'a trusted folder',
      times: 'any folder',
      deliver: 'a trusted folder',
      views: 'any folder',
      rules: 'a trusted folder',
    });
    const unknown = [...restricted].filter((id) => !Object.hasOwn(settingsById, id));
    assert.deepEqual(unknown, []);
  });
});

describe('Texts of the manifest', () => {
  it('name each setting that a folder without trust cannot set', () => {
    const names: Readonly<Record<string, string>> = {
      'transcriptionJobs.connections': 'connections',
      'transcriptionJobs.connection': 'connections',
      'transcriptionJobs.submit.confirm': 'submissions',
      'transcriptionJobs.submit.correlationTag': 'submissions',
      'transcriptionJobs.rules': 'rules',
      'transcriptionJobs.errorLabels': 'error labels',
      'transcriptionJobs.overdueMinutes': 'overdue jobs',
      'transcriptionJobs.autoRefresh.intervalSeconds': 'refreshing',
      'transcriptionJobs.deliver': 'saving results',
    };
    const { restrictedConfigurations } = manifest.capabilities.untrustedWorkspaces;
    assert.deepEqual(Object.keys(names).sort(), [...restrictedConfigurations].sort());
    const missing = Object.values(names).filter((name) => texts['capabilities.untrusted']?.includes(name) !== true);
    assert.deepEqual(missing, []);
  });

  it('include the path of the translated schema, because the editor translates jsonValidation in no other way', () => {
    assert.match(texts['requestSchema'] ?? '', /^\.\/dist\/schemas\/request\.schema\.json$/);
  });

  it('are all there, and none is left over', () => {
    const used = [...manifestText.matchAll(/"%([^%"]+)%"/g)].map(([, key]) => key ?? '');
    assert.deepEqual([...new Set(used)].sort(), Object.keys(texts).sort());
  });
});

describe('Capabilities', () => {
  it('hold for untrusted and virtual workspaces and for remote windows', () => {
    const { untrustedWorkspaces, virtualWorkspaces } = manifest.capabilities;
    assert.equal(untrustedWorkspaces.supported, 'limited');
    assert.equal(virtualWorkspaces, true);
    assert.deepEqual(manifest.extensionKind, ['workspace', 'ui']);
  });

  it('do not include starting with the editor', () => {
    assert(!manifest.activationEvents.includes('*') && !manifest.activationEvents.includes('onStartupFinished'));
  });
});
