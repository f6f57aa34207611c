import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { buildCatalogue } from '../../../../tests/support/build-catalogue.ts';
import { assessCart } from '../assess-cart.ts';
import type { StoredLine } from '../assess-cart.ts';
import { getPromoError, toCartResponse } from '../cart-response.ts';
import { cents, centsPerBtc } from '#src/shop/money.ts';
import { findFieldProblems, toPromotionDraft } from '#src/shop/promotions/editing/promotion-fields.ts';
import type { PromotionFields } from '#src/shop/promotions/editing/contract.ts';
import type { Promotion } from '#src/shop/promotions/promotion.ts';
import { showPreview, toSamplePromotion } from './show-preview.ts';

const NOW = new Date('2026-03-01T12:00:00Z');
const NAMES = ['A', 'B', 'C', 'D'];

const promotion = fc.record({
  type: fc.constantFrom(
    'free_item' as const,
    'discount_percent' as const,
    'extra_discount' as const,
    'fixed_percent' as const,
    'fixed_amount' as const,
  ),
  share: fc.integer({ min: 1, max: 10_000 }),
  amount: fc.integer({ min: 1, max: 3_000_000 }),
  gift: fc.constantFrom('a', 'd'),
  minimum: fc.option(fc.integer({ min: 1, max: 2_000_000 })),
  startsIn: fc.option(fc.integer({ min: -2, max: 0 }), { freq: 2 }),
  isActive: fc.integer({ min: 0, max: 9 }).map((number) => number > 0),
});
const sample = fc.record({
  prices: fc.array(fc.bigInt({ min: 0n, max: 500_000n }), { minLength: 4, maxLength: 4 }),
  quantities: fc.array(fc.integer({ min: 0, max: 99 }), { minLength: 4, maxLength: 4 }),
  isSold: fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }),
  giftsLeft: fc.option(fc.integer({ min: 0, max: 50 })),
  rate: fc.option(fc.bigInt({ min: 100_000n, max: 50_000_000n }).map(centsPerBtc)),
});
const atOffset = (ms: number | null): Date | null => (ms === null ? null : new Date(NOW.getTime() + ms));

test('[OPS-11] the preview has the totals of the cart, for 10,000 carts', () => {
  let applied = 0;
  fc.assert(
    fc.property(promotion, sample, (promo, at) => {
      const isGift = promo.type === 'free_item';
      const isAmount = promo.type === 'fixed_amount';
      const startsAt = atOffset(promo.startsIn);
      const fields: PromotionFields = {
        code: 'code',
        type: promo.type,
        discount_value: isGift ? 0 : (isAmount ? promo.amount : promo.share) / 100,
        gift_product_id: isGift ? promo.gift : null,
        starts_at: startsAt?.toISOString() ?? null,
        ends_at: null,
        minimum_subtotal_usd: promo.minimum === null ? null : promo.minimum / 100,
        max_uses: null,
        max_uses_per_user: 1,
        is_active: promo.isActive,
        is_advertised: false,
        position: 0,
      };
      assert.deepEqual(findFieldProblems(fields), {});
      // The promotion as the table stores it, from integers.
      const stored: Promotion = {
        id: '019b0000-0000-7000-8000-000000000001',
        code: 'CODE',
        type: promo.type,
        discountBasisPoints: isGift || isAmount ? null : promo.share,
        discountCents: isAmount ? cents(BigInt(promo.amount)) : null,
        giftProductId: isGift ? promo.gift : null,
        startsAt,
        endsAt: null,
        minimumSubtotalCents: promo.minimum === null ? null : cents(BigInt(promo.minimum)),
        maxUses: null,
        maxUsesPerUser: 1,
        uses: 7,
        isActive: promo.isActive,
        isAdvertised: true,
        version: 3,
      };
      const { productsById } = buildCatalogue(NAMES.map((name, index) => ({ name, cents: at.prices[index] ?? 0n })));
      const lines: StoredLine[] = NAMES.flatMap((name, index) => {
        const quantity = at.quantities[index] ?? 0;
        return quantity === 0 ? [] : { productId: name.toLowerCase(), valueIds: [], quantity, seenCents: null };
      });
      const context = {
        now: NOW,
        rate: at.rate,
        findProduct: (id: string) => (at.isSold['abcd'.indexOf(id)] === true ? productsById.get(id) : undefined),
        formerProducts: new Map(),
        findVariant: (id: string) => ({ id, sku: id, available: id === 'd' ? at.giftsLeft : null }),
      };
      const cart = assessCart(lines, { ...context, claimed: { promotion: stored, usesByBuyer: null } });
      const claimed = { promotion: toSamplePromotion(toPromotionDraft(fields)), usesByBuyer: null };
      const preview = showPreview(assessCart(lines, { ...context, claimed }), at.rate !== null);

      const shown = toCartResponse(cart, null, false);
      assert.deepEqual(
        [preview.subtotal_usd, preview.discount_usd, preview.discount_percent, preview.total_usd],
        [shown.subtotal_usd, shown.discount_usd, shown.discount, shown.totalCartValue],
      );
      assert.deepEqual(
        [preview.subtotal_btc, preview.discount_btc, preview.total_btc],
        at.rate === null ? [null, null, null] : [shown.subtotal_btc, shown.discount_btc, shown.totalBtcValue],
      );
      assert.equal(preview.problem, getPromoError(cart));
      assert.deepEqual(
        preview.lines.map((line) => [line.product_id, line.quantity, line.is_gift, line.price_usd]),
        cart.lines.map((line) => [line.productId, line.quantity, line.isFree, line.priceCents]),
      );
      if (cart.promotionProblem === null) applied += 1;
    }),
    { numRuns: 10_000 },
  );
  assert.ok(applied > 3000, `only ${applied} promotions applied`);
});
