import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describePrices } from './describe-prices.ts';

const GROSS = { name: 'VAT', is_included: true };
const NET = { name: 'GST', is_included: false };

const describe = (...of: Parameters<typeof describePrices>): string | null => {
  const note = describePrices(...of);
  return note && `${note.text}[${note.link}]`;
};

test('[PROD-11] says whether prices include tax and shipping', () => {
  assert.equal(describe({ shipping: 'paid', tax: GROSS }), 'incl. VAT, plus [shipping costs]');
  assert.equal(describe({ shipping: 'paid', tax: NET }), 'plus GST and [shipping costs]');
  assert.equal(describe({ shipping: 'free', tax: GROSS }), 'incl. VAT, [free shipping]');
  assert.equal(describe({ shipping: 'free-worldwide', tax: NET }), 'plus GST, [free shipping]');
  assert.equal(describe({ shipping: 'paid', tax: null }), 'plus [shipping costs]');
});

test('[PROD-11] says nothing while nothing is taxed and shipping is free', () => {
  for (const shipping of ['free', 'free-worldwide'] as const) assert.equal(describe({ shipping, tax: null }), null);
});
