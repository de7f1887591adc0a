import * as vscode from 'vscode';
import { oneLine } from '../../base/outsideText.ts';
import { DisposableOwner } from '../../base/disposable.ts';

/** An item with a value; a separator has none. */
export interface Choice<T> extends vscode.QuickPickItem {
  readonly value?: T;
  /** The item is shown, but cannot be selected in {@link pickSeveral}. */
  readonly isLocked?: boolean;
}

/** The user's answer to a quick pick. */
export type PickAnswer<T> =
  | { readonly type: 'picked'; readonly value: T }
  /** An item button was pressed. */
  | { readonly type: 'button'; readonly value: T }
  | { readonly type: 'back' }
  | { readonly type: 'closed' };

/** One quick pick, as a step of several. */
export interface PickStep<T> {
  readonly title: string;
  readonly placeholder: string;
  readonly choices: readonly Choice<T>[];
  /** The initially active item. */
  readonly active?: Choice<T> | undefined;
  readonly canGoBack: boolean;
  /** Items derived from the typed text, shown above the others. */
  readonly typed?: (text: string) => readonly Choice<T>[];
  /** Returns the reason why an item is rejected. It is shown above the items; the typed text stays. */
  readonly problem?: (value: T) => string | undefined;
  /** Replaces the choices while the pick is shown. The active row and the scroll position stay. */
  readonly follow?: Following<T>;
}

/** The source of new choices for a pick that is shown. */
export interface Following<T> {
  /** Starts replacing the choices, until the result is disposed when the pick is hidden. */
  readonly start: (replace: (choices: readonly Choice<T>[]) => void) => vscode.Disposable;
  /** Identifies rows, so that the same row is found before and after. */
  readonly keyOf: (value: T) => string;
}

/** Prompts for one item. */
export async function pickOne<T>(step: PickStep<T>): Promise<PickAnswer<T>> {
  const { active, typed, problem, follow } = step;
  let { choices } = step;
  return picking<Choice<T>, PickAnswer<T>>(step, (pick, settle) => {
    const draw = (refused?: string): void => {
      pick.items = [
        ...(refused === undefined ? [] : [refusal(refused)]),
        ...(typed?.(pick.value.trim()) ?? []),
        ...choices,
      ];
    };
    draw();
    if (active !== undefined) pick.activeItems = [active];
    if (follow !== undefined) pick.keepScrollPosition = true;
    const replace = (next: readonly Choice<T>[]): void => {
      const at = pick.activeItems[0]?.value;
      choices = next;
      draw();
      const same = pick.items.find(
        ({ value }) => at !== undefined && value !== undefined && follow?.keyOf(value) === follow?.keyOf(at),
      );
      if (same !== undefined) pick.activeItems = [same];
    };
    return [
      ...(follow === undefined ? [] : [follow.start(replace)]),
      pick.onDidChangeValue(() => {
        if (typed !== undefined) draw();
      }),
      pick.onDidTriggerItemButton(({ item }) => {
        if (item.value !== undefined) settle({ type: 'button', value: item.value });
      }),
      pick.onDidAccept(() => {
        const value = pick.selectedItems[0]?.value;
        if (value === undefined) return;
        const refused = problem?.(value);
        if (refused === undefined) settle({ type: 'picked', value });
        else draw(refused);
      }),
    ];
  });
}

/** A quick pick for any number of items. */
interface PickSeveralStep<T> extends Omit<PickStep<T>, 'active' | 'typed' | 'problem'> {
  readonly selected: readonly Choice<T>[];
  /** True if Enter picks the active item when none is selected. */
  readonly picksActive?: boolean;
}

/** Prompts for any number of items. The button of an item settles with its value alone. */
export async function pickSeveral<T>(step: PickSeveralStep<T>): Promise<PickAnswer<readonly T[]>> {
  return picking<Choice<T>, PickAnswer<readonly T[]>>(step, (pick, settle) => {
    pick.canSelectMany = true;
    pick.items = step.choices;
    pick.selectedItems = step.selected;
    return [
      pick.onDidChangeSelection((selected) => {
        const allowed = selected.filter(({ isLocked }) => isLocked !== true);
        if (allowed.length < selected.length) pick.selectedItems = allowed;
      }),
      pick.onDidTriggerItemButton(({ item }) => {
        if (item.value !== undefined) settle({ type: 'button', value: [item.value] });
      }),
      pick.onDidAccept(() => {
        const { selectedItems, activeItems } = pick;
        const isNone = selectedItems.length === 0 && step.picksActive === true;
        settle({ type: 'picked', value: pickedValues(isNone ? activeItems : selectedItems) });
      }),
    ];
  });
}

function pickedValues<T>(items: readonly Choice<T>[]): readonly T[] {
  return items.flatMap(({ value, isLocked }) => (value === undefined || isLocked === true ? [] : [value]));
}

async function picking<I extends vscode.QuickPickItem, A>(
  { title, placeholder, canGoBack }: Pick<PickStep<never>, 'title' | 'placeholder' | 'canGoBack'>,
  listen: (pick: vscode.QuickPick<I>, settle: (answer: A) => void) => readonly vscode.Disposable[],
): Promise<A | { readonly type: 'back' | 'closed' }> {
  const owner = new DisposableOwner();
  const pick = owner.own(vscode.window.createQuickPick<I>());
  pick.title = title;
  pick.placeholder = placeholder;
  pick.matchOnDescription = true;
  pick.matchOnDetail = true;
  if (canGoBack) pick.buttons = [vscode.QuickInputButtons.Back];
  try {
    return await new Promise<A | { readonly type: 'back' | 'closed' }>((settle) => {
      for (const listener of listen(pick, settle)) owner.own(listener);
      owner.own(pick.onDidTriggerButton(() => settle({ type: 'back' })));
      owner.own(pick.onDidHide(() => settle({ type: 'closed' })));
      pick.show();
    });
  } finally {
    owner.dispose();
  }
}

/** Returns an item without a value, with the problem and, below it, the remedy. */
function refusal(text: string): Choice<never> {
  const [what = '', ...help] = text.split(/(?<=\.) /);
  return { label: `$(error) ${plainLabel(what)}`, detail: plainLabel(help.join(' ')), alwaysShow: true };
}

/** Returns a text from outside as a label: icon syntax stays plain text. */
export function plainLabel(text: string): string {
  return oneLine(text, 300).replaceAll('$(', String.raw`\$(`);
}
