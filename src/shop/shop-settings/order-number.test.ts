import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { findOrderNumbers, formatOrderNumber } from './order-number.ts';

test('[OPS-07] an order number is found with its prefix, a former one or none', () => {
  const prefixes = ['NB-', 'CM-', ''];
  for (const text of ['100001', 'NB-100001', 'nb-100001', 'CM-100001', 'cm-100001']) {
    assert.deepEqual(findOrderNumbers(text, prefixes), ['100001'], text);
  }
  for (const text of ['', 'NB-', 'XY-100001', '10a', '1'.repeat(19), 'NB-CM-1']) {
    assert.deepEqual(findOrderNumbers(text, prefixes), [], text);
  }
});

test('[OPS-07] a prefix of digits leaves both possible numbers', () => {
  assert.deepEqual(findOrderNumbers('26100001', ['26']), ['26100001', '100001']);
});

test('[OPS-07] every shown number is found whatever the prefixes are', () => {
  const prefix = fc.stringMatching(/^(?:[A-Z0-9][A-Z0-9-]{0,9})?$/);
  fc.assert(
    fc.property(fc.bigInt(1n, 10n ** 18n - 1n), prefix, fc.array(prefix, { maxLength: 5 }), (number, own, former) => {
      const shown = formatOrderNumber(number, own);
      return findOrderNumbers(shown.toLowerCase(), [own, ...former]).includes(String(number));
    }),
  );
});
