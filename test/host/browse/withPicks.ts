import * as vscode from 'vscode';
import type { Choice } from '../../../src/platform/editor/quickPick.ts';

/** A quick pick that was created but is not on the screen. */
export type ShownPick = vscode.QuickPick<Choice<unknown>>;

const fire = Symbol('fire');
/** Fires an event of a box that is not on the screen. */
type Fire = (event: string, given?: unknown) => void;

function fireOf(box: vscode.QuickInput): Fire {
  return (box as vscode.QuickInput & Record<typeof fire, Fire>)[fire];
}

/** Sets the input of a quick pick or input box and fires its event, as typing does. */
export function typeInto(box: ShownPick | vscode.InputBox, text: string): void {
  box.value = text;
  fireOf(box)('onDidChangeValue', text);
}

/** Types an answer into an input box and accepts it. */
export function answerInput(box: vscode.InputBox, text: string): void {
  typeInto(box, text);
  fireOf(box)('onDidAccept');
}

/** Selects a row of a quick pick by its index and accepts it. */
export function acceptRow(pick: ShownPick, row: number): void {
  pick.selectedItems = pick.items.slice(row, row + 1);
  acceptPick(pick);
}

/** Selects the row of a quick pick whose label contains a text, and accepts it. */
export function acceptLabel(pick: ShownPick, text: string): void {
  const row = pick.items.findIndex(({ label }) => label.includes(text));
  if (row < 0) throw new Error(`no row ${text} among ${pick.items.map(({ label }) => label).join(' | ')}`);
  acceptRow(pick, row);
}

/** Accepts the current selection of a quick pick. */
export function acceptPick(pick: ShownPick): void {
  fireOf(pick)('onDidAccept');
}

/** Presses the first button of a row of a quick pick. */
export function pressRowButton(pick: ShownPick, row: number): void {
  const item = pick.items[row];
  fireOf(pick)('onDidTriggerItemButton', { item, button: item?.buttons?.[0] });
}

/** Presses Back. */
export function goBack(box: ShownPick | vscode.InputBox): void {
  fireOf(box)('onDidTriggerButton', vscode.QuickInputButtons.Back);
}

/** Reports an item as the active one, as the editor does when the user moves to it, and before it reaches the item that was set. */
export function reportActive(pick: ShownPick, item: Choice<unknown> | undefined): void {
  fireOf(pick)('onDidChangeActive', [item]);
}

/** Closes a quick pick or an input box as Escape does. */
export function hidePick(box: ShownPick | vscode.InputBox): void {
  fireOf(box)('onDidHide');
}

/**
 * Runs `body` while quick picks and input boxes are passed to it instead of being shown.
 * @param body calls `next` for each quick pick in turn, and `nextInput` for each input box.
 */
export async function withPicks(
  body: (next: () => Promise<ShownPick>, nextInput: () => Promise<vscode.InputBox>) => Promise<void>,
): Promise<void> {
  const { createQuickPick, createInputBox } = vscode.window;
  const picks = queueOf<ShownPick>();
  const inputs = queueOf<vscode.InputBox>();
  Object.assign(vscode.window, { createQuickPick: picks.make, createInputBox: inputs.make });
  try {
    await body(picks.next, inputs.next);
  } finally {
    Object.assign(vscode.window, { createQuickPick, createInputBox });
  }
}

/** Creates boxes, and returns them in turn. */
function queueOf<T extends vscode.QuickInput>(): { readonly make: () => T; readonly next: () => Promise<T> } {
  const made: T[] = [];
  let wake = (): void => undefined;
  const make = (): T => {
    const box = hiddenBox() as T;
    made.push(box);
    wake();
    return box;
  };
  const next = async (): Promise<T> => {
    for (;;) {
      const box = made.shift();
      if (box !== undefined) return box;
      await new Promise<void>((resolve) => (wake = resolve));
    }
  };
  return { make, next };
}

function hiddenBox(): vscode.QuickInput {
  const listeners = new Map<PropertyKey, Set<(given?: unknown) => void>>();
  const fields = new Map<PropertyKey, unknown>([
    ['value', ''],
    ['items', []],
    ['activeItems', []],
    ['show', () => undefined],
    ['hide', () => undefined],
    ['dispose', () => undefined],
    [
      fire,
      (event: string, given?: unknown) => [...(listeners.get(event) ?? [])].forEach((listener) => listener(given)),
    ],
  ]);
  const listen = (event: PropertyKey) => (listener: (given?: unknown) => void) => {
    const those = listeners.get(event) ?? new Set();
    listeners.set(event, those.add(listener));
    return new vscode.Disposable(() => those.delete(listener));
  };
  return new Proxy({} as vscode.QuickInput, {
    get: (_target, name) => (String(name).startsWith('onDid') ? listen(name) : fields.get(name)),
    set: (_target, name, value) => fields.set(name, value) !== undefined,
  });
}
