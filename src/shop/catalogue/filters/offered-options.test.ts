import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listChosenOptions, listOfferedOptions } from './offered-options.ts';

const createOption = (id: string) => ({ id, value: id, price_in_usd_increase: 0, price_in_btc_increase: 0 });
const properties = [
  { id: 'capacity', name: 'Memory Capacity', values: ['128GB', '256GB', '1TB'].map(createOption) },
  { id: 'glass', name: 'Glass', values: ['plain', 'etched'].map(createOption) },
  { id: 'color', name: 'Color', values: ['red', 'blue'].map(createOption) },
];
const listNames = (options: readonly { readonly value: string }[]) => options.map(({ value }) => value);

test('[PROD-03] lists offered values in the order of the category', () => {
  const offered = listOfferedOptions(properties, ['blue', '1TB', 'red', '128GB', 'unknown']);
  assert.deepEqual(
    offered.map(({ id, values }) => [id, listNames(values)]),
    [
      ['capacity', ['128GB', '1TB']],
      ['color', ['red', 'blue']],
    ],
  );
  assert.deepEqual(listOfferedOptions(properties, []), []);
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
