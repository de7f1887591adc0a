import type { SmallExtension } from '../../support/extensions/packExtension.ts';

/** The view of {@link growingTree}: its container and its tree. */
export const growingView = { container: 'Bench Growing', tree: 'Growing' } as const;

/** Number of times that its "Load More" adds rows without a request; after that it first requests as many jobs. */
export const quietPresses = 'BENCH_QUIET_PRESSES';

const code = `
import { get } from 'node:http';
import * as vscode from 'vscode';
export function activate(context) {
  const icon = new vscode.ThemeIcon('pass', new vscode.ThemeColor('testing.iconPassed'));
  const { None, Expanded } = vscode.TreeItemCollapsibleState;
  const root = { id: 'root', label: 'Rows' };
  const more = { id: 'more', label: 'Load More' };
  const names = ['Weekly review', 'Matière grise', '夜のラジオ', 'Søndergaard & Fils'];
  const rows = [];
  const grow = (count) => {
    for (let each = 0; each < count; each++) {
      const uuid = String(rows.length).padStart(8, '0') + '-0000-4000-8000-000000000000';
      rows.push({ id: 'Bench/live/' + uuid, label: names[rows.length % 4] + ' ' + rows.length });
    }
  };
  grow(10000);
  let presses = 0;
  const ask = async () => {
    const url = process.env.TRANSCRIPTION_BASE_URL + '/v2/live?limit=19&offset=' + rows.length;
    const text = await new Promise((resolve, reject) => get(url, { headers: { 'x-service-key': process.env.TRANSCRIPTION_API_KEY } }, (response) => {
      const chunks = [];
      response.on('data', (chunk) => chunks.push(chunk)).on('error', reject);
      response.on('end', () => resolve(Buffer.concat(chunks).toString()));
    }).on('error', reject));
    if (JSON.parse(text).items.length !== 19) throw new Error('not 19 jobs');
  };
  const changes = new vscode.EventEmitter();
  const draw = (node) => {
    const item = new vscode.TreeItem(node.label, node === root ? Expanded : None);
    item.id = node.id;
    item.iconPath = icon;
    item.description = node === root ? '' : '3m';
    item.contextValue = 'job live finished';
    if (node !== more) item.accessibilityInformation = { label: 'job ' + node.id.slice(11, 19) + ', ' + node.label + ', done, live, 3 minutes ago' };
    const command = node === more ? 'benchGrowing.more' : 'workbench.action.focusActiveEditorGroup';
    item.command = { command, title: 'Open', arguments: [node.id] };
    return item;
  };
  const drawn = new Map();
  const itemOf = (node) => drawn.get(node) ?? drawn.set(node, draw(node)).get(node);
  context.subscriptions.push(
    vscode.commands.registerCommand('benchGrowing.more', async () => {
      if (++presses > Number(process.env.${quietPresses})) await ask();
      grow(19);
      changes.fire(root);
    }),
    vscode.window.createTreeView('benchGrowing.rows', { canSelectMany: true, treeDataProvider: {
      onDidChangeTreeData: changes.event,
      getChildren: (parent) => (parent === undefined ? [root] : [...rows, more]),
      getTreeItem: itemOf,
    } }),
  );
}`;

/**
 * A view with one group of 10,000 rows to which "Load More" adds 19, first without a request and then with one: the editor's own time. All
 * data that the editor receives about the rows have the same length and scripts as those of sample jobs.
 */
export const growingTree: SmallExtension = {
  name: 'growing-tree',
  manifest: {
    contributes: {
      commands: [{ command: 'benchGrowing.more', title: 'Bench: More' }],
      viewsContainers: { activitybar: [{ id: 'benchGrowing', title: growingView.container, icon: '$(list-tree)' }] },
      views: { benchGrowing: [{ id: 'benchGrowing.rows', name: growingView.tree }] },
    },
  },
  code,
};
