import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { listChosenOptions } from './offered-options.ts';
import { buildVariantTable, findFirstChoice, findVariantPosition, formatDifference } from './variant-table.ts';
import { listCombinations } from './variants.ts';

const createGroups = (sizes: readonly number[]) =>
  sizes.map((size, group) => ({
    id: `g${group}`,
    name: `Group ${group}`,
    values: Array.from({ length: size }, (_, value) => ({ id: `${group}-${value}`, value: `${value}` })),
  }));
const sizes = fc.array(fc.integer({ min: 1, max: 4 }), { maxLength: 3 });
const MOST_COMBINATIONS = 64;
const states = fc.array(fc.constantFrom('sold', 'sold out', 'not sold'), {
  minLength: MOST_COMBINATIONS,
  maxLength: MOST_COMBINATIONS,
});

test('[OPS-08] [PROD-03] finds the price and stock of every combination', () => {
  fc.assert(
    fc.property(sizes, states, (of, stateOf) => {
      const groups = createGroups(of);
      const all = listCombinations(groups).map((property_value_ids, price_usd) => ({
        property_value_ids,
        sku: `SKU-${price_usd}`,
        price_usd,
        price_btc: null,
        was_price_usd: null,
        lowest_price_30_days_usd: null,
        state: stateOf[price_usd] ?? 'sold',
      }));
      const sold = all.filter(({ state }) => state !== 'not sold');
      const listed = sold.map((variant) => ({ ...variant, is_available: variant.state === 'sold' }));
      // The order of the list does not matter.
      const table = buildVariantTable(groups, listed.toReversed());
      for (const { property_value_ids: ids, price_usd: usd, sku, state } of all) {
        const found = table[findVariantPosition(groups, ({ id }) => ids.includes(id))];
        assert.deepEqual(found, state === 'not sold' ? null : { sku, usd, btc: null, isSoldOut: state === 'sold out' });
      }
      const chosen = listChosenOptions(groups, findFirstChoice(groups, table));
      const first = table[findVariantPosition(groups, (option) => chosen.includes(option))];
      const expected = all.find(({ state }) => state === 'sold') ?? all.find(({ state }) => state === 'sold out');
      assert.equal(first?.usd, expected?.price_usd);
    }),
  );
});

const createPriced = (inCents: number) => ({ sku: '', usd: inCents / 100, btc: null, isSoldOut: false });

test('[OPS-08] [PROD-03] a difference is that of the prices that are charged', () => {
  const amount = fc.integer({ min: 0, max: 9_999_999 });
  fc.assert(
    fc.property(amount, amount, (one, other) => {
      const shown = formatDifference(createPriced(one), createPriced(other));
      const inCents = Number(shown.replaceAll(/\D/g, ''));
      assert.equal(shown.startsWith('−') ? -inCents : inCents, one - other);
    }),
  );
  assert.equal(formatDifference(createPriced(129_900), createPriced(109_900)), '+$200.00');
  assert.equal(formatDifference(createPriced(109_900), createPriced(129_950)), '−$200.50');
  assert.equal(formatDifference(createPriced(109_900), createPriced(109_900)), '');
  for (const [one, other] of [
    [null, createPriced(1)],
    [createPriced(1), null],
  ] as const) {
    assert.equal(formatDifference(one, other), '');
  }
});
