const attempts = 5;
/** Time to wait for the effect of a key before pressing it again; doubled each time, for slow machines. */
const firstMs = 3_000;

/** Times to wait before retrying a key or a click, in milliseconds. */
export function* patience(): Generator<number, undefined> {
  for (let attempt = 0; attempt < attempts; attempt++) yield firstMs * 2 ** attempt;
}
