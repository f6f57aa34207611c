import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatShortage } from './format-shortage.ts';

const lines = [
  { productId: 'a', name: 'iPhone Air' },
  { productId: 'b', name: 'iPad' },
];

test('[API-06] names each short product and its available stock', () => {
  const format = (available: number): string => formatShortage([{ productId: 'b', available }], lines);
  assert.equal(format(0), 'iPad is sold out');
  assert.equal(format(1), 'Only 1 of iPad is left');
  assert.equal(format(2), 'Only 2 of iPad are left');
  const both = [
    { productId: 'a', available: 0 },
    { productId: 'b', available: 3 },
  ];
  assert.equal(formatShortage(both, lines), 'iPhone Air is sold out; Only 3 of iPad are left');
});
