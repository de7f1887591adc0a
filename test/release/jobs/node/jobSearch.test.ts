import { testLoadedSearch } from '../../../support/lists/loadedSearch.ts';

testLoadedSearch(100_000);
