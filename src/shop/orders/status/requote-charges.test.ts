import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { priceCart } from '#src/shop/cart/price-cart.ts';
import { priceCharges } from '#src/shop/cart/price-charges.ts';
import { cents, centsPerBtc, convertCentsToSats, NO_SATS } from '#src/shop/money.ts';
import type { CentsPerBtc } from '#src/shop/money.ts';
import { NO_TOLERANCE } from '#src/shop/payments/ledger/payment-tolerance.ts';
import { FREE_EVERYWHERE } from '#src/shop/shipping/compute-shipping.ts';
import { NO_TAX } from '#src/shop/tax/taxation.ts';
import { snapshotCharges } from '../checkout/snapshot-charges.ts';
import { requoteOrder } from './requote-order.ts';

const NOW = new Date('2026-03-01T12:00:00Z');
const TERMS = { now: NOW, windowSeconds: 7200, tolerance: NO_TOLERANCE };
const [ZONE] = FREE_EVERYWHERE.zones;

interface Sold {
  readonly price: bigint;
  readonly quantity: number;
  readonly shippingCents: number;
  readonly basisPoints: number;
  readonly discountBasisPoints: number;
  readonly priceMode: 'gross' | 'net';
  readonly isBusiness: boolean;
}

/** A cart as a checkout at this rate prices it. */
function priceAt(sold: Sold, rate: CentsPerBtc) {
  assert.ok(ZONE);
  const price = cents(sold.price);
  const line = {
    quantity: sold.quantity,
    priceCents: price,
    priceSats: convertCentsToSats(price, rate),
    isFree: false,
  };
  const shipping = { ...FREE_EVERYWHERE, zones: [{ ...ZONE, tiers: [{ from: 0, priceCents: sold.shippingCents }] }] };
  const tax = {
    ...NO_TAX,
    priceMode: sold.priceMode,
    homeCountry: 'DE',
    hasReverseCharge: true,
    rates: [{ country: 'FR', taxClass: 'standard', basisPoints: sold.basisPoints } as const],
  };
  const goods = priceCart([line], { basisPoints: sold.discountBasisPoints });
  const buyer = { country: 'FR', vatNumber: sold.isBusiness ? 'FR83404833048' : null };
  return { line, ...priceCharges([line], goods, rate, { tax, shipping, buyer }) };
}

const sold: fc.Arbitrary<Sold> = fc.record({
  price: fc.bigInt(1n, 500_000n),
  quantity: fc.integer({ min: 1, max: 99 }),
  shippingCents: fc.integer({ min: 0, max: 10_000 }),
  basisPoints: fc.integer({ min: 0, max: 3000 }),
  discountBasisPoints: fc.integer({ min: 1, max: 9000 }),
  priceMode: fc.constantFrom('gross' as const, 'net' as const),
  isBusiness: fc.boolean(),
});
const anyRate = fc.bigInt(1_000_000n, 50_000_000n).map(centsPerBtc);

test('[OPS-15] [PAY-11] a requote costs what a checkout at its rate would cost', () => {
  fc.assert(
    fc.property(sold, anyRate, anyRate, (order, first, second) => {
      const { line, totals, charges } = priceAt(order, first);
      const quote = {
        total_cents: totals.subtotalCents,
        total_sats: totals.subtotalSats,
        total_after_cents: totals.totalCents,
        total_after_sats: totals.totalSats,
        due_sats: totals.totalSats,
        rate_cents_per_btc: first,
        expires_at: NOW,
        credited_sats: NO_SATS,
        credited_until: null,
        unpaid_cents: null,
        promo: {
          id: 'a',
          code: 'OFF',
          type: 'fixed_percent' as const,
          discount_value: order.discountBasisPoints / 100,
          discount_basis_points: order.discountBasisPoints,
          discount_cents: null,
        },
        ...snapshotCharges(charges),
      };
      const lines = [
        {
          position: 0,
          quantity: line.quantity,
          price_cents: line.priceCents,
          price_sats: line.priceSats,
          is_free: false,
        },
      ];
      const received = { credited: NO_SATS, all: NO_SATS };
      const requoted = requoteOrder(quote, lines, received, { ...TERMS, rate: second }).order;
      const placed = priceAt(order, second);
      assert.equal(requoted.due_sats, placed.totals.totalSats);
      assert.equal(requoted.total_after_sats, placed.totals.totalSats);
      const expected = snapshotCharges(placed.charges);
      assert.equal(requoted.shipping_sats, expected.shipping_sats);
      assert.equal(requoted.added_tax_sats, expected.added_tax_sats);
      assert.equal(requoted.deducted_tax_sats, expected.deducted_tax_sats);
    }),
    { numRuns: 2000 },
  );
});
