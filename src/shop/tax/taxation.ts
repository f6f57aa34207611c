import type { TaxClass } from './tax-class.ts';
import type { PriceMode } from './tax-snapshot.ts';
import { isEuCountry, normaliseVatNumber } from './vat-number.ts';

/** Rate of a class in a country, in basis points. */
export interface CountryRate {
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  readonly taxClass: Exclude<TaxClass, 'zero'>;
  readonly basisPoints: number;
}

/** The tax settings of the shop. Without rates nothing is taxed. */
export interface TaxSettings {
  readonly priceMode: PriceMode;
  /** What the tax is called, such as `VAT`. */
  readonly taxName: string;
  /** Where the shop is established; empty if not set. */
  readonly homeCountry: string;
  /** Business buyers of other countries of the European Union owe the tax themselves. */
  readonly hasReverseCharge: boolean;
  /** Class of the shipping price. */
  readonly shippingClass: TaxClass;
  readonly rates: readonly CountryRate[];
}

export const NO_TAX: TaxSettings = {
  priceMode: 'gross',
  taxName: 'VAT',
  homeCountry: '',
  hasReverseCharge: false,
  shippingClass: 'standard',
  rates: [],
};

/** Who buys, and where to; an empty country is not known yet. */
export interface TaxedBuyer {
  readonly country: string;
  readonly vatNumber: string | null;
}

/** The tax that applies to one buyer. */
export interface Taxation {
  readonly priceMode: PriceMode;
  readonly taxName: string;
  readonly country: string;
  readonly isTaxed: boolean;
  /** Basis points by class. With reverse charge: what gross prices contain. */
  readonly rates: Readonly<Record<TaxClass, number>>;
  readonly shippingClass: TaxClass;
  readonly buyerVatNumber: string | null;
  readonly isReverseCharge: boolean;
}

/** Whether a buyer with a valid VAT number of this country owes the tax. */
export const allowsReverseCharge = (
  { hasReverseCharge, homeCountry }: Pick<TaxSettings, 'hasReverseCharge' | 'homeCountry'>,
  country: string,
): boolean => hasReverseCharge && isEuCountry(homeCountry) && isEuCountry(country) && country !== homeCountry;

/**
 * The rates of a delivery country. A country of the European Union without rates of its own has those
 * of the shop's country there: distance sales below the threshold are taxed at home. Others have none.
 */
function listRates({ rates, homeCountry }: TaxSettings, country: string): readonly CountryRate[] {
  const own = rates.filter((rate) => rate.country === country);
  const isTaxedAtHome = own.length === 0 && isEuCountry(homeCountry) && isEuCountry(country);
  return isTaxedAtHome ? rates.filter((rate) => rate.country === homeCountry) : own;
}

/**
 * The tax of a buyer: the rates of the delivery country. A class without a rate there has the
 * standard rate of the country; a country without rates has no tax. A VAT number of another form
 * counts as none.
 */
export function resolveTaxation(settings: TaxSettings, { country, vatNumber }: TaxedBuyer): Taxation {
  const applied = listRates(settings, country);
  const findRate = (taxClass: TaxClass): number | undefined =>
    applied.find((rate) => rate.taxClass === taxClass)?.basisPoints;
  const standard = findRate('standard') ?? 0;
  const buyerVatNumber =
    settings.hasReverseCharge && vatNumber !== null ? normaliseVatNumber(vatNumber, country) : null;
  const isReverseCharge = buyerVatNumber !== null && allowsReverseCharge(settings, country);
  return {
    priceMode: settings.priceMode,
    taxName: settings.taxName,
    country,
    isTaxed: applied.length > 0 || isReverseCharge,
    rates: {
      standard,
      reduced: findRate('reduced') ?? standard,
      'super-reduced': findRate('super-reduced') ?? standard,
      zero: 0,
    },
    shippingClass: settings.shippingClass,
    buyerVatNumber,
    isReverseCharge,
  };
}
