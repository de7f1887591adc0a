import * as vscode from 'vscode';
import { findFrontMatterLink } from '../../../jobs/common/frontMatter.ts';
import { readJobLink } from '../../../jobs/common/jobLink.ts';
import { openJobLinkCommand } from '../../../platform/editor/ids.ts';

/** In lines. Front matter is at the beginning. */
const maxLines = 60;

/** Makes the job in the front matter of saved Markdown a link, which opens the job. Anybody may have written the file. */
export const savedLinkProvider: vscode.DocumentLinkProvider = {
  provideDocumentLinks: (document) => {
    const found = findFrontMatterLink(document.getText(new vscode.Range(0, 0, maxLines, 0)));
    if (found === undefined || readJobLink(vscode.Uri.parse(found.link)) === undefined) return [];
    const { link, start } = found;
    const range = new vscode.Range(document.positionAt(start), document.positionAt(start + link.length));
    const query = JSON.stringify([link]);
    const opened = new vscode.DocumentLink(
      range,
      vscode.Uri.from({ scheme: 'command', path: openJobLinkCommand, query }),
    );
    opened.tooltip = vscode.l10n.t('Open Job');
    return [opened];
  },
};
