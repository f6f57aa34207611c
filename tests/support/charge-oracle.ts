/**
 * Shipping and tax of a cart, computed a second time from the texts of decision 40 with exact
 * fractions. Shares no code with the shop.
 */

/** n / d with d > 0. */
interface Fraction {
  readonly n: bigint;
  readonly d: bigint;
}

const whole = (n: bigint): Fraction => ({ n, d: 1n });
const times = (a: Fraction, b: Fraction): Fraction => ({ n: a.n * b.n, d: a.d * b.d });
const plus = (a: Fraction, b: Fraction): Fraction => ({ n: a.n * b.d + b.n * a.d, d: a.d * b.d });
const minus = (a: Fraction, b: Fraction): Fraction => plus(a, { n: -b.n, d: b.d });
const over = (a: Fraction, b: Fraction): Fraction => ({ n: a.n * b.d, d: a.d * b.n });
/** Of an amount ≥ 0. */
const floor = ({ n, d }: Fraction): bigint => n / d;
const ceil = ({ n, d }: Fraction): bigint => (n % d === 0n ? n / d : n / d + 1n);
const round = (amount: Fraction): bigint => floor(plus(amount, { n: 1n, d: 2n }));
const isLess = (a: Fraction, b: Fraction): boolean => a.n * b.d < b.n * a.d;
const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((all, amount) => all + amount, 0n);

export interface OracleLine {
  readonly unitCents: bigint;
  readonly quantity: number;
  readonly isGift: boolean;
  readonly taxClass: 'standard' | 'reduced' | 'super-reduced' | 'zero';
  readonly grams: number | null;
}

export interface OracleCart {
  readonly lines: readonly OracleLine[];
  readonly discount: { readonly basisPoints: number } | { readonly cents: bigint } | null;
  readonly country: string;
  readonly isBusinessWithNumber: boolean;
  readonly shop: {
    readonly prices: 'gross' | 'net';
    readonly home: string;
    readonly hasReverseCharge: boolean;
    readonly shippingClass: OracleLine['taxClass'];
    readonly rates: readonly { readonly country: string; readonly taxClass: string; readonly basisPoints: number }[];
    readonly excluded: readonly string[];
    readonly unknownWeight: 'heaviest' | 'refuse';
    readonly zones: readonly {
      readonly countries: readonly string[];
      readonly basis: 'weight' | 'value';
      readonly tiers: readonly { readonly from: number; readonly priceCents: number }[];
      readonly freeFromCents: number | null;
    }[];
  };
  readonly centsPerBtc: bigint;
}

interface OracleLineResult {
  readonly discount: bigint;
  readonly net: bigint;
  readonly tax: bigint;
  readonly gross: bigint;
}

export interface OracleResult {
  readonly isDelivered: boolean;
  readonly isWeightMissing: boolean;
  readonly shipping: bigint;
  /** Shipping last. */
  readonly lines: readonly OracleLineResult[];
  readonly total: bigint;
  readonly tax: bigint;
  readonly shippingSats: bigint;
  readonly addedSats: bigint;
}

const EUROPEAN_UNION = 'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'.split(' ');

const inUnion = (code: string): boolean => EUROPEAN_UNION.includes(code);

/** "The zone that names the country, otherwise the zone for all others; none for excluded countries." */
function chooseZone({ country, shop }: OracleCart) {
  if (shop.excluded.some((code) => code === country)) return null;
  for (const zone of shop.zones) if (zone.countries.some((code) => code === country)) return zone;
  for (const zone of shop.zones) if (zone.countries.length === 0) return zone;
  return null;
}

/** "Each line gets its share rounded down; the cents that remain go to the largest fractions, the first line first." */
function spread(total: bigint, amounts: readonly bigint[]): bigint[] {
  const all = sum(amounts);
  if (all === 0n) return amounts.map(() => 0n);
  const exact = amounts.map((amount) => over(times(whole(total), whole(amount)), whole(all)));
  const shares = exact.map(floor);
  for (let left = total - sum(shares); left > 0n; left -= 1n) {
    let best = -1;
    for (const [index, share] of exact.entries()) {
      const fraction = minus(share, whole(shares[index] ?? 0n));
      const present = best === -1 ? null : minus(exact[best] ?? whole(0n), whole(shares[best] ?? 0n));
      if (present === null || isLess(present, fraction)) best = index;
    }
    shares[best] = (shares[best] ?? 0n) + 1n;
  }
  return shares;
}

