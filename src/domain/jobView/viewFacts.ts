/** What a view depends on besides the job. */
export interface ViewFacts {
  /** What the job is called: the label of its row in the tree. */
  readonly title: string;
  readonly nowMs: number;
  readonly locale: Locale;
  /** The user's words for error codes, by code. */
  readonly errorLabels: Readonly<Record<string, string>>;
}

/** How the reader writes dates and numbers. */
export interface Locale {
  /** BCP 47 tag, as the editor's display language. */
  readonly language: string;
  /** IANA name of the reader's time zone; undefined for that of the machine the code runs on. */
  readonly timeZone: string | undefined;
}
