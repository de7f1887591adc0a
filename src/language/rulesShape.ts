import { choiceSetting, dictionarySetting } from '../base/decode/settingShape.ts';

/** Levels of rules by code. The command line and the language server read it, too. */
export const rulesShape = dictionarySetting(choiceSetting('off', 'hint', 'info', 'warning'));
