import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import type { FrameLocator } from 'playwright-core';

interface AxeResult {
  readonly violations: readonly {
    readonly id: string;
    readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
  }[];
}

// The builder that comes with it opens pages of its own; inside a webview only the library itself is of use.
const builder = createRequire(createRequire(import.meta.url).resolve('@axe-core/playwright'));
const source = readFileSync(builder.resolve('axe-core/axe.min.js'), 'utf8');

/** What axe finds wrong inside a webview, one line per rule and place. */
export async function axeViolations(webview: FrameLocator): Promise<string[]> {
  const root = webview.locator(':root');
  // By the debugger's road, which the page's content security policy does not bar.
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
