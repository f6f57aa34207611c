import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listChargeRows, listIncludedRows } from './charge-rows.ts';
import type { ShownTax } from './charge-rows.ts';

const TAX: ShownTax = {
  name: 'VAT',
  is_included: false,
  is_reverse_charge: false,
  total_usd: 26,
  added_btc: 0.0003,
  deducted_usd: 0,
  deducted_btc: 0,
  rates: [
    { basis_points: 1900, tax_usd: 19 },
    { basis_points: 700, tax_usd: 7 },
    { basis_points: 0, tax_usd: 0 },
  ],
};
const FREE = { usd: 0, btc: 0 };
const PRICED = { usd: 5, btc: 0.00005 };

test('[OPS-15] shows free shipping and no tax as before', () => {
  assert.deepEqual(listChargeRows({ shipping: FREE, tax: null }), [{ label: 'Shipping', value: 'Free' }]);
  assert.deepEqual(listIncludedRows(null), []);
});

test('[OPS-15] shows tax that is added above the total, with its rates', () => {
  assert.deepEqual(listChargeRows({ shipping: PRICED, tax: TAX }), [
    { label: 'Shipping', value: PRICED },
    { label: 'VAT 19% and 7%', value: { usd: 26, btc: 0.0003 } },
  ]);
  assert.deepEqual(listIncludedRows(TAX), []);
});

test('[OPS-15] shows tax that prices contain below the total, by rate', () => {
  const tax = { ...TAX, is_included: true, rates: [...TAX.rates, { basis_points: 1900, tax_usd: 0.95 }] };
  assert.deepEqual(listChargeRows({ shipping: FREE, tax }), [{ label: 'Shipping', value: 'Free' }]);
  assert.deepEqual(listIncludedRows(tax), [
    { label: 'Includes VAT 19%', usd: 19.95 },
    { label: 'Includes VAT 7%', usd: 7 },
  ]);
});

test('[OPS-15] says that the buyer owes the tax with reverse charge', () => {
  const net = { ...TAX, is_reverse_charge: true, total_usd: 0, rates: [] };
  assert.deepEqual(listChargeRows({ shipping: FREE, tax: net })[1], { label: 'VAT', value: 'Reverse charge' });
  const gross = { ...net, is_included: true, deducted_usd: 19, deducted_btc: 0.0002 };
  assert.deepEqual(listChargeRows({ shipping: FREE, tax: gross })[1], {
    label: 'VAT (reverse charge)',
    value: { usd: 19, btc: 0.0002 },
    isDeduction: true,
  });
  assert.deepEqual(listIncludedRows(gross), []);
});

test('[OPS-15] states what depends on a country that is not known', () => {
  const rows = listChargeRows({ shipping: null, tax: null, unknownTax: 'VAT', later: 'Calculated at the next step' });
  assert.deepEqual(rows, [
    { label: 'Shipping', value: 'Calculated at the next step' },
    { label: 'VAT', value: 'Calculated at the next step' },
  ]);
  assert.deepEqual(listChargeRows({ shipping: FREE, tax: null, undelivered: 'Japan' }), [
    { label: 'Shipping', value: 'No delivery to Japan' },
  ]);
});
