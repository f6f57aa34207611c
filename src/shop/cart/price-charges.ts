import {
  addCents,
  addSats,
  cents,
  convertCentsToSats,
  multiplyCents,
  NO_CENTS,
  NO_SATS,
  PAYABLE_STEP_SATS,
  sats,
  SATS_PER_BTC,
  subtractSats,
} from '#src/shop/money.ts';
import type { Cents, CentsPerBtc, Sats } from '#src/shop/money.ts';
import {
  computeShipping,
  deliversEverywhere,
  findZone,
  FREE_EVERYWHERE,
  isFreeEverywhere,
  isPricedByWeight,
} from '#src/shop/shipping/compute-shipping.ts';
import type { ShippingSettings } from '#src/shop/shipping/compute-shipping.ts';
import { computeTax } from '#src/shop/tax/compute-tax.ts';
import type { TaxClass } from '#src/shop/tax/tax-class.ts';
import type { OrderTax } from '#src/shop/tax/tax-snapshot.ts';
import { NO_TAX, resolveTaxation } from '#src/shop/tax/taxation.ts';
import type { TaxedBuyer, TaxSettings } from '#src/shop/tax/taxation.ts';
import type { CartTotals } from './price-cart.ts';

/** The rules that add shipping and tax to a cart, and for whom. */
export interface ChargeTerms {
  readonly tax: TaxSettings;
  readonly shipping: ShippingSettings;
  readonly buyer: TaxedBuyer;
}

/** Free shipping to every country, and no tax. */
export const NO_CHARGES: ChargeTerms = {
  tax: NO_TAX,
  shipping: FREE_EVERYWHERE,
  buyer: { country: '', vatNumber: null },
};

export interface ChargedLine {
  readonly quantity: number;
  readonly priceCents: Cents;
  readonly isFree: boolean;
  /** Absent: standard. */
  readonly taxClass?: TaxClass;
  /** Absent: unknown. */
  readonly weightGrams?: number;
}

/** An amount on top of the goods, in both currencies. */
interface Charge {
  readonly cents: Cents;
  /** A multiple of 100; 0 without a rate. */
  readonly sats: Sats;
}

export interface Charges {
  /** Null while it depends on a country that is not known yet; then it is not part of the total. */
  readonly shipping: Charge | null;
  /** Tax on top of net prices. */
  readonly addedTax: Charge;
  /** Tax that gross prices contain and that reverse charge takes off. */
  readonly deductedTax: Charge;
  /** Tax by line; without a country only what is known of it. */
  readonly tax: OrderTax;
  /** Whether tax is added to prices somewhere and the country is not known yet. */
  readonly isTaxUnknown: boolean;
  /** False only for a known country that the shop does not deliver to. */
  readonly isDelivered: boolean;
  /** True only where the price depends on the weight, which is unknown, and the shop refuses such orders. */
  readonly isWeightMissing: boolean;
}

const NO_CHARGE: Charge = { cents: NO_CENTS, sats: NO_SATS };

/** Rounded up to a payable amount. */
const charge = (amount: Cents, rate: CentsPerBtc | null): Charge => ({
  cents: amount,
  sats: rate === null ? NO_SATS : convertCentsToSats(amount, rate),
});

/** What is taken off is rounded down, so that the shop never gets less than the rest. */
export const convertDeduction = (amount: Cents, rate: CentsPerBtc): Sats =>
  sats(((amount * SATS_PER_BTC) / (rate * PAYABLE_STEP_SATS)) * PAYABLE_STEP_SATS);

/** Whether shipping or tax of some order differs from free and none. */
export const hasCharges = ({ tax, shipping }: Pick<ChargeTerms, 'tax' | 'shipping'>): boolean =>
  tax.rates.length > 0 || !isFreeEverywhere(shipping) || !deliversEverywhere(shipping);

function priceShipping(
  lines: readonly ChargedLine[],
  goodsCents: Cents,
  { shipping, buyer: { country } }: ChargeTerms,
): PricedShipping | null {
  const zone = findZone(shipping, country);
  if (lines.every(({ isFree }) => isFree) || zone === null) return NO_SHIPPING;
  if (country === '' && !isFreeEverywhere(shipping)) return null;
  const grams = sumWeights(lines);
  const isRefused = shipping.unknownWeight === 'refuse' && grams === null && isPricedByWeight(zone, { goodsCents });
  return { name: zone.name, cents: computeShipping(zone, { goodsCents, grams }), isWeightMissing: isRefused };
}

interface PricedShipping {
  /** Of the zone. */
  readonly name: string | null;
  readonly cents: Cents;
  readonly isWeightMissing: boolean;
}

const NO_SHIPPING: PricedShipping = { name: null, cents: NO_CENTS, isWeightMissing: false };

/** Null if the weight of a line is unknown. */
const sumWeights = (lines: readonly Pick<ChargedLine, 'quantity' | 'weightGrams'>[]): number | null =>
  lines.reduce<number | null>(
    (sum, { quantity, weightGrams }) =>
      sum === null || weightGrams === undefined ? null : sum + quantity * weightGrams,
    0,
  );

/**
 * Shipping and tax of a cart for a buyer, and the totals with both. Without a country both are
 * left out as far as they depend on it.
 * @param lines that are for sale, gifts included
 * @param goods totals of the lines after the discount
 * @param rate null without a rate
 */
export function priceCharges(
  lines: readonly ChargedLine[],
  goods: CartTotals,
  rate: CentsPerBtc | null,
  terms: ChargeTerms = NO_CHARGES,
): { readonly charges: Charges; readonly totals: CartTotals } {
  const { country } = terms.buyer;
  const shipping = priceShipping(lines, goods.totalCents, terms);
  const tax = computeTax(
    {
      lines: lines.map(({ isFree, priceCents, quantity, taxClass = 'standard' }) => ({
        taxClass,
        listCents: isFree ? NO_CENTS : multiplyCents(priceCents, quantity),
      })),
      goodsCents: goods.totalCents,
      shipping: shipping ?? NO_SHIPPING,
    },
    resolveTaxation(terms.tax, terms.buyer),
  );
  const shippingCharge = shipping && charge(shipping.cents, rate);
  const addedTax = charge(tax.addedCents, rate);
  const deductedTax: Charge =
    tax.deductedCents === 0n
      ? NO_CHARGE
      : { cents: tax.deductedCents, sats: rate === null ? NO_SATS : convertDeduction(tax.deductedCents, rate) };
  const { sats: shippingSats, cents: shippingCents } = shippingCharge ?? NO_CHARGE;
  const beforeSats = addSats(goods.totalSats, shippingSats, addedTax.sats);
  // A deduction never exceeds its goods; only the rounding of tiny amounts could.
  const deductedSats = deductedTax.sats < beforeSats ? deductedTax.sats : beforeSats;
  return {
    charges: {
      shipping: shippingCharge,
      addedTax,
      deductedTax: { ...deductedTax, sats: deductedSats },
      tax,
      isTaxUnknown: country === '' && terms.tax.rates.length > 0 && terms.tax.priceMode === 'net',
      isDelivered: country === '' || findZone(terms.shipping, country) !== null,
      isWeightMissing: shipping?.isWeightMissing ?? false,
    },
    totals: {
      ...goods,
      totalCents: cents(addCents(goods.totalCents, shippingCents, addedTax.cents) - deductedTax.cents),
      totalSats: subtractSats(beforeSats, deductedSats),
    },
  };
}
