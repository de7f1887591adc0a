import type { CheckedText } from '../../domain/connection/connectionInput.ts';
import { StepBox, type StepAnswer } from '../stepBox.ts';

/** A text to be typed, as a step after others. */
export interface TextQuestion {
  readonly title: string;
  readonly prompt: string;
  readonly typed: string;
  readonly check: (typed: string) => CheckedText;
}

/** Asks for a text. While one types, the box shows what it is taken as. */
export async function askText({ title, ...question }: TextQuestion): Promise<StepAnswer> {
  const box = new StepBox(title, 1);
  try {
    return await box.ask({ ...question, number: 2, placeholder: '', secret: false, problem: undefined });
  } finally {
    box.dispose();
  }
}
