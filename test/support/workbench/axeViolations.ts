import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import type { FrameLocator } from 'playwright-core';

interface AxeResult {
  readonly violations: readonly {
    readonly id: string;
    readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
  }[];
}

// The package's own builder opens new pages; inside a webview only the library itself works.
const builder = createRequire(createRequire(import.meta.url).resolve('@axe-core/playwright'));
const source = readFileSync(builder.resolve('axe-core/axe.min.js'), 'utf8');

/** The violations that axe finds inside a webview, one line per rule and node. */
export async function axeViolations(webview: FrameLocator): Promise<string[]> {
  const root = webview.locator(':root');
  // Evaluated through the debugger, to which the page's content security policy does not apply.
  await root.evaluate((_root, text) => {
    // oxlint-disable-next-line no-eval -- see above
    (0, eval)(text);
  }, source);
  const { violations } = await root.evaluate((document) =>
    (globalThis as unknown as { axe: { run: (on: unknown) => Promise<AxeResult> } }).axe.run(document),
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary ?? ''}`),
  );
}
