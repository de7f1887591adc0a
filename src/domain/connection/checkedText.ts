/** What became of a text that somebody typed or wrote into a setting: its normal form, or a sentence that says how to write it. */
export type CheckedText =
  { readonly type: 'good'; readonly text: string } | { readonly type: 'bad'; readonly problem: string };

export function good(text: string): CheckedText {
  return { type: 'good', text };
}

export function bad(problem: string): CheckedText {
  return { type: 'bad', problem };
}
