import * as vscode from 'vscode';
import type { Choice } from '../../../src/editor/quickPick.ts';

/** A quick pick that was created but is not on the screen. */
export type ShownPick = vscode.QuickPick<Choice<unknown>>;

const fire = Symbol('fire');

/** Sets the input of a quick pick and fires its event, as typing does. */
export function typeInto(pick: ShownPick, text: string): void {
  pick.value = text;
  (pick as ShownPick & Record<typeof fire, (event: string) => void>)[fire]('onDidChangeValue');
}

/** Selects a row of a quick pick by its index and accepts it. */
export function acceptRow(pick: ShownPick, row: number): void {
  pick.selectedItems = pick.items.slice(row, row + 1);
  acceptPick(pick);
}

/** Accepts the current selection of a quick pick. */
export function acceptPick(pick: ShownPick): void {
  (pick as ShownPick & Record<typeof fire, (event: string) => void>)[fire]('onDidAccept');
}

/** Reports an item as the active one, as the editor does when the user moves to it, and on its way to the one that was set. */
export function reportActive(pick: ShownPick, item: Choice<unknown> | undefined): void {
  (pick as ShownPick & Record<typeof fire, (event: string, given: unknown) => void>)[fire]('onDidChangeActive', [item]);
}

/** Closes a quick pick as Escape does. */
export function hidePick(pick: ShownPick): void {
  (pick as ShownPick & Record<typeof fire, (event: string) => void>)[fire]('onDidHide');
}

/**
 * Runs `body` while quick picks are passed to it instead of being shown.
 * @param body calls `next` for each quick pick in turn.
 */
export async function withPicks(body: (next: () => Promise<ShownPick>) => Promise<void>): Promise<void> {
  const made: ShownPick[] = [];
  let wake = (): void => undefined;
  const { createQuickPick } = vscode.window;
  const make = (): ShownPick => {
    const listeners = new Map<PropertyKey, (given?: unknown) => void>();
    const fields = new Map<PropertyKey, unknown>([
      ['value', ''],
      ['items', []],
      ['activeItems', []],
      ['show', () => undefined],
      ['hide', () => undefined],
      ['dispose', () => undefined],
      [fire, (event: string, given?: unknown) => listeners.get(event)?.(given)],
    ]);
    const listen = (event: PropertyKey) => (listener: (given?: unknown) => void) => {
      listeners.set(event, listener);
      return new vscode.Disposable(() => listeners.delete(event));
    };
    const pick = new Proxy({} as ShownPick, {
      get: (_target, name) => (String(name).startsWith('onDid') ? listen(name) : fields.get(name)),
      set: (_target, name, value) => fields.set(name, value) !== undefined,
    });
    made.push(pick);
    wake();
    return pick;
  };
  const next = async (): Promise<ShownPick> => {
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
