import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { askPair, type MetadataCondition } from '../../../src/editor/browse/filterMetadataSteps.ts';
import type { Choice } from '../../../src/editor/quickPick.ts';

type Pick = vscode.QuickPick<Choice<unknown>>;

describe('A condition on metadata', () => {
  const noBrackets = ({ key, value }: MetadataCondition): string | undefined =>
    /[[\]]/.test(`${key}${value}`) ? 'It has characters that cannot be sent. Use others.' : undefined;

  it('that cannot be sent is refused where it is typed, and what was typed stays', async () => {
    await withPicks(async (next) => {
      const asked = askPair([], undefined, noBrackets);
      const key = await next();
      type(key, 'room[1]');
      accept(key, 0);
      assert.equal(key.value, 'room[1]');
      assert.deepEqual(
        key.items.map(({ label, detail }) => [label, detail]),
        [
          ['$(error) It has characters that cannot be sent.', 'Use others.'],
          ['$(edit) room[1]', undefined],
        ],
      );
      // The row that says so stands for nothing.
      accept(key, 0);
      type(key, 'room');
      assert.deepEqual(
        key.items.map(({ label }) => label),
        ['$(edit) room'],
      );
      accept(key, 0);

      const value = await next();
      type(value, '[2]');
      accept(value, 0);
      assert.match(value.items[0]?.label ?? '', /cannot be sent/);
      assert.equal(value.value, '[2]');
      type(value, 'two');
      accept(value, 0);
      assert.deepEqual(await asked, { type: 'picked', value: { key: 'room', value: 'two' } });
    });
  });
});

const fire = Symbol('fire');

function type(pick: Pick, text: string): void {
  pick.value = text;
  (pick as Pick & Record<typeof fire, (event: string) => void>)[fire]('onDidChangeValue');
}

function accept(pick: Pick, row: number): void {
  pick.selectedItems = pick.items.slice(row, row + 1);
  (pick as Pick & Record<typeof fire, (event: string) => void>)[fire]('onDidAccept');
}

/** Runs something while lists to pick from are handed over instead of shown. @param body takes them one after the other. */
async function withPicks(body: (next: () => Promise<Pick>) => Promise<void>): Promise<void> {
  const made: Pick[] = [];
  let wake = (): void => undefined;
  const { createQuickPick } = vscode.window;
  const make = (): Pick => {
    const listeners = new Map<PropertyKey, () => void>();
    const fields = new Map<PropertyKey, unknown>([
      ['value', ''],
      ['items', []],
      ['show', () => undefined],
      ['dispose', () => undefined],
      [fire, (event: string) => listeners.get(event)?.()],
    ]);
    const listen = (event: PropertyKey) => (listener: () => void) => {
      listeners.set(event, listener);
      return new vscode.Disposable(() => listeners.delete(event));
    };
    const pick = new Proxy({} as Pick, {
      get: (_target, name) => (String(name).startsWith('onDid') ? listen(name) : fields.get(name)),
      set: (_target, name, value) => fields.set(name, value) !== undefined,
    });
    made.push(pick);
    wake();
    return pick;
  };
  const next = async (): Promise<Pick> => {
    for (;;) {
      const pick = made.shift();
      if (pick !== undefined) return pick;
      await new Promise<void>((resolve) => (wake = resolve));
    }
  };
  Object.assign(vscode.window, { createQuickPick: make });
  try {
    await body(next);
  } finally {
    Object.assign(vscode.window, { createQuickPick });
  }
}
