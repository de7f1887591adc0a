import type { SmallExtension } from '../../support/extensions/packExtension.ts';

/** The view of {@link staticTree}: its container and its tree. */
export const staticView = { container: 'Bench Static', tree: 'Static' } as const;

const code = `
import * as vscode from 'vscode';
export function activate(context) {
  const icon = new vscode.ThemeIcon('pass', new vscode.ThemeColor('testing.iconPassed'));
  const node = (id, label, children) => ({ id, label, children });
  const rows = (group) => Array.from({ length: 20 }, (_, index) => node(group + '/' + index, 'Weekly review ' + index));
  const groups = (kind) => ['Done', 'Failed'].map((name) => node(kind + '/' + name, name, rows(kind + '/' + name)));
  const roots = ['Pre-recorded', 'Live'].map((kind) => node(kind, kind, groups(kind)));
  const { None, Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
  context.subscriptions.push(vscode.window.createTreeView('benchStatic.rows', { treeDataProvider: {
    getChildren: (parent) => (parent ? parent.children : roots),
    getTreeItem: ({ id, label, children }) => {
      const item = new vscode.TreeItem(label, children === undefined ? None : id === label ? Expanded : Collapsed);
      item.id = id;
      item.iconPath = icon;
      item.description = children === undefined ? '3 minutes ago' : '';
      item.contextValue = 'job';
      item.accessibilityInformation = { label: label + ', done, 3 minutes ago' };
      item.command = { command: 'workbench.action.focusActiveEditorGroup', title: 'Open' };
      return item;
    },
  } }));
}`;

/** A view with two kinds, two groups in each, and 20 rows in each group that exist from the start. */
export const staticTree: SmallExtension = {
  name: 'static-tree',
  manifest: {
    contributes: {
      viewsContainers: { activitybar: [{ id: 'benchStatic', title: staticView.container, icon: '$(list-tree)' }] },
      views: { benchStatic: [{ id: 'benchStatic.rows', name: staticView.tree }] },
    },
  },
  code,
};
