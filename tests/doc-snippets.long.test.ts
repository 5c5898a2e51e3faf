/** The snippets of the guides run; those of the first pages do in `docs.test.ts`. */
import { describe } from 'vitest';
import { guides, testSnippets } from './doc-snippets.js';

describe.each(guides)('%s', testSnippets);
