import { choiceSetting, dictionarySetting } from '../base/decode/settingShape.ts';

/** Decodes rule levels by code. Also used by the command line and the language server. */
export const rulesShape = dictionarySetting(choiceSetting('off', 'hint', 'info', 'warning'));
