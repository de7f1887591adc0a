/** The modules of an import cycle, starting and ending with the same one; empty if there is no cycle. */
export function importCircle(imports: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const clear = new Set<string>();
  const search = (path: string, above: readonly string[]): readonly string[] => {
    if (above.includes(path)) return [...above.slice(above.indexOf(path)), path];
    if (clear.has(path)) return [];
    for (const imported of imports.get(path) ?? []) {
      const circle = search(imported, [...above, path]);
      if (circle.length > 0) return circle;
    }
    clear.add(path);
    return [];
  };
  for (const path of imports.keys()) {
    const circle = search(path, []);
    if (circle.length > 0) return circle;
  }
  return [];
}
