import * as vscode from 'vscode';
import type { Locale } from '../../base/format.ts';

/** Locale for dates and numbers: the editor's language and this machine's time zone. */
export const locale: Locale = { language: vscode.env.language, timeZone: undefined };
