import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { buildCatalogue } from '../../../tests/support/build-catalogue.ts';
import { cents, centsPerBtc } from '#src/shop/money.ts';
import type { Promotion } from '#src/shop/promotions/promotion.ts';
import { assessCart } from './assess-cart.ts';
import type { StoredLine } from './assess-cart.ts';
import { suggestPromotions } from './suggest-promotions.ts';

const NOW = new Date('2026-03-01T12:00:00Z');
const PRODUCTS = ['A', 'B', 'C', 'D'];

/** Null in three of four cases. */
const generateMostlyNull = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null> =>
  fc.oneof({ arbitrary: fc.constant(null), weight: 3 }, { arbitrary: value, weight: 1 });

const promotion: fc.Arbitrary<Promotion> = fc
  .record({
    type: fc.constantFrom(
      'free_item' as const,
      'discount_percent' as const,
      'extra_discount' as const,
      'fixed_percent' as const,
      'fixed_amount' as const,
    ),
    share: fc.integer({ min: 1, max: 10_000 }),
    amount: fc.bigInt({ min: 1n, max: 3_000_000n }),
    gift: fc.constantFrom('a', 'd'),
    minimum: generateMostlyNull(fc.bigInt({ min: 1n, max: 2_000_000n })),
    maxUses: generateMostlyNull(fc.integer({ min: 1, max: 3 })),
    uses: fc.integer({ min: 0, max: 3 }),
    maxUsesPerUser: generateMostlyNull(fc.integer({ min: 1, max: 2 })),
    startsIn: generateMostlyNull(fc.integer({ min: -2, max: 2 })),
    endsIn: generateMostlyNull(fc.integer({ min: -2, max: 2 })),
    isActive: fc.integer({ min: 0, max: 9 }).map((number) => number > 0),
  })
  .map((values) => ({
    id: `${values.type} ${values.share}`,
    code: 'CODE',
    type: values.type,
    discountBasisPoints: values.type === 'free_item' || values.type === 'fixed_amount' ? null : values.share,
    discountCents: values.type === 'fixed_amount' ? cents(values.amount) : null,
    giftProductId: values.type === 'free_item' ? values.gift : null,
    startsAt: values.startsIn === null ? null : new Date(NOW.getTime() + values.startsIn),
    endsAt: values.endsIn === null ? null : new Date(NOW.getTime() + values.endsIn),
    minimumSubtotalCents: values.minimum === null ? null : cents(values.minimum),
    maxUses: values.maxUses,
    maxUsesPerUser: values.maxUsesPerUser,
    uses: values.maxUses === null ? values.uses : Math.min(values.uses, values.maxUses),
    isActive: values.isActive,
    isAdvertised: true,
    version: 1,
  }));

const shop = fc.record({
  prices: fc.array(fc.bigInt({ min: 0n, max: 500_000n }), { minLength: 4, maxLength: 4 }),
  rate: fc.bigInt({ min: 100_000n, max: 100_000_000n }).map(centsPerBtc),
  quantities: fc.array(fc.integer({ min: 0, max: 99 }), { minLength: 4, maxLength: 4 }),
  isSold: fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }),
  giftsLeft: fc.option(fc.integer({ min: 0, max: 60 })),
  usesByBuyer: fc.option(fc.integer({ min: 0, max: 2 })),
});

/** Sums the lines piece by piece, independently of the implementation. */
function sumPieceByPiece(lines: readonly StoredLine[], at: { prices: bigint[]; rate: bigint }): [bigint, bigint] {
  let [sum, sumSats] = [0n, 0n];
  for (const { productId, quantity } of lines) {
    const price = at.prices['abcd'.indexOf(productId)] ?? 0n;
    let inSats = (price * 100_000_000n) / at.rate / 100n;
    while (inSats * 100n * at.rate < price * 100_000_000n) inSats += 1n;
    for (let piece = 0; piece < quantity; piece += 1) {
      sum += price;
      sumSats += inSats * 100n;
    }
  }
  return [sum, sumSats];
}

/** Whether a promotion applies to a subtotal, condition by condition. */
function isInForce(promo: Promotion, before: bigint, usesByBuyer: number | null, isGiftThere: boolean): boolean {
  const conditions = [
    promo.isActive,
    promo.startsAt === null || promo.startsAt <= NOW,
    promo.endsAt === null || promo.endsAt > NOW,
    promo.maxUses === null || promo.uses < promo.maxUses,
    promo.maxUsesPerUser === null || (usesByBuyer ?? 0) < promo.maxUsesPerUser,
    promo.minimumSubtotalCents === null || before >= promo.minimumSubtotalCents,
    isGiftThere,
  ];
  return conditions.every(Boolean);
}

/** Totals after the discount in integers: cents rounded half up, sats up to the next 100. */
function applyPromotion(promo: Promotion, before: bigint, beforeSats: bigint): [bigint, bigint] {
  if (promo.discountBasisPoints !== null) {
    const left = BigInt(10_000 - promo.discountBasisPoints);
    return [(before * left + 5_000n) / 10_000n, ((beforeSats * left + 999_999n) / 1_000_000n) * 100n];
  }
  if (promo.discountCents === null) return [before, beforeSats];
  const after = before > promo.discountCents ? before - promo.discountCents : 0n;
  return [after, before === 0n ? 0n : ((beforeSats * after + before * 100n - 1n) / (before * 100n)) * 100n];
}

