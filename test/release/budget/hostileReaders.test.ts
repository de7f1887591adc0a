import { testHostileReaders } from '../../support/hostile/hostileReaders.ts';

testHostileReaders(1, 20_000_000);
