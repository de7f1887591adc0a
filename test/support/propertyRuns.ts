/** Number of runs per property: 100 in the normal tests, LONG_RUNS in the long test. */
export const propertyRuns = Number(process.env['LONG_RUNS'] ?? 100);
