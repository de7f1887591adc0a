/** How often a property is tried: 1,000 times in the suite, as often as LONG_RUNS says in the long test. */
export const propertyRuns = Number(process.env['LONG_RUNS'] ?? 1000);
