import fc from 'fast-check';

const longRuns = process.env['LONG_RUNS'];

/** Number of runs per property: 1,000 in the normal tests, LONG_RUNS in the long test. */
export const propertyRuns = Number(longRuns ?? 1000);

/** In the normal tests, a property that takes longer on a slow machine ends with the runs done so far. */
const mostMs = 60_000;

if (longRuns === undefined) fc.installGlobalPlugin(fc.interruptAfterTimeLimit(mostMs));
