/**
 * A text as part of a longer key: what separates parts is escaped, so that no two lists of parts give the same key. Any string will
 * do, also one that is no well-formed Unicode, as ids from outside may be.
 */
export function keyPart(text: string): string {
  return text.replace(/[%/?&]/g, (mark) => `%${mark.charCodeAt(0).toString(16)}`);
}