test('[PROMO-03] [PAY-06] [CART-04] computes the totals of any cart exactly', () => {
  let giftCount = 0;
  fc.assert(
    fc.property(shop, fc.option(promotion, { freq: 9 }), (at, promo) => {
      const sketches = PRODUCTS.map((name, index) => ({ name, cents: at.prices[index] ?? 0n }));
      const { productsById } = buildCatalogue(sketches);
      const isSold = (id: string): boolean => at.isSold['abcd'.indexOf(id)] ?? false;
      const lines: StoredLine[] = PRODUCTS.flatMap((name, index) => {
        const quantity = at.quantities[index] ?? 0;
        return quantity === 0 ? [] : { productId: name.toLowerCase(), valueIds: [], quantity, seenCents: null };
      });
      const assessed = assessCart(lines, {
        now: NOW,
        rate: at.rate,
        findProduct: (id) => (isSold(id) ? productsById.get(id) : undefined),
        formerProducts: new Map(),
        findVariant: (id) => ({ id, sku: id, available: id === 'd' ? at.giftsLeft : null }),
        claimed: promo && { promotion: promo, usesByBuyer: at.usesByBuyer },
      });

      const sold = lines.filter(({ productId }) => isSold(productId));
      const [before, beforeSats] = sumPieceByPiece(sold, at);
      const wantedOfD = lines.find(({ productId }) => productId === 'd')?.quantity ?? 0;
      const gift = promo?.giftProductId ?? null;
      const isGiftThere = gift === null || (isSold(gift) && (gift !== 'd' || wantedOfD < (at.giftsLeft ?? Infinity)));
      const applies = promo !== null && isInForce(promo, before, at.usesByBuyer, isGiftThere);
      const [after, afterSats] = applies ? applyPromotion(promo, before, beforeSats) : [before, beforeSats];
      const { totals } = assessed;
      assert.deepEqual([totals.subtotalCents, totals.subtotalSats], [before, beforeSats]);
      assert.deepEqual([totals.totalCents, totals.totalSats], [after, afterSats]);
      assert.deepEqual([totals.discountCents, totals.discountSats], [before - after, beforeSats - afterSats]);
      assert.ok(totals.totalCents >= 0n && totals.totalSats >= 0n && totals.totalSats % 100n === 0n);
      assert.equal(assessed.promotionProblem === null, promo === null || applies);

      const gifts = assessed.lines.filter(({ isFree }) => isFree);
      const hasGift = applies && gift !== null && lines.some(({ productId }) => isSold(productId));
      assert.deepEqual(
        gifts.map((line) => [line.productId, line.quantity, line.priceCents, line.priceSats]),
        hasGift ? [[gift, 1, 0n, 0n]] : [],
      );
      if (hasGift) giftCount += 1;
      assert.equal(assessed.lines.length, lines.length + gifts.length, 'unavailable lines are listed too');
    }),
    { numRuns: 5000 },
  );
  assert.ok(giftCount > 100, `only ${giftCount} runs had a gift`);
});

test('[PROMO-04] suggests the promotion that saves more than the applied one', () => {
  fc.assert(
    fc.property(shop, fc.array(promotion, { maxLength: 5 }), fc.option(promotion), (at, offered, applied) => {
      const sketches = PRODUCTS.map((name, index) => ({ name, cents: at.prices[index] ?? 0n }));
      const { productsById } = buildCatalogue(sketches);
      const lines = PRODUCTS.map((name, index) => ({
        productId: name.toLowerCase(),
        valueIds: [],
        quantity: 1 + (at.quantities[index] ?? 0) / 99,
        seenCents: null,
      })).map((line) => ({ ...line, quantity: Math.floor(line.quantity) }));
      const promotions = offered.map((offer, index) => ({ ...offer, id: `${index}` }));
      const context = {
        now: NOW,
        rate: at.rate,
        findProduct: (id: string) => productsById.get(id),
        formerProducts: new Map(),
        findVariant: (id: string) => ({ id, sku: id, available: null }),
        claimed: applied && { promotion: applied, usesByBuyer: null },
      };
      const computeWorth = (candidate: Promotion | null): bigint => {
        const { totals, lines: assessedLines } = assessCart(lines, {
          ...context,
          claimed: candidate && { promotion: candidate, usesByBuyer: null },
        });
        const gift = assessedLines.find(({ isFree }) => isFree);
        return totals.discountCents + (gift ? (productsById.get(gift.productId)?.basePriceCents ?? 0n) : 0n);
      };
      const assessed = assessCart(lines, context);
      const suggested = suggestPromotions(promotions, assessed, context);
      const best = promotions.map(computeWorth).reduce((most, value) => (value > most ? value : most), 0n);
      const [first] = suggested;
      if (assessed.totals.subtotalCents === 0n || best <= computeWorth(applied)) assert.equal(first, undefined);
      else assert.equal(first && computeWorth(first), best);
    }),
    { numRuns: 1000 },
  );
});
