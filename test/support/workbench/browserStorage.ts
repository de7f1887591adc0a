import type { Page } from 'playwright-core';

/** Returns the editor's data in the browser: the state of windows, workspaces and extensions, by location. */
export async function browserStorage(
  page: Page,
): Promise<readonly { readonly place: string; readonly text: string }[]> {
  // As text, because it runs in the browser, where this project's names do not exist.
  const stored: unknown = await page.evaluate(`(async () => {
    const found = [];
    const done = (request) => new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
    for (const { name } of await indexedDB.databases()) {
      const database = await done(indexedDB.open(name));
      for (const store of database.objectStoreNames) {
        const rows = database.transaction(store).objectStore(store);
        const [keys, values] = await Promise.all([done(rows.getAllKeys()), done(rows.getAll())]);
        keys.forEach((key, index) => {
          const value = values[index];
          const text = value instanceof Uint8Array ? new TextDecoder().decode(value) : typeof value === 'string' ? value : JSON.stringify(value);
          found.push([name.replace(/-?[0-9a-f]{6,}/g, '') + ': ' + String(key), String(text)]);
        });
      }
      database.close();
    }
    for (const storage of [localStorage, sessionStorage]) {
      for (let index = 0; index < storage.length; index++) {
        const key = storage.key(index);
        found.push(['storage: ' + key, String(storage.getItem(key))]);
      }
    }
    return found;
  })()`);
  const rows = Array.isArray(stored)
    ? stored.filter((row): row is readonly [string, string] => Array.isArray(row))
    : [];
  return rows.map(([place, text]) => ({ place, text }));
}
