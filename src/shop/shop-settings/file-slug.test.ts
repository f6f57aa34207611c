import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFileSlug } from './file-slug.ts';

test('[OPS-07] the name of a shop becomes part of file names', () => {
  const cases = { 'Nordic Bits & Co.': 'nordic-bits-co', 'Café Zürich': 'cafe-zurich', 店: 'shop', '': 'shop' };
  for (const [name, slug] of Object.entries(cases)) assert.equal(createFileSlug(name), slug);
});
