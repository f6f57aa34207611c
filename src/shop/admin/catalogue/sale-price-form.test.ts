import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EMPTY_SALE_PRICE, findListedPosition, toSalePriceForm, toSalePriceRequest } from './sale-price-form.ts';
import type { SalePriceForm } from './sale-price-form.ts';

const ownPrices = [
  { value_ids: ['a'], price_usd: 100 },
  { value_ids: ['b', 'c'], price_usd: 200 },
];
const request = (changed: Partial<SalePriceForm>) => toSalePriceRequest({ ...EMPTY_SALE_PRICE, ...changed }, ownPrices);

test('[OPS-09] the form reads amounts and percentages', () => {
  assert.deepEqual(request({ price: '$1,099.5' }).body.reduction, {
    kind: 'amount',
    price_usd: 1099.5,
    variant_prices: [],
  });
  assert.deepEqual(request({ price: '9', variantPrices: { a: ' ', 'b,c': '150' } }).body.reduction, {
    kind: 'amount',
    price_usd: 9,
    variant_prices: [{ value_ids: ['b', 'c'], price_usd: 150 }],
  });
  assert.deepEqual(request({ kind: 'percent', percent: '12.5' }).body.reduction, { kind: 'percent', percent: 12.5 });
});

const listProblems = (changed: Partial<SalePriceForm>) => Object.keys(request(changed).problems);

test('[OPS-09] the form names fields that are wrong', () => {
  assert.deepEqual(listProblems({ price: 'cheap', variantPrices: { a: 'x' } }), [
    'price_usd',
    'variant_prices.0.price_usd',
  ]);
  assert.deepEqual(request({ price: '529,50' }).body.reduction, {
    kind: 'amount',
    price_usd: 529.5,
    variant_prices: [],
  });
  assert.deepEqual(request({ price: '1,299' }).problems, { price_usd: '“1,299” is unclear. Write 1299 or 1.29' });
  for (const percent of ['', '0', '100', '-5', '1.234'])
    assert.deepEqual(listProblems({ kind: 'percent', percent }), ['percent']);
  const times = { starts: { stored: '2026-03-02T00:00:00.000Z' }, ends: { stored: '2026-03-02T00:00:00.000Z' } };
  assert.deepEqual(listProblems({ price: '5', ...times }), ['ends_at']);
  assert.deepEqual(listProblems({ price: '5', starts: { typed: 'soon' } }), ['starts_at']);
});

test('[OPS-09] a stored sale price that is not edited stays the same', () => {
  const stored = {
    reduction: {
      kind: 'amount' as const,
      price_usd: 89.9,
      variant_prices: [{ value_ids: ['c', 'b'], price_usd: 150 }],
    },
    starts_at: '2026-03-02T10:00:00.123Z',
    ends_at: null,
  };
  const form = toSalePriceForm(stored);
  const { body, problems } = toSalePriceRequest(form, ownPrices);
  assert.deepEqual(problems, {});
  assert.deepEqual(body.starts_at, stored.starts_at);
  assert.deepEqual(body.reduction, {
    ...stored.reduction,
    variant_prices: [{ value_ids: ['b', 'c'], price_usd: 150 }],
  });
  assert.equal(findListedPosition(form, ownPrices, 'b,c'), 0);
  assert.equal(findListedPosition(form, ownPrices, 'a'), -1);
});
