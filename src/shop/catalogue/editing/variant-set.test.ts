import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { createVariantKey, listCombinations } from '../products/variants.ts';
import type { EditedVariant } from './product-content.ts';
import { planVariants } from './variant-set.ts';
import type { StoredVariant } from './stored-product.ts';

type Offered = readonly { readonly values: readonly { readonly id: string }[] }[];

/** Up to three properties with up to three of their values. */
const offeredValues = fc
  .array(fc.subarray(['1', '2', '3'], { minLength: 1 }), { maxLength: 3 })
  .map((lists): Offered =>
    lists.map((list, index) => ({ values: list.map((id) => ({ id: `${'abc'[index]}${id}` })) })),
  );
const isPublished = fc.boolean();

const toVariant = (value_ids: readonly string[], changes: Partial<EditedVariant> = {}): EditedVariant => ({
  value_ids,
  own_price_usd: null,
  sku: '',
  gtin: '',
  weight_grams: null,
  pictures: [],
  is_published: true,
  ...changes,
});

const store = (planned: ReturnType<typeof planVariants>): StoredVariant[] =>
  planned.map((variant) => ({
    id: variant.id ?? variant.sku,
    ...toVariant(variant.value_ids, { sku: variant.sku, is_published: variant.is_published }),
  }));

test('[OPS-08] every combination has one variant, and only present ones are published', () => {
  fc.assert(
    fc.property(fc.array(offeredValues, { minLength: 1, maxLength: 4 }), isPublished, (edits, published) => {
      let stored: StoredVariant[] = [];
      for (const offered of edits) {
        const edited = listCombinations(offered).map((ids) => toVariant(ids, { is_published: published }));
        const planned = planVariants({ offered, stored, edited, article: 'A' });
        const keys = planned.map(({ value_ids }) => createVariantKey(value_ids));
        const present = new Set(listCombinations(offered).map(createVariantKey));
        assert.equal(new Set(keys).size, keys.length);
        assert.deepEqual(new Set(keys.slice(0, present.size)), present);
        assert.ok(planned.every((variant, at) => variant.is_published === (at < present.size && published)));
        assert.equal(new Set(planned.map(({ sku }) => sku)).size, planned.length);
        assert.ok(planned.every(({ sku }) => sku !== ''));
        // Nothing that orders refer to disappears or becomes another combination.
        const ids = new Map(planned.map((variant) => [variant.id, createVariantKey(variant.value_ids)]));
        for (const variant of stored) assert.equal(ids.get(variant.id), createVariantKey(variant.value_ids));
        stored = store(planned);
      }
    }),
  );
});

test('[OPS-08] a combination that returns keeps its SKU and stays off sale unless edited', () => {
  const both: Offered = [{ values: [{ id: 'a1' }, { id: 'a2' }] }];
  const one: Offered = [{ values: [{ id: 'a1' }] }];
  const first = store(planVariants({ offered: both, stored: [], edited: [], article: 'A' }));
  const second = store(planVariants({ offered: one, stored: first, edited: [], article: 'A' }));
  const third = planVariants({ offered: both, stored: second, edited: [], article: 'A' });
  assert.deepEqual(
    third.map(({ sku, is_published: isSold }) => [sku, isSold]),
    [
      ['A-1', true],
      ['A-2', false],
    ],
  );
});

test('[OPS-08] derived SKUs differ from those of other products', () => {
  const offered: Offered = [{ values: [{ id: 'a1' }, { id: 'a2' }] }];
  const planned = planVariants({ offered, stored: [], edited: [], article: 'A', takenSkus: new Set(['A-1', 'A-3']) });
  assert.deepEqual(
    planned.map(({ sku }) => sku),
    ['A-4', 'A-2'],
  );
});
