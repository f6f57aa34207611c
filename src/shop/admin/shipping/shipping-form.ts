import { parseAmount } from '#src/shop/parse-amount.ts';
import type { ShippingZone, UnknownWeightRule } from '#src/shop/shipping/compute-shipping.ts';
import type { ShippingSettingsBody } from '#src/shop/shipping/contract.ts';

type Basis = ShippingZone['basis'];

type Settings = Omit<ShippingSettingsBody, 'version'>;

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
  readonly unknownWeight: UnknownWeightRule;
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

type ReadUnits = { readonly ok: true; readonly units: number } | { readonly ok: false; readonly problem: string };

/** Less than a million kilograms or dollars. */
function read(text: string, decimals: 2 | 3): ReadUnits {
  const parsed = parseAmount(text, { decimals, unit: '$' });
  if (parsed.ok && parsed.units < 10n ** BigInt(6 + decimals)) return { ok: true, units: Number(parsed.units) };
  const advice = parsed.ok ? null : parsed.advice;
  const otherwise = decimals === 3 ? 'Enter kilograms, such as 2.5.' : AMOUNT;
  return { ok: false, problem: advice === null ? otherwise : `${advice}.` };
}

const parseUsd = (text: string): number | null => {
  const cents = read(text, 2);
  return cents.ok ? cents.units / 100 : null;
};

/** Grams of kilograms, or cents of dollars. */
export const readFrom = (text: string, basis: Basis): ReadUnits => read(text, basis === 'weight' ? 3 : 2);

/** With four decimals instead of three, which could be thousands. */
const formatFrom = (from: number, basis: Basis): string => {
  const text = String(basis === 'weight' ? from / 1000 : from / 100);
  return /\.\d{3}$/.test(text) ? `${text}0` : text;
};

const formatUsd = (usd: number): string => (Number.isInteger(usd) ? String(usd) : usd.toFixed(2));

export const toShippingFields = ({
  zones,
  excluded_countries: excluded,
  unknown_weight: unknownWeight = 'heaviest',
}: Settings): ShippingFields => ({
  zones: zones.map(({ name, countries, basis, tiers, free_from_usd: freeFrom }) => ({
    name,
    isRest: countries.length === 0,
    countries,
    basis,
    tiers: tiers.map(({ from, price_usd: price }) => ({ from: formatFrom(from, basis), price: formatUsd(price) })),
    freeFrom: freeFrom === null ? '' : formatUsd(freeFrom),
  })),
  excluded,
  unknownWeight,
});

function findTierProblems({ basis, tiers }: ZoneFields, path: string): FieldProblems {
  const problems: Record<string, string> = {};
  let before = -1;
  for (const [at, { from, price }] of tiers.entries()) {
    const start = at === 0 ? { ok: true as const, units: 0 } : readFrom(from, basis);
    if (!start.ok) problems[`${path}.tiers.${at}.from`] = start.problem;
    else if (start.units <= before) problems[`${path}.tiers.${at}.from`] = 'Must be more than in the price before.';
    else before = start.units;
    const costs = read(price, 2);
    if (!costs.ok) problems[`${path}.tiers.${at}.price`] = costs.problem;
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
  const freeFrom = read(zone.freeFrom, 2);
  if (zone.freeFrom.trim() !== '' && !freeFrom.ok) problems[`${path}.freeFrom`] = freeFrom.problem;
  return { ...problems, ...findTierProblems(zone, path) };
}

/** The fields as settings, or what is wrong with them. */
export function readShippingFields({
  zones,
  excluded,
  unknownWeight,
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
      tiers: tiers.map(({ from, price }, at) => {
        const start = readFrom(from, basis);
        return { from: at > 0 && start.ok ? start.units : 0, price_usd: parseUsd(price) ?? 0 };
      }),
      free_from_usd: parseUsd(freeFrom),
    })),
    excluded_countries: [...excluded],
    unknown_weight: unknownWeight,
  };
  return { ok: true, settings };
}
