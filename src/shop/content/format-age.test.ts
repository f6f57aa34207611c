import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatAge } from './format-age.ts';

test('an age is in whole seconds, minutes or hours', () => {
  const ages = [-5, 0, 12.9, 59.9, 60, 3599, 3600, 7300].map(formatAge);
  assert.deepEqual(ages, [
    '0 s ago',
    '0 s ago',
    '12 s ago',
    '59 s ago',
    '1 min ago',
    '59 min ago',
    '1 h ago',
    '2 h ago',
  ]);
});
