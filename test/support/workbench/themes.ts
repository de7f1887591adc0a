import type { Workbench } from './workbench.ts';

/** Color themes: the name in the picker, and the CSS class that the workbench then has. */
const themes = {
  light: { label: 'Light Modern', marker: 'vs' },
  dark: { label: 'Dark Modern', marker: 'vs-dark' },
  highContrast: { label: 'Dark High Contrast', marker: 'hc-black' },
  highContrastLight: { label: 'Light High Contrast', marker: 'hc-light' },
} as const;

export type Theme = keyof typeof themes;

/** Picks a color theme and waits until the window has it. */
export async function setTheme(workbench: Workbench, theme: Theme): Promise<void> {
  const { label, marker } = themes[theme];
  await workbench.ask('Preferences: Color Theme', 'Color Theme');
  // The list is longer than the box.
  await workbench.quickInput.type(label);
  await workbench.quickInput.pick(label);
  await workbench.quickInput.hidden();
  await workbench.page.locator(`.monaco-workbench.${marker}`).waitFor();
}
