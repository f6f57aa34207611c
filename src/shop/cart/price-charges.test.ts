import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { cents, centsPerBtc, convertCentsToSats, sats } from '#src/shop/money.ts';
import { FREE_EVERYWHERE } from '#src/shop/shipping/compute-shipping.ts';
import { NO_TAX } from '#src/shop/tax/taxation.ts';
import { chargeByRules } from '../../../tests/support/charge-oracle.ts';
import type { OracleCart } from '../../../tests/support/charge-oracle.ts';
import { randomCart, VAT_NUMBERS } from '../../../tests/support/random-charges.ts';
import { priceCart } from './price-cart.ts';
import { hasCharges, NO_CHARGES, priceCharges } from './price-charges.ts';
import type { ChargeTerms } from './price-charges.ts';

const CARTS = 100_000;

function chargeByShop({ lines, discount, country, isBusinessWithNumber, shop, centsPerBtc: rateCents }: OracleCart) {
  const rate = centsPerBtc(rateCents);
  const priced = lines.map(({ unitCents, quantity, isGift, taxClass, grams }) => ({
    quantity,
    isFree: isGift,
    priceCents: cents(isGift ? 0n : unitCents),
    priceSats: isGift ? sats(0n) : convertCentsToSats(cents(unitCents), rate),
    taxClass,
    ...(grams === null ? {} : { weightGrams: grams }),
  }));
  const off = discount !== null && 'cents' in discount ? { cents: cents(discount.cents) } : discount;
  const goods = priceCart(priced, off);
  const terms: ChargeTerms = {
    tax: {
      priceMode: shop.prices,
      taxName: 'VAT',
      homeCountry: shop.home,
      hasReverseCharge: shop.hasReverseCharge,
      shippingClass: shop.shippingClass,
      rates: shop.rates.flatMap((of) =>
        of.taxClass === 'standard' || of.taxClass === 'reduced' || of.taxClass === 'super-reduced'
          ? { ...of, taxClass: of.taxClass }
          : [],
      ),
    },
    shipping: {
      zones: shop.zones.map((zone, at) => ({ ...zone, name: `Zone ${at}` })),
      excludedCountries: shop.excluded,
      unknownWeight: shop.unknownWeight,
    },
    buyer: { country, vatNumber: isBusinessWithNumber ? (VAT_NUMBERS[country] ?? null) : null },
  };
  return { goods, ...priceCharges(priced, goods, rate, terms) };
}

test(`[OPS-15] agrees with an oracle of the rule texts on ${CARTS} random carts`, () => {
  fc.assert(
    fc.property(randomCart, (cart) => {
      const expected = chargeByRules(cart);
      const { charges, totals } = chargeByShop(cart);
      assert.equal(charges.isDelivered, expected.isDelivered);
      assert.equal(charges.isWeightMissing, expected.isWeightMissing);
      assert.equal(charges.shipping?.cents, expected.shipping);
      assert.deepEqual(
        charges.tax.lines.map((line) => ({
          discount: line.discountCents,
          net: line.netCents,
          tax: line.taxCents,
          gross: line.grossCents,
        })),
        expected.lines,
      );
      assert.equal(totals.totalCents, expected.total);
      assert.equal(charges.tax.taxCents, expected.tax);
      assert.equal(charges.shipping?.sats, expected.shippingSats);
      assert.equal(charges.addedTax.sats, expected.addedSats);
    }),
    { numRuns: CARTS },
  );
});

const add = (amounts: readonly bigint[]): bigint => amounts.reduce((all, amount) => all + amount, 0n);

test('[OPS-15] loses no cent between lines, rates and total', () => {
  fc.assert(
    fc.property(randomCart, (cart) => {
      const { charges, goods, totals } = chargeByShop(cart);
      const { tax, shipping, addedTax, deductedTax } = charges;
      for (const part of [tax.lines, tax.rates]) {
        assert.equal(add(part.map(({ netCents }) => netCents)), tax.netCents);
        assert.equal(add(part.map(({ taxCents }) => taxCents)), tax.taxCents);
        assert.equal(add(part.map(({ grossCents }) => grossCents)), tax.grossCents);
      }
      assert.equal(tax.netCents + tax.taxCents, tax.grossCents);
      assert.equal(tax.grossCents, totals.totalCents);
      assert.equal(add(tax.lines.map(({ discountCents }) => discountCents)), goods.discountCents);
      assert.equal(totals.totalCents, goods.totalCents + (shipping?.cents ?? 0n) + addedTax.cents - deductedTax.cents);
      assert.equal(totals.totalSats, goods.totalSats + (shipping?.sats ?? 0n) + addedTax.sats - deductedTax.sats);
      assert.ok(totals.totalSats >= 0n && totals.totalSats % 100n === 0n && totals.totalCents >= 0n);
      for (const line of tax.lines) assert.ok(line.discountCents >= 0n && line.discountCents <= line.listCents);
    }),
    { numRuns: 2_000 },
  );
});

test('[OPS-15] spreads a discount over tax classes in proportion', () => {
  fc.assert(
    fc.property(randomCart, (cart) => {
      const { charges, goods } = chargeByShop(cart);
      for (const { position, listCents, discountCents } of charges.tax.lines) {
        if (position === null || goods.subtotalCents === 0n) continue;
        // Less than one cent from the exact share.
        const distance = discountCents * goods.subtotalCents - goods.discountCents * listCents;
        assert.ok(distance < goods.subtotalCents && -distance < goods.subtotalCents);
      }
    }),
    { numRuns: 2_000 },
  );
});

test('[OPS-15] changes no total while shipping is free and nothing is taxed', () => {
  fc.assert(
    fc.property(randomCart, ({ lines, discount, centsPerBtc: rateCents }) => {
      const rate = centsPerBtc(rateCents);
      const priced = lines.map(({ unitCents, quantity, isGift }) => ({
        quantity,
        isFree: isGift,
        priceCents: cents(unitCents),
        priceSats: convertCentsToSats(cents(unitCents), rate),
      }));
      const off = discount !== null && 'cents' in discount ? { cents: cents(discount.cents) } : discount;
      const goods = priceCart(priced, off);
      const { charges, totals } = priceCharges(priced, goods, rate);
      assert.deepEqual(totals, goods);
      assert.equal(charges.tax.isTaxed, false);
    }),
  );
  assert.equal(hasCharges(NO_CHARGES), false);
});

test('[OPS-15] leaves shipping out of the total until the country is known', () => {
  const line = { quantity: 1, priceCents: cents(10_000n), priceSats: sats(10_000n), isFree: false };
  const [zone] = FREE_EVERYWHERE.zones;
  assert.ok(zone);
  const zones = [{ ...zone, tiers: [{ from: 0, priceCents: 500 }] }];
  const shipping = { ...FREE_EVERYWHERE, zones, excludedCountries: ['US'] };
  const rate = centsPerBtc(10_000_000n);
  const chargeTo = (country: string) =>
    priceCharges([line], priceCart([line]), rate, { tax: NO_TAX, shipping, buyer: { country, vatNumber: null } });
  assert.equal(chargeTo('').charges.shipping, null);
  assert.equal(chargeTo('').totals.totalCents, 10_000n);
  assert.equal(chargeTo('DE').totals.totalCents, 10_500n);
  assert.equal(chargeTo('US').charges.isDelivered, false);
  assert.equal(hasCharges({ tax: NO_TAX, shipping }), true);
});
