/** `Array.isArray` that does not turn what is unknown into `any`. */
export function isArray(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}
