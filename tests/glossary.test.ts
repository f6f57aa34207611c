/** The glossary stays in order, so that a term is found and written once. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

test('the glossary lists its terms alphabetically, each once', () => {
  const rows = readFileSync('docs/glossary.md', 'utf8').split('\n');
  const terms = rows.flatMap((row) => /^\| ([^|]+?) \|/.exec(row)?.[1] ?? []).slice(2);
  assert.ok(terms.length > 40, `only ${terms.length} terms were read`);
  assert.deepEqual(terms, [...new Set(terms)].toSorted());
});
