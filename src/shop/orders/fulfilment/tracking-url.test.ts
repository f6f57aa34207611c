import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { createTrackingUrl, findPatternProblem } from './tracking-url.ts';

const PATTERN = 'https://carrier.example/track?n={number}';

test('[OPS-13] the tracking link contains the number, encoded', () => {
  assert.equal(createTrackingUrl(PATTERN, 'AB 12/3&x=1'), 'https://carrier.example/track?n=AB12%2F3%26x%3D1');
  assert.equal(createTrackingUrl(PATTERN, null), null);
  assert.equal(createTrackingUrl(PATTERN, '  '), null);
  assert.equal(createTrackingUrl('', 'AB1'), null);
  assert.equal(createTrackingUrl(PATTERN, '$& $1'), 'https://carrier.example/track?n=%24%26%241');
});

test('[OPS-13] a tracking link always leads to the host of its carrier', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary', maxLength: 100 }),
      fc.constantFrom(PATTERN, 'https://carrier.example/{number}', 'https://carrier.example/#/{number}/x'),
      (number, pattern) => {
        const url = createTrackingUrl(pattern, number);
        if (url === null) return;
        const parsed = new URL(url);
        assert.equal(parsed.protocol, 'https:');
        assert.equal(parsed.host, 'carrier.example');
      },
    ),
  );
});

test('[OPS-13] a pattern needs https, a fixed host and the number', () => {
  assert.equal(findPatternProblem(PATTERN), null);
  assert.equal(findPatternProblem('https://carrier.example/track'), 'no-number');
  for (const pattern of [
    'http://carrier.example/{number}',
    'data:text/html,{number}',
    'https://{number}.example/',
    'https://carrier.example{number}/',
    'https://user@{number}/',
    'https://carrier.example\\{number}',
    'https://carrier.example/ {number}',
    '//carrier.example/{number}',
  ]) {
    assert.equal(findPatternProblem(pattern), 'not-https', pattern);
  }
  assert.equal(findPatternProblem(`https://carrier.example/{number}${'x'.repeat(300)}`), 'too-long');
});
