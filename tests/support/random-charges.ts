/** Random carts and settings for comparisons with the oracle. */
import * as fc from 'fast-check';
import type { OracleCart, OracleLine } from './charge-oracle.ts';

const COUNTRIES = ['DE', 'FR', 'GR', 'AT', 'US', 'GB', 'CH', 'JP'] as const;

/** Numbers of the form of each country of the European Union above. */
export const VAT_NUMBERS: Readonly<Record<string, string>> = {
  DE: 'DE123456789',
  FR: 'FR83404833048',
  GR: 'EL123456789',
  AT: 'ATU12345678',
};

const taxClass = fc.constantFrom('standard', 'reduced', 'super-reduced', 'zero') satisfies fc.Arbitrary<
  OracleLine['taxClass']
>;
const country = fc.constantFrom(...COUNTRIES);
const price = fc.oneof(fc.integer({ min: 0, max: 300 }), fc.integer({ min: 0, max: 100_000 }));

const line: fc.Arbitrary<OracleLine> = fc.record({
  unitCents: fc.oneof(fc.bigInt(1n, 200n), fc.bigInt(1n, 500_000n)),
  quantity: fc.integer({ min: 1, max: 99 }),
  isGift: fc.boolean(),
  taxClass,
  grams: fc.option(fc.integer({ min: 1, max: 30_000 })),
});

const discount = fc.oneof(
  fc.constant(null),
  fc.integer({ min: 1, max: 10_000 }).map((basisPoints) => ({ basisPoints })),
  fc.bigInt(1n, 600_000n).map((cents) => ({ cents })),
);

const tiers = fc
  .tuple(
    price,
    fc.uniqueArray(fc.record({ from: fc.integer({ min: 1, max: 900_000 }), priceCents: price }), {
      maxLength: 4,
      selector: ({ from }) => from,
    }),
  )
  .map(([first, more]) => [{ from: 0, priceCents: first }, ...more.toSorted((a, b) => a.from - b.from)]);

const zone = fc.record({
  countries: fc.subarray([...COUNTRIES]),
  basis: fc.constantFrom('weight', 'value') satisfies fc.Arbitrary<'weight' | 'value'>,
  tiers,
  freeFromCents: fc.option(fc.integer({ min: 0, max: 900_000 })),
});

const rates = fc.uniqueArray(
  fc.record({
    country,
    taxClass: fc.constantFrom('standard', 'reduced', 'super-reduced') satisfies fc.Arbitrary<
      'standard' | 'reduced' | 'super-reduced'
    >,
    basisPoints: fc.oneof(fc.constantFrom(1900, 700, 2000, 550, 2500), fc.integer({ min: 0, max: 10_000 })),
  }),
  { maxLength: 12, selector: (rate) => `${rate.country} ${rate.taxClass}` },
);

export const randomCart = fc.record({
  lines: fc.array(line, { minLength: 1, maxLength: 6 }),
  discount,
  country,
  isBusinessWithNumber: fc.boolean(),
  shop: fc.record({
    prices: fc.constantFrom('gross', 'net') satisfies fc.Arbitrary<'gross' | 'net'>,
    home: country,
    hasReverseCharge: fc.boolean(),
    shippingClass: taxClass,
    rates,
    excluded: fc.subarray([...COUNTRIES], { maxLength: 2 }),
    unknownWeight: fc.constantFrom('heaviest', 'refuse') satisfies fc.Arbitrary<'heaviest' | 'refuse'>,
    zones: fc.array(zone, { minLength: 1, maxLength: 3 }),
  }),
  centsPerBtc: fc.bigInt(1_000n, 50_000_000n),
}) satisfies fc.Arbitrary<OracleCart>;
