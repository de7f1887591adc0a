/** The editor's storage of a workspace: JSON by key. */
export class JsonMemory {
  readonly entries: Map<string, string>;

  /** @param content the initial content. */
  constructor(content: Readonly<Record<string, unknown>> = {}) {
    this.entries = new Map(Object.entries(content).map(([key, value]) => [key, JSON.stringify(value)]));
  }

  get content(): Readonly<Record<string, unknown>> {
    return Object.fromEntries([...this.entries].map(([key, text]): [string, unknown] => [key, JSON.parse(text)]));
  }

  keys(): readonly string[] {
    return [...this.entries.keys()];
  }

  get<T>(key: string, fallback?: T): T {
    const text = this.entries.get(key);
    return text === undefined ? (fallback as T) : (JSON.parse(text) as T);
  }

  async update(key: string, value: unknown): Promise<void> {
    if (value === undefined) this.entries.delete(key);
    else this.entries.set(key, JSON.stringify(value));
  }
}
