import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { referencePages } from './referencePages.ts';
import { repositoryRoot } from '../editor/repositoryRoot.ts';

// `npm run docs`: writes the pages of `docs/` and the snippets that are generated from the code.
for (const [file, text] of Object.entries(referencePages())) writeFileSync(join(repositoryRoot, file), text);
