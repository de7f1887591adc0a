const attempts = 5;
/** How long a key may take to show before it is pressed again; twice as long each time, for machines that are slow and not deaf. */
const firstMs = 8_000;

/** Times to wait before a key or a click is tried again, in milliseconds. */
export function* patience(): Generator<number, undefined> {
  for (let attempt = 0; attempt < attempts; attempt++) yield firstMs * 2 ** attempt;
}
