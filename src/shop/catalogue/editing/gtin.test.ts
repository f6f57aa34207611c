import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isGtin } from './gtin.ts';

test('[OPS-08] a GTIN has 8, 12, 13 or 14 digits with a check digit', () => {
  for (const valid of ['96385074', '036000291452', '4006381333931', '10012345678902']) assert.ok(isGtin(valid), valid);
  for (const bad of ['', '4006381333932', '400638133393', '40063813339311', '96385O74', ' 96385074', '963850741']) {
    assert.ok(!isGtin(bad), bad);
  }
});
