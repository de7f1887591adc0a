import { testHostileResults } from '../../support/hostile/hostileResults.ts';

testHostileResults(1, 20_000_000);
