import * as vscode from 'vscode';
import type { Locale } from '../domain/format.ts';

/** How the user reads dates and numbers: in the editor's language, by this machine's clock. */
export const locale: Locale = { language: vscode.env.language, timeZone: undefined };
