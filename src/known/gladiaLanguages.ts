/** Language codes that one public service transcribes. Suggested but never enforced: the contract has no list. */
export const offeredLanguages: readonly string[] =
  'af am ar as az ba be bg bn bo br bs ca cs cy da de el en es et eu fa fi fo fr gl gu ha haw he hi hr ht hu hy id is it ja jw ka kk km kn ko la lb ln lo lt lv mg mi mk ml mn mr ms mt my ne nl nn no oc pa pl ps pt ro ru sa sd si sk sl sn so sq sr su sv sw ta te tg th tk tl tr tt uk ur uz vi yi yo zh'.split(
    ' ',
  );

/** Language codes that the same service translates to. */
export const offeredTargets: readonly string[] = [...offeredLanguages, 'wo'].sort();
