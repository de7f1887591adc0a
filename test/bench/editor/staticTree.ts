import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../../support/editor/repositoryRoot.ts';
import type { SmallExtension } from '../../support/extensions/packExtension.ts';

/** The views of {@link staticTree}: container and tree. In one the rows of a group exist, in the other they are requested. */
export const staticView = { container: 'Bench Static', tree: 'Static' } as const;
export const askingView = { container: 'Bench Asking', tree: 'Asking' } as const;

/**
 * Environment variable: the file to which {@link staticTree} appends the duration of each query of the editor's key store, one line of
 * milliseconds each.
 */
export const keyTimesVariable = 'BENCH_KEY_TIMES';

/** The menu entries for rows of the jobs view: the editor searches them for each row that it renders. */
const rowMenu = readMenu('view/item/context');
const submenus = rowMenu.flatMap(({ submenu }) => submenu ?? []);
const menus = [
  { menu: 'view/item/context', entries: rowMenu },
  ...submenus.map((id) => ({ menu: id, entries: readMenu(id) })),
];

const code = `
import { appendFileSync } from 'node:fs';
import { get } from 'node:http';
import * as vscode from 'vscode';
export async function activate(context) {
  await context.secrets.store('key', process.env.TRANSCRIPTION_API_KEY);
  const url = process.env.TRANSCRIPTION_BASE_URL + '/v2/pre-recorded?offset=0&limit=20&status=done';
  const ask = async () => {
    const startMs = performance.now();
    const key = await context.secrets.get('key');
    appendFileSync(process.env.${keyTimesVariable}, (performance.now() - startMs) + '\\n');
    const text = await new Promise((resolve, reject) => get(url, { headers: { 'x-service-key': key } }, (response) => {
      const chunks = [];
      response.on('data', (chunk) => chunks.push(chunk)).on('error', reject);
      response.on('end', () => resolve(Buffer.concat(chunks).toString()));
    }).on('error', reject));
    if (JSON.parse(text).items.length !== 20) throw new Error('not 20 jobs');
  };
  const icon = new vscode.ThemeIcon('pass', new vscode.ThemeColor('testing.iconPassed'));
  const node = (id, label, children) => ({ id, label, children });
  // In the scripts of sample jobs: the editor takes longer for the first row of another script.
  const names = ['Weekly review', 'Matière grise', '夜のラジオ', 'Søndergaard & Fils'];
  const rows = (group) => Array.from({ length: 20 }, (_, index) => node(group + '/' + index, names[index % 4] + ' ' + index));
  const groups = (kind) => ['Done', 'Failed'].map((name) => node(kind + '/' + name, name, rows(kind + '/' + name)));
  const roots = ['Pre-recorded', 'Live'].map((kind) => node(kind, kind, groups(kind)));
  const { None, Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
  for (const [view, isAsking] of [['benchStatic.rows', false], ['benchAsking.rows', true]])
  context.subscriptions.push(vscode.window.createTreeView(view, { canSelectMany: true, showCollapseAll: true, treeDataProvider: {
    resolveTreeItem: (item) => item,
    getChildren: async (parent) => {
      if (isAsking && parent !== undefined && !roots.includes(parent)) await ask();
      return parent ? parent.children : roots;
    },
    getTreeItem: ({ id, label, children }) => {
      const item = new vscode.TreeItem(label, children === undefined ? None : id === label ? Expanded : Collapsed);
      item.id = id;
      item.iconPath = icon;
      item.description = children === undefined ? '3 minutes ago' : '';
      if (children === undefined) item.contextValue = 'job live finished linkable result';
      item.accessibilityInformation = { label: label + ', done, 3 minutes ago' };
      item.command = { command: 'workbench.action.focusActiveEditorGroup', title: 'Open' };
      return item;
    },
  } }));
}`;

/**
 * A view with two kinds, two groups in each, and 20 rows in each group that exist from the start; and another of the same rows, which
 * queries the editor's key store for a key, and with it the service for 20 jobs, before it shows a group, and offers the same menus for its
 * rows as the jobs view: the floor of a tree that does all three.
 */
export const staticTree: SmallExtension = {
  name: 'static-tree',
  manifest: {
    contributes: {
      commands: [...new Set(menus.flatMap(({ entries }) => entries.flatMap(({ command }) => command ?? [])))].map(
        (command) => ({ command: nameOf(command), title: 'Do', icon: '$(split-horizontal)' }),
      ),
      submenus: submenus.map((id) => ({ id: nameOf(id), label: 'More' })),
      menus: Object.fromEntries(menus.map(({ menu, entries }) => [nameOf(menu), entries.map(entryOf)])),
      viewsContainers: {
        activitybar: [
          { id: 'benchStatic', title: staticView.container, icon: '$(list-tree)' },
          { id: 'benchAsking', title: askingView.container, icon: '$(list-tree)' },
        ],
      },
      views: {
        benchStatic: [{ id: 'benchStatic.rows', name: staticView.tree }],
        benchAsking: [{ id: 'benchAsking.rows', name: askingView.tree }],
      },
    },
  },
  code,
};

/** An entry of a menu: a command or a submenu. */
interface MenuEntry {
  readonly command?: string;
  readonly submenu?: string;
  readonly when?: string;
  readonly group: string;
}

function readMenu(name: string): readonly MenuEntry[] {
  const { contributes } = JSON.parse(readFileSync(join(repositoryRoot, 'package.json'), 'utf8')) as {
    readonly contributes: { readonly menus: Readonly<Record<string, readonly MenuEntry[]>> };
  };
  return contributes.menus[name] ?? [];
}

function entryOf({ command, submenu, when, group }: MenuEntry): MenuEntry {
  return {
    ...(command !== undefined && { command: nameOf(command) }),
    ...(submenu !== undefined && { submenu: nameOf(submenu) }),
    ...(when !== undefined && { when: when.replaceAll('transcriptionJobs.jobs', 'benchAsking.rows') }),
    group,
  };
}

function nameOf(id: string): string {
  return id.replace('transcriptionJobs', 'benchStatic');
}
