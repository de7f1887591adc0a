/** The trait argument of `draw`: what is drawn apart from all else. Each has its own number, or two would always agree. */
export const trait = {
  age: 1,
  kind: 2,
  outcome: 3,
  metadata: 4,
  waitMs: 5,
  runMs: 6,
  idSalt: 7,
  idVariant: 8,
  idTail: [9, 10, 11],
  requestId: 12,
  fields: 13,
  unfinished: 14,
} as const;
