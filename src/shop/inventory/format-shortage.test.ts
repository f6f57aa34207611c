import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatShortage } from './format-shortage.ts';

const lines = [
  { variantId: 'a', name: 'iPhone Air', values: ['256GB', 'Blue'] },
  { variantId: 'b', name: 'iPad', values: [] },
  { variantId: null, name: 'Cable', values: [] },
];

test('[API-06] names each short variant and its available stock', () => {
  const format = (available: number): string => formatShortage([{ variantId: 'b', available }], lines);
  assert.equal(format(0), 'iPad is sold out');
  assert.equal(format(1), 'Only 1 of iPad is left');
  assert.equal(format(2), 'Only 2 of iPad are left');
  const both = [
    { variantId: 'a', available: 0 },
    { variantId: 'b', available: 3 },
  ];
  assert.equal(formatShortage(both, lines), 'iPhone Air (256GB, Blue) is sold out; Only 3 of iPad are left');
});
