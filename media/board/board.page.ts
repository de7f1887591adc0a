import './languageTag.ts';
import '../page/base.css';
import 'uplot/dist/uPlot.min.css';
import './board.css';
import { config } from '@vscode/l10n';
import { hostToBatch, type BatchToHost, type HostToBatch } from '../../src/features/submit/common/batchProtocol.ts';
import { connectPage } from '../page/connectPage.ts';
import { BatchPage } from './batchPage.ts';
import { connectBoard } from './boardHost.ts';
import { BoardPage } from './boardPage.ts';

// One script for both pages with a table: most of it is the same.
if (document.documentElement.dataset['shows'] === 'batch') showBatch();
else showBoard();

function showBoard(): void {
  let page: BoardPage | undefined;
  const host = connectBoard((message) => {
    if (message.type === 'hello') {
      config({ contents: { ...message.strings } });
      page ??= new BoardPage(host, { language: message.language, timeZone: undefined }, message.folded);
    } else page?.receive(message);
  });
}

function showBatch(): void {
  let page: BatchPage | undefined;
  const { send, state } = connectPage<HostToBatch, BatchToHost>(hostToBatch, (message) => {
    if (message.type === 'hello') {
      config({ contents: { ...message.strings } });
      state.setState(message.state);
      page ??= new BatchPage(send, { language: message.language, timeZone: undefined });
    } else page?.receive(message);
  });
}
