import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import type { Locator } from 'playwright-core';

interface AxeResult {
  readonly violations: readonly {
    readonly id: string;
    readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
  }[];
}

// The package's own builder opens new pages; inside a webview only the library itself works.
const builder = createRequire(createRequire(import.meta.url).resolve('@axe-core/playwright'));
const source = readFileSync(builder.resolve('axe-core/axe.min.js'), 'utf8');

/**
 * Returns the violations that axe finds inside a webview or on a separate page, one line per rule and node.
 * @param rules all by default
 */
export async function axeViolations(
  webview: { locator(selector: string): Locator },
  rules?: readonly string[],
): Promise<string[]> {
  const root = webview.locator(':root');
  if (!(await root.evaluate(() => 'axe' in globalThis))) {
    // Evaluated through the debugger, to which the page's content security policy does not apply.
    await root.evaluate((_root, text) => {
      // oxlint-disable-next-line no-eval -- see above
      (0, eval)(text);
    }, source);
  }
  const options = {
    // It would fetch style sheets, which the page's policy blocks.
    preload: false,
    ...(rules !== undefined && { runOnly: { type: 'rule', values: rules } }),
  };
  const { violations } = await root.evaluate(
    (document, given) =>
      (globalThis as unknown as { axe: { run: (on: unknown, options: object) => Promise<AxeResult> } }).axe.run(
        document,
        given,
      ),
    options,
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary ?? ''}`),
  );
}
