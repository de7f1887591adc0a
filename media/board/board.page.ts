import './languageTag.ts';
import '../page/base.css';
import 'uplot/dist/uPlot.min.css';
import './board.css';
import { config } from '@vscode/l10n';
import { connectBoard } from './boardHost.ts';
import { BoardPage } from './boardPage.ts';

let page: BoardPage | undefined;
const host = connectBoard((message) => {
  if (message.type === 'hello') {
    config({ contents: { ...message.strings } });
    page ??= new BoardPage(host, { language: message.language, timeZone: undefined }, message.folded);
  } else page?.receive(message);
});
