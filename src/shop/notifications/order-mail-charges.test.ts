import assert from 'node:assert/strict';
import { test } from 'node:test';
import { order } from '../../../tests/support/order-fixture.ts';
import { cents, NO_CENTS, NO_SATS, sats } from '#src/shop/money.ts';
import type { ShownOrder } from '#src/shop/orders/show-order.ts';
import { createLinesBlock } from './order-mail-parts.ts';

type Tax = NonNullable<ShownOrder['tax']>;

const TAX: Tax = {
  name: 'VAT',
  is_included: false,
  is_reverse_charge: false,
  buyer_vat_number: null,
  net_usd: cents(10_500n),
  total_usd: cents(1995n),
  added_usd: cents(1995n),
  added_btc: sats(2000n),
  deducted_usd: NO_CENTS,
  deducted_btc: NO_SATS,
  rates: [
    {
      tax_class: 'standard',
      basis_points: 1900,
      net_usd: cents(10_500n),
      tax_usd: cents(1995n),
      gross_usd: cents(12_495n),
    },
  ],
};

/** Names, details and amounts of the rows of totals. */
function listTotals(changes: Partial<ShownOrder>): string[] {
  const data = { order: { ...order, discount_usd: NO_CENTS, ...changes }, shopUrl: 'https://shop.example' };
  const block = createLinesBlock(data);
  assert.equal(block.kind, 'lines');
  return block.kind === 'lines' ? block.totals.map((row) => [row.name, row.detail, row.amount].join('|')) : [];
}

test('[OPS-15] a mail names shipping and the tax that is added', () => {
  assert.deepEqual(listTotals({ shipping_usd: cents(490n), tax: TAX }).slice(1, 3), [
    'Shipping||$4.90',
    'VAT 19%|on $105.00|$19.95',
  ]);
});

test('[OPS-15] a mail names tax that the prices contain below the total', () => {
  const rows = listTotals({ tax: { ...TAX, is_included: true, added_usd: NO_CENTS, added_btc: NO_SATS } });
  assert.equal(rows[1], 'Shipping||Free');
  assert.equal(rows.at(-1), 'Includes VAT 19%|on $105.00|$19.95');
  assert.match(rows.at(-2) ?? '', /^Total\|/);
});

test('[OPS-15] a mail says that the buyer owes the tax, without the VAT number', () => {
  const reversed = { ...TAX, is_reverse_charge: true, buyer_vat_number: 'FR83404833048', rates: [] };
  assert.equal(listTotals({ tax: reversed })[2], 'VAT||Reverse charge');
  const deducted = { ...reversed, is_included: true, deducted_usd: cents(1995n) };
  assert.equal(listTotals({ tax: deducted })[2], 'VAT (reverse charge)||−$19.95');
  assert.ok(!listTotals({ tax: deducted }).join().includes('FR83'));
});
