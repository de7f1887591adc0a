import { exchange } from '../../../src/platform/http/exchange.ts';
import { runMain } from '../run/runMain.ts';

// `node exchangeOnce.ts GET|POST URL`: sends one request as the extension does where no editor replaces Node's HTTP, and prints its status.
await runMain(async () => {
  const [method, url = ''] = process.argv.slice(2);
  const result = await exchange({
    method: method === 'POST' ? 'POST' : 'GET',
    url: new URL(url),
    headers: {},
    ...(method === 'POST' && { body: '{}' }),
    timeoutMs: 10_000,
    signal: new AbortController().signal,
  });
  console.log(result.type === 'answered' ? result.answer.status : result.failure.code);
  return 0;
});
