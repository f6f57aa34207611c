import type { Billing } from '../../contract.ts';
import { isPhoneNumber } from '#src/shop/phone-number.ts';
import { getPostcodeUse, isPostcode, NONE } from '#src/shop/postcodes.ts';
import { findRegion, listCountries, regionNames } from '#src/shop/regions.ts';
import type { RegionName } from '#src/shop/regions.ts';

type Optional = 'phone' | 'note' | 'vatNumber';
export type Draft = Readonly<Record<keyof Billing, string>>;

export const EMPTY_DRAFT: Draft = {
  firstName: '',
  lastName: '',
  region: '',
  country: '',
  streetAddress: '',
  houseNumber: '',
  city: '',
  postcode: '',
  phone: '',
  note: '',
  vatNumber: '',
};

const MAX_LINE = 100;
const MAX_LENGTHS: Partial<Record<keyof Draft, number>> = { phone: 40, vatNumber: 20, note: 500 };
/** What is stored of a field that is too long, so that it can be shortened. */
const MAX_STORED = 5000;

export const getMaxLength = (name: keyof Draft): number => MAX_LENGTHS[name] ?? MAX_LINE;

const isOptional = (name: string): name is Optional => name === 'phone' || name === 'note' || name === 'vatNumber';

export const isRegion = (text: string): text is RegionName => regionNames.some((name) => name === text);

/** Codes of the countries that the shop delivers to; null: all. */
export type DeliveryCountries = readonly string[] | null;

/** Countries of a region that the shop delivers to. */
export const listOffered = (region: RegionName, delivered: DeliveryCountries) =>
  listCountries(region).filter(({ code }) => delivered === null || delivered.includes(code));

/** Whether a field is valid and filled in as required. */
export function isFilled(
  name: keyof Draft,
  { [name]: text, country, region }: Draft,
  delivered: DeliveryCountries = null,
): boolean {
  if (text.trim().length > getMaxLength(name)) return false;
  if (name === 'phone') return text.trim() === '' || isPhoneNumber(text);
  if (isOptional(name)) return true;
  if (name === 'region') return isRegion(text);
  if (name === 'country') return isRegion(region) && listOffered(region, delivered).some(({ code }) => code === text);
  if (text.trim() === '') return false;
  return name !== 'postcode' || country === '' || isPostcode(text, country);
}

/** The change of a field, with what follows from it: the region from the country, and no postcode where there is none. */
export function followChange(draft: Draft, name: keyof Draft, value: string): Partial<Draft> {
  if (name === 'region') return { region: value, country: '', ...followCountry(draft, '') };
  if (name !== 'country') return { [name]: value };
  return { country: value, region: findRegion(value) ?? draft.region, ...followCountry(draft, value) };
}

function followCountry({ country: before, postcode }: Draft, country: string): Partial<Draft> {
  const hasNone = country !== '' && getPostcodeUse(country) === 'none';
  if (hasNone) return { postcode: NONE };
  // The hyphen was of the former country.
  return postcode === NONE && getPostcodeUse(before) === 'none' ? { postcode: '' } : {};
}

/**
 * The draft as billing details; null while a required field is missing. Without a VAT number, which
 * only some shops and countries accept.
 */
export function toBilling(
  { phone, note, vatNumber, ...draft }: Draft,
  delivered: DeliveryCountries = null,
): Billing | null {
  const { region } = draft;
  const all = { ...draft, phone, note, vatNumber };
  const names = Object.keys(EMPTY_DRAFT).filter((name): name is keyof Draft => Object.hasOwn(EMPTY_DRAFT, name));
  if (!isRegion(region) || !names.every((name) => isFilled(name, all, delivered))) return null;
  return {
    ...draft,
    region,
    ...(phone.trim() !== '' && { phone }),
    ...(note.trim() !== '' && { note }),
  };
}

function parseStored(text: string): object {
  try {
    const stored: unknown = JSON.parse(text);
    return typeof stored === 'object' && stored !== null ? stored : {};
  } catch {
    return {};
  }
}

/** Id of the account that typed a stored draft; null if it names none. */
export function readAuthor(text: string): string | null {
  const stored = parseStored(text);
  return 'author' in stored && typeof stored.author === 'string' ? stored.author : null;
}

/** Parses a stored draft; drops unknown and too long fields. */
export function readTyped(text: string): Partial<Draft> {
  const fields = Object.entries(parseStored(text)).filter(
    ([name, value]) => Object.hasOwn(EMPTY_DRAFT, name) && typeof value === 'string' && value.length <= MAX_STORED,
  );
  return Object.fromEntries(fields);
}

interface Place {
  readonly region: string;
  readonly country: string;
}

/**
 * BILL-04: initial values from the last order, without its note, and from the visitor's chosen
 * country. Skips a last address in another country.
 */
export function createFirstDraft(last: Billing | null, place: Place | null): Draft {
  if (last === null) return { ...EMPTY_DRAFT, ...startIn(place) };
  if (place === null || place.country === last.country) {
    return { ...EMPTY_DRAFT, ...last, phone: last.phone ?? '', note: '', vatNumber: last.vatNumber ?? '' };
  }
  const { firstName, lastName, phone = '' } = last;
  return { ...EMPTY_DRAFT, firstName, lastName, phone, ...startIn(place) };
}

function startIn(place: Place | null): Partial<Draft> {
  if (place === null) return {};
  return { region: place.region, country: place.country, ...followCountry(EMPTY_DRAFT, place.country) };
}
