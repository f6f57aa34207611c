import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { toCounts, toProblemKey, toStockTexts } from './stock-column.ts';

const stock = (levels: Readonly<Record<string, number | null>>) =>
  toStockTexts({
    variants: Object.entries(levels).map(([id, units]) => ({ variant_id: id, value_ids: [], on_hand: units })),
  });

test('[OPS-08] [OPS-10] the editor counts the variants whose number was changed, and no others', () => {
  const units = fc.option(fc.integer({ min: -50, max: 1_000_000 }));
  fc.assert(
    fc.property(fc.dictionary(fc.uuid(), fc.tuple(units, units), { maxKeys: 20 }), (pairs) => {
      const ids = Object.keys(pairs);
      const base = stock(Object.fromEntries(ids.map((id) => [id, pairs[id]?.[0] ?? null])));
      const typed = stock(Object.fromEntries(ids.map((id) => [id, pairs[id]?.[1] ?? null])));
      const { counts, problems } = toCounts(typed, base);
      for (const id of ids) {
        const [before = null, after = null] = pairs[id] ?? [];
        const count = counts.find(({ variant_id: one }) => one === id);
        const isCounted = before !== after && after !== null && after >= 0;
        assert.deepEqual(count, isCounted ? { variant_id: id, quantity: after, seen: before } : undefined);
        assert.equal(toProblemKey(id) in problems, before !== after && !isCounted);
      }
    }),
  );
});

test('[OPS-08] more counts than one request takes are refused with a message', () => {
  const levels = Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`variant-${at}`, at]));
  const { problems } = toCounts(stock(levels), {});
  assert.match(problems['stock'] ?? '', /at most 100 variants/);
});
