import type { ShippingZone } from '#src/shop/shipping/compute-shipping.ts';

type Basis = ShippingZone['basis'];

/** Settings as the API sends them. */
interface Settings {
  readonly zones: {
    name: string;
    countries: string[];
    basis: Basis;
    tiers: { from: number; price_usd: number }[];
    free_from_usd: number | null;
  }[];
  readonly excluded_countries: string[];
}

/** A tier as staff type it: from kilograms or dollars on. */
export interface TierFields {
  readonly from: string;
  readonly price: string;
}

export interface ZoneFields {
  readonly name: string;
  /** For every country that no other zone names. */
  readonly isRest: boolean;
  readonly countries: readonly string[];
  readonly basis: Basis;
  readonly tiers: readonly TierFields[];
  /** Empty: never free. */
  readonly freeFrom: string;
}

export interface ShippingFields {
  readonly zones: readonly ZoneFields[];
  readonly excluded: readonly string[];
}

export const EMPTY_TIER: TierFields = { from: '', price: '' };
export const EMPTY_ZONE: ZoneFields = {
  name: '',
  isRest: false,
  countries: [],
  basis: 'value',
  tiers: [{ from: '0', price: '' }],
  freeFrom: '',
};

/** Messages by field path, such as `zones.0.tiers.1.price`. */
export type FieldProblems = Readonly<Record<string, string>>;

const AMOUNT = 'Enter dollars, such as 4.90.';

/** Thousandths of a number of at most this many decimals; null for anything else. */
function parseThousandths(text: string, decimals: number): number | null {
  const [, whole = '', rest = ''] = /^(\d{1,6})(?:\.(\d{1,3}))?$/.exec(text.trim().replace(/^\$/, '')) ?? [];
  if (whole === '' || rest.length > decimals) return null;
  return Number(whole) * 1000 + Number(rest.padEnd(3, '0'));
}

/** Dollars as a number with cents. */
const parseUsd = (text: string): number | null => {
  const thousandths = parseThousandths(text, 2);
  return thousandths === null ? null : thousandths / 10 / 100;
};

/** Grams of kilograms, or cents of dollars. */
export function parseFrom(text: string, basis: Basis): number | null {
  if (basis === 'weight') return parseThousandths(text, 3);
  const thousandths = parseThousandths(text, 2);
  return thousandths === null ? null : thousandths / 10;
}

const formatFrom = (from: number, basis: Basis): string => String(basis === 'weight' ? from / 1000 : from / 100);

const formatUsd = (usd: number): string => (Number.isInteger(usd) ? String(usd) : usd.toFixed(2));

export const toShippingFields = ({ zones, excluded_countries: excluded }: Settings): ShippingFields => ({
  zones: zones.map(({ name, countries, basis, tiers, free_from_usd: freeFrom }) => ({
    name,
    isRest: countries.length === 0,
    countries,
    basis,
    tiers: tiers.map(({ from, price_usd: price }) => ({ from: formatFrom(from, basis), price: formatUsd(price) })),
    freeFrom: freeFrom === null ? '' : formatUsd(freeFrom),
  })),
  excluded,
});

function findTierProblems({ basis, tiers }: ZoneFields, path: string): FieldProblems {
  const problems: Record<string, string> = {};
  let before = -1;
  for (const [at, { from, price }] of tiers.entries()) {
    const start = at === 0 ? 0 : parseFrom(from, basis);
    if (start === null) {
      problems[`${path}.tiers.${at}.from`] = basis === 'weight' ? 'Enter kilograms, such as 2.5.' : AMOUNT;
    } else if (start <= before) problems[`${path}.tiers.${at}.from`] = 'Must be more than in the price before.';
    else before = start;
    if (parseUsd(price) === null) problems[`${path}.tiers.${at}.price`] = AMOUNT;
  }
  return problems;
}

function findZoneProblems(zone: ZoneFields, at: number, zones: readonly ZoneFields[]): FieldProblems {
  const problems: Record<string, string> = {};
  const path = `zones.${at}`;
  const earlier = zones.slice(0, at);
  const repeated = zone.isRest
    ? []
    : zone.countries.filter((code) => earlier.some((of) => !of.isRest && of.countries.includes(code)));
  if (zone.name.trim() === '') problems[`${path}.name`] = 'Enter a name, such as Europe.';
  else if (earlier.some(({ name }) => name.trim() === zone.name.trim()))
    problems[`${path}.name`] = 'Another zone has this name.';
  if (!zone.isRest && zone.countries.length === 0) problems[`${path}.countries`] = 'Add a country.';
  else if (repeated.length > 0) problems[`${path}.countries`] = `In two zones: ${repeated.join(', ')}.`;
  else if (zone.isRest && earlier.some(({ isRest }) => isRest))
    problems[`${path}.countries`] = 'Another zone is for all other countries.';
  if (zone.freeFrom.trim() !== '' && parseUsd(zone.freeFrom) === null) problems[`${path}.freeFrom`] = AMOUNT;
  return { ...problems, ...findTierProblems(zone, path) };
}

/** The fields as settings, or what is wrong with them. */
export function readShippingFields({
  zones,
  excluded,
}: ShippingFields):
  | { readonly ok: true; readonly settings: Settings }
  | { readonly ok: false; readonly problems: FieldProblems } {
  const problems: FieldProblems = Object.fromEntries(
    zones.flatMap((zone, at) => Object.entries(findZoneProblems(zone, at, zones))),
  );
  if (Object.keys(problems).length > 0) return { ok: false, problems };
  const settings = {
    zones: zones.map(({ name, isRest, countries, basis, tiers, freeFrom }) => ({
      name: name.trim(),
      countries: isRest ? [] : [...countries],
      basis,
      tiers: tiers.map(({ from, price }, at) => ({
        from: at === 0 ? 0 : (parseFrom(from, basis) ?? 0),
        price_usd: parseUsd(price) ?? 0,
      })),
      free_from_usd: parseUsd(freeFrom),
    })),
    excluded_countries: [...excluded],
  };
  return { ok: true, settings };
}
