import type { SmallExtension } from '../../support/extensions/packExtension.ts';

/** Total number of rows that the command "Draw Rows" renders. */
export const drawnRows = 6_000;
/** The final message of the command. */
export const drawnMessage = 'Rows were drawn';

const view = 'emptyTree.rows';

/**
 * An extension with only an empty tree, which a command renders again: whatever its extension host retains is the editor's own. Another
 * command fills the tree, renders its rows repeatedly and empties it, to show the editor's share per row.
 */
export const emptyTree: SmallExtension = {
  name: 'empty-tree',
  manifest: {
    contributes: {
      viewsContainers: { activitybar: [{ id: 'emptyTree', title: 'Empty Tree', icon: 'icon.svg' }] },
      views: { emptyTree: [{ id: view, name: 'Rows' }] },
      commands: [
        { command: 'emptyTree.refresh', title: 'Empty Tree: Refresh' },
        { command: 'emptyTree.draw', title: 'Empty Tree: Draw Rows' },
      ],
    },
  },
  code: `
    import * as vscode from 'vscode';
    export function activate(context) {
      const changes = new vscode.EventEmitter();
      let rows = [];
      let asked = () => undefined;
      const treeDataProvider = {
        onDidChangeTreeData: changes.event,
        getChildren: () => {
          asked();
          return rows;
        },
        getTreeItem: (row) => ({ id: row.id, label: row.id }),
      };
      const draw = async (ids) => {
        rows = ids.map((id) => ({ id }));
        const drawn = new Promise((resolve) => (asked = resolve));
        changes.fire(undefined);
        await drawn;
      };
      context.subscriptions.push(
        changes,
        vscode.window.createTreeView('${view}', { treeDataProvider }),
        vscode.commands.registerCommand('emptyTree.refresh', () => changes.fire(undefined)),
        vscode.commands.registerCommand('emptyTree.draw', async () => {
          const ids = Array.from({ length: 200 }, (_, place) => String(place));
          for (let drawn = 0; drawn < ${drawnRows}; drawn += ids.length) await draw(ids);
          await draw([]);
          void vscode.window.showInformationMessage('${drawnMessage}');
        }),
      );
    }
  `,
};
