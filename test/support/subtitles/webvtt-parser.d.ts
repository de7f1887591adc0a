declare module 'webvtt-parser' {
  const parsers: {
    /** A parser that reports every deviation from the standard. */
    readonly WebVTTParser: new () => { parse(text: string, mode: string): unknown };
  };
  export = parsers;
}