/** "Percentages round to the nearest cent, halves up; an amount never takes off more than there is." */
function discountGoods({ discount }: OracleCart, subtotal: bigint): bigint {
  if (discount === null) return subtotal;
  if ('cents' in discount) return subtotal > discount.cents ? subtotal - discount.cents : 0n;
  return round(times(whole(subtotal), { n: BigInt(10_000 - discount.basisPoints), d: 10_000n }));
}

/**
 * "A class without a rate has the country's standard rate; zero is 0." "A country of the European Union without rates
 * has those of the shop's country, if that is in the union; every other country without rates has no tax."
 */
function findRate({ country, shop }: OracleCart, taxClass: string): Fraction {
  if (taxClass === 'zero') return whole(0n);
  const isNamed = shop.rates.some((rate) => rate.country === country);
  const taxedBy = !isNamed && inUnion(country) && inUnion(shop.home) ? shop.home : country;
  const own = shop.rates.filter((rate) => rate.country === taxedBy);
  const found = own.find((rate) => rate.taxClass === taxClass) ?? own.find((rate) => rate.taxClass === 'standard');
  return { n: BigInt(found?.basisPoints ?? 0), d: 10_000n };
}

function taxLine(cart: OracleCart, listed: bigint, amount: bigint, taxClass: string, isReversed: boolean) {
  const rate = findRate(cart, taxClass);
  const isGross = cart.shop.prices === 'gross';
  const share = isGross ? over(rate, plus(whole(1n), rate)) : rate;
  const tax = round(times(whole(amount), share));
  const net = isGross ? amount - tax : amount;
  const charged = isReversed ? 0n : tax;
  return { discount: listed - amount, net, tax: charged, gross: net + charged };
}

/** "In bitcoin: converted at the rate of the order, rounded up to 100 sats." */
const toSats = (cents: bigint, rate: bigint): bigint =>
  ceil(over(times(whole(cents), whole(100_000_000n)), whole(rate * 100n))) * 100n;

export function chargeByRules(cart: OracleCart): OracleResult {
  const listed = cart.lines.map(({ isGift, quantity, unitCents }) => (isGift ? 0n : unitCents * BigInt(quantity)));
  const goods = discountGoods(cart, sum(listed));
  const zone = chooseZone(cart);
  let shipping = 0n;
  let isWeightMissing = false;
  if (zone !== null && cart.lines.some(({ isGift }) => !isGift)) {
    const grams = cart.lines.reduce((all, line) => all + line.quantity * (line.grams ?? 0), 0);
    // "An order with a product of unknown weight has the price of the heaviest, or is refused."
    const isUnknown = zone.basis === 'weight' && cart.lines.some((line) => line.grams === null);
    for (const { from, priceCents } of zone.tiers) {
      const measure = zone.basis === 'weight' ? BigInt(grams) : goods;
      if (isUnknown || measure >= BigInt(from)) shipping = BigInt(priceCents);
    }
    const differs = new Set(zone.tiers.map(({ priceCents }) => priceCents)).size > 1;
    isWeightMissing = isUnknown && differs && cart.shop.unknownWeight === 'refuse';
    if (zone.freeFromCents !== null && goods >= BigInt(zone.freeFromCents)) {
      shipping = 0n;
      isWeightMissing = false;
    }
  }
  const { shop, country } = cart;
  const isReversed =
    shop.hasReverseCharge &&
    cart.isBusinessWithNumber &&
    inUnion(shop.home) &&
    inUnion(country) &&
    country !== shop.home;
  const amounts = spread(goods, listed);
  const lines = [
    ...cart.lines.map(({ taxClass }, at) => taxLine(cart, listed[at] ?? 0n, amounts[at] ?? 0n, taxClass, isReversed)),
    taxLine(cart, shipping, shipping, shop.shippingClass, isReversed),
  ];
  const total = sum(lines.map(({ gross }) => gross));
  return {
    isDelivered: zone !== null,
    isWeightMissing,
    shipping,
    lines,
    total,
    tax: sum(lines.map(({ tax }) => tax)),
    shippingSats: toSats(shipping, cart.centsPerBtc),
    addedSats: total > goods + shipping ? toSats(total - goods - shipping, cart.centsPerBtc) : 0n,
  };
}
