/** The oracles of the edit stress test find each kind of wrong order, and stock that does not add up. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AuditedLine, AuditedOrder, AuditedPromotion } from './support/edit-stress/audit-tables.ts';
import { findOrderFaults } from './support/edit-stress/order-oracle.ts';
import { replayStock } from './support/edit-stress/stock-oracle.ts';

const line: AuditedLine = {
  line: {
    product_id: 'phone',
    variant_id: 'phone-256',
    name: 'Phone',
    property_values: [{ id: '256' }],
    quantity: 2,
    price_cents: 109_900,
    price_sats: 990_100,
    is_free: false,
  },
  product: { base_price_cents: 99_900, is_published: true },
  increases: { 256: 10_000 },
  variant: { id: 'phone-256', own_price_cents: null, is_published: true, property_value_ids: ['256'] },
  sale_prices: [],
};
const promotion: AuditedPromotion = {
  id: 'ten',
  code: 'TEN',
  type: 'fixed_percent',
  discount_basis_points: 1_000,
  discount_cents: null,
  gift_product_id: null,
  starts_at: null,
  ends_at: null,
  minimum_subtotal_cents: null,
  max_uses: 1,
  max_uses_per_user: 1,
  is_active: true,
};
const order: AuditedOrder = {
  order: {
    id: 'order',
    user_id: 'buyer',
    created_at: '2026-03-01T12:00:00Z',
    total_cents: 219_800,
    total_sats: 1_980_200,
    total_after_cents: 197_820,
    total_after_sats: 1_782_200,
    due_sats: 1_782_200,
    rate_cents_per_btc: 11_100_000,
    promo: { id: 'ten' },
  },
  lines: [line],
  promotion,
  uses: 1,
  uses_by_buyer: 1,
};
const listFaults = (changed: Partial<AuditedOrder>): readonly string[] => [
  ...new Set(findOrderFaults({ ...order, ...changed }).map(({ fault }) => fault)),
];
const withLine = (changed: Partial<AuditedLine>) => listFaults({ lines: [{ ...line, ...changed }] });
const withPromotion = (changed: Partial<AuditedPromotion>) => listFaults({ promotion: { ...promotion, ...changed } });

test('[OPS-08] the order oracle finds wrong prices, products and totals', () => {
  assert.deepEqual(findOrderFaults(order), []);
  assert.deepEqual(withLine({ product: { base_price_cents: 99_800, is_published: true } }), ['price']);
  assert.deepEqual(withLine({ increases: { 256: 9_900 } }), ['price']);
  assert.deepEqual(withLine({ product: { ...line.product, is_published: false } }), ['withdrawn']);
  const variant = { id: 'phone-256', own_price_cents: null, is_published: true, property_value_ids: ['256'] };
  assert.deepEqual(withLine({ variant: { ...variant, is_published: false } }), ['withdrawn']);
  assert.deepEqual(withLine({ variant: { ...variant, own_price_cents: 5_000 } }), ['price']);
  assert.deepEqual(listFaults({ order: { ...order.order, total_after_cents: 197_821 } }), ['total']);
});

test('[OPS-09] the order oracle finds sale prices that were not in force', () => {
  const [starts_at, later] = ['2026-03-01T12:00:00Z', '2026-03-01T12:00:01Z'];
  const own_prices = { 'phone-256': 5_000 };
  const sale = { starts_at, ends_at: null, discount_basis_points: 1_000, base_price_cents: null, own_prices: {} };
  const reduced = { ...sale, discount_basis_points: null, base_price_cents: 89_900 };
  for (const found of [sale, reduced, { ...sale, ends_at: later }])
    assert.deepEqual(withLine({ sale_prices: [found] }), ['price']);
  assert.deepEqual(withLine({ sale_prices: [{ ...sale, starts_at: later }] }), []);
  assert.deepEqual(withLine({ sale_prices: [{ ...sale, ends_at: starts_at }] }), []);
  const product = { ...line.product, base_price_cents: 1 };
  const charged = { ...line.line, price_cents: 109_900 };
  const same = [{ ...reduced, base_price_cents: 99_900, own_prices }];
  assert.deepEqual(withLine({ product, line: charged, sale_prices: same }), []);
  const variant = { id: 'phone-256', own_price_cents: 109_900, is_published: true, property_value_ids: ['256'] };
  assert.deepEqual(withLine({ variant, sale_prices: [{ ...reduced, own_prices }] }), ['price']);
});

test('[OPS-11] the order oracle finds invalid promotions', () => {
  assert.deepEqual(withPromotion({ is_active: false }), ['promotion']);
  assert.deepEqual(withPromotion({ ends_at: '2026-03-01T12:00:00Z' }), ['promotion']);
  assert.deepEqual(withPromotion({ starts_at: '2026-03-01T12:00:01Z' }), ['promotion']);
  assert.deepEqual(withPromotion({ minimum_subtotal_cents: 219_801 }), ['promotion']);
  assert.deepEqual(withPromotion({ discount_basis_points: 1_100 }), ['total']);
  assert.deepEqual(listFaults({ uses: 2 }), ['promotion']);
  assert.deepEqual(listFaults({ uses_by_buyer: 2 }), ['promotion']);
});

const move = { variantId: 'phone-256', taken: null, released: null, requestKey: null };
const start = new Map([['phone-256', 2]]);
const totals = (available: number, sold: number) => [{ variantId: 'phone-256', available, sold, promised: sold }];

test('[OPS-10] the stock oracle finds oversold and unexplained units', () => {
  const sale = { ...move, before: 2, after: 0, taken: 2 };
  assert.deepEqual(replayStock(start, [sale], new Map(), totals(0, 2)).findings, []);
  const twice = replayStock(start, [sale, { ...move, before: 0, after: -1, taken: 1 }], new Map(), totals(-1, 3));
  assert.equal(twice.oversold, 1);
  assert.equal(twice.findings.length, 1);
  const lost = replayStock(start, [{ ...move, before: 2, after: 5 }], new Map(), totals(5, 0));
  assert.equal(lost.findings.length, 2, 'an unexplained change, and units that do not add up');
  const request = { key: 'a', variantId: 'phone-256', change: { kind: 'adjust', by: 3 } } as const;
  const adjusted = { ...move, before: 2, after: 5, requestKey: 'a' };
  const requests = new Map([['a', request]]);
  assert.deepEqual(replayStock(start, [adjusted], requests, totals(5, 0)).findings, []);
  assert.equal(replayStock(start, [adjusted], requests, totals(4, 0)).findings.length, 2);
});
