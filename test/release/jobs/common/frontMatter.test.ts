import { test } from 'node:test';
import { checkDrawnFrontMatter } from '../../../support/frontMatter/checkDrawnFrontMatter.ts';

test('another parser of YAML reads 5,000 drawn facts as they were', () => {
  checkDrawnFrontMatter(5000);
});
