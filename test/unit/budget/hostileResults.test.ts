import { testHostileResults } from '../../support/hostile/hostileResults.ts';

// The tests of a release read results a hundred times as long.
testHostileResults(0.1, 200_000);
