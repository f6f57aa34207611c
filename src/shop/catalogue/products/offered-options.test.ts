import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listChosenOptions, listOfferedOptions } from './offered-options.ts';

const createOption = (id: string) => ({ id, value: id });
const properties = [
  { id: 'capacity', name: 'Memory Capacity', values: ['128GB', '256GB', '1TB'].map(createOption) },
  { id: 'glass', name: 'Glass', values: ['plain', 'etched'].map(createOption) },
  { id: 'color', name: 'Color', values: ['red', 'blue'].map(createOption) },
];
const free = { usd: 0, btc: 0 };
const listNames = (options: readonly { readonly value: string }[]) => options.map(({ value }) => value);

test('[PROD-03] lists offered values in the order of the category', () => {
  const offered = listOfferedOptions(properties, {
    blue: free,
    '1TB': { usd: 400, btc: 0.0036 },
    red: free,
    '128GB': free,
    unknown: free,
  });
  assert.deepEqual(
    offered.map(({ id, values }) => [id, listNames(values)]),
    [
      ['capacity', ['128GB', '1TB']],
      ['color', ['red', 'blue']],
    ],
  );
  assert.deepEqual(listOfferedOptions(properties, {}), []);
});

test('[PROD-03] selects the first value by default', () => {
  assert.deepEqual(listNames(listChosenOptions(properties, {})), ['128GB', 'plain', 'red']);
  assert.deepEqual(listNames(listChosenOptions(properties, { color: 'blue' })), ['128GB', 'plain', 'blue']);
  assert.deepEqual(listChosenOptions([], {}), []);
});

test('[PROD-03] falls back to the first value for an unavailable choice', () => {
  assert.deepEqual(listNames(listChosenOptions(properties, { capacity: '2TB', other: 'red' })), [
    '128GB',
    'plain',
    'red',
  ]);
});
