import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cents } from '#src/shop/money.ts';
import { planBulkEdit } from './bulk-edit.ts';
import type { BulkProduct } from './bulk-edit.ts';
import type { PriceEdit } from './price-edit.ts';

const product: BulkProduct = {
  state: 'published',
  hasDraft: false,
  categoryId: 'c1',
  categoryName: 'Cables',
  basePriceCents: cents(1000n),
  ownPrices: [{ variantId: 'v', variantKey: 'red', priceCents: cents(200n) }],
  increases: [{ valueId: 'large', increaseCents: cents(101n) }],
  salePrices: [],
  hasValues: false,
  hasPicture: true,
  hasPublishedVariant: true,
};
const isPlanned = (changes: Partial<BulkProduct>, edit: Parameters<typeof planBulkEdit>[1]): boolean =>
  planBulkEdit({ ...product, ...changes }, edit).ok;

test('[OPS-02] only products that are ready are published', () => {
  assert.ok(isPlanned({ state: 'draft' }, { kind: 'publish' }));
  assert.ok(!isPlanned({ state: 'published' }, { kind: 'publish' }));
  assert.ok(!isPlanned({ state: 'draft', hasPicture: false }, { kind: 'publish' }));
  assert.ok(!isPlanned({ state: 'withdrawn', hasPublishedVariant: false }, { kind: 'publish' }));
  assert.ok(!isPlanned({ state: 'draft' }, { kind: 'withdraw' }));
});

test('[OPS-02] a price change includes variants with their own price', () => {
  const half = { kind: 'price', edit: { kind: 'percent', hundredths: -5000n } } as const;
  assert.deepEqual(planBulkEdit(product, half), {
    ok: true,
    before: '$10.00',
    after: '$5.00',
    large: [
      { before: '$10.00', after: '$5.00' },
      { before: '$2.00', after: '$1.00' },
    ],
    patch: {
      basePriceCents: 500n,
      ownPrices: [{ variantId: 'v', variantKey: 'red', priceCents: 100n }],
      increases: [{ valueId: 'large', increaseCents: 51n }],
    },
  });
  const added = planBulkEdit(product, { kind: 'price', edit: { kind: 'add', amountCents: -150n } });
  // Half of the price of the variant, though not of the base price. Increases stay.
  assert.deepEqual(added.ok && added.large, [{ before: '$2.00', after: '$0.50' }]);
  assert.equal(added.ok && added.patch.increases, undefined);
  assert.ok(!isPlanned({}, { kind: 'price', edit: { kind: 'add', amountCents: -200n } }));
  assert.ok(isPlanned({}, { kind: 'price', edit: { kind: 'set', priceCents: cents(1n) } }));
  assert.ok(!isPlanned({ hasDraft: true }, half));
});

test('[OPS-02] a product with values keeps its category', () => {
  const move = { kind: 'category', categoryId: 'c2', categoryName: 'Cases' } as const;
  assert.ok(isPlanned({}, move));
  assert.ok(!isPlanned({ hasValues: true }, move));
  assert.ok(!isPlanned({ categoryId: 'c2' }, move));
});

test('[OPS-09] a price change that a sale price would not reduce is skipped', () => {
  const own = { kind: 'amount', basePriceCents: cents(800n), ownPrices: new Map([['red', cents(150n)]]) } as const;
  const salePrice = { id: 's', startsAt: new Date(), endsAt: null, reduction: own };
  const isPriced = (edit: PriceEdit): boolean => isPlanned({ salePrices: [salePrice] }, { kind: 'price', edit });
  assert.ok(isPriced({ kind: 'set', priceCents: cents(801n) }));
  assert.ok(!isPriced({ kind: 'set', priceCents: cents(800n) }));
  assert.ok(isPriced({ kind: 'add', amountCents: -49n }));
  assert.ok(!isPriced({ kind: 'add', amountCents: -50n }));
});
