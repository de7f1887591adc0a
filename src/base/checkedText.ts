/** Result of validating user input or a setting: the normalized text, or a sentence that explains the expected form. */
export type CheckedText =
  { readonly type: 'good'; readonly text: string } | { readonly type: 'bad'; readonly problem: string };

export function good(text: string): CheckedText {
  return { type: 'good', text };
}

export function bad(problem: string): CheckedText {
  return { type: 'bad', problem };
}
