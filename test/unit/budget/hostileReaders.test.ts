import { testHostileReaders } from '../../support/hostile/hostileReaders.ts';

// The tests of a release read inputs ten times as long, and more.
testHostileReaders(0.1, 200_000);
