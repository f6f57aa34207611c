/** What the field for values of a property offers for a typed text. */
import { findSame, findValues, splitNames } from './category-values.ts';

export interface OfferedValue {
  readonly id: string;
  readonly value: string;
}

export interface Choice {
  /** Null: the typed names. */
  readonly id: string | null;
  readonly text: string;
}

interface Offer {
  /** All values of the property. */
  readonly values: readonly OfferedValue[];
  /** Their ids. */
  readonly chosen: ReadonlySet<string>;
}

const MAX_VALUE = 80;

const listQuoted = (names: readonly string[]): string => names.map((name) => `“${name}”`).join(', ');

/** The typed names that can be added together; empty if one of them is too long. */
export function listAddable({ values, chosen }: Offer, typed: string): readonly string[] {
  const names = splitNames(typed);
  // The name of a value may have a comma.
  if (findSame(values, typed) !== undefined || names.some(({ length }) => length > MAX_VALUE)) return [];
  // A single one that exists is a choice of its own.
  const isNewOrOneOf = (name: string): boolean => names.length > 1 || findSame(values, name) === undefined;
  return names.filter((name) => !chosen.has(findSame(values, name)?.id ?? '') && isNewOrOneOf(name));
}

function describeAddable({ values }: Offer, names: readonly string[]): string {
  const known = names.filter((name) => findSame(values, name) !== undefined);
  const created = names.filter((name) => !known.includes(name));
  if (known.length === 0) return `Create ${listQuoted(created)}`;
  return created.length === 0 ? `Add ${listQuoted(known)}` : `Add ${listQuoted(known)}, create ${listQuoted(created)}`;
}

/** Values that can be added; last, the typed names. */
export function listChoices(offer: Offer, typed: string): readonly Choice[] {
  const free = offer.values.filter(({ id }) => !offer.chosen.has(id));
  const names = splitNames(typed);
  const [only = ''] = names;
  const whole = names.length === 0 ? free : findValues(free, typed);
  const found = whole.length === 0 && names.length === 1 ? findValues(free, only) : whole;
  const choices = found.map(({ id, value }) => ({ id, text: value }));
  const addable = listAddable(offer, typed);
  return addable.length === 0 ? choices : [...choices, { id: null, text: describeAddable(offer, addable) }];
}

/** Why there is no choice. */
export function describeNone({ values, chosen }: Offer, typed: string): string {
  const whole = findSame(values, typed);
  const names = whole === undefined ? splitNames(typed) : [whole.value];
  const same = names.flatMap((name) => findSame(values, name) ?? []).filter(({ id }) => chosen.has(id));
  if (names.some(({ length }) => length > MAX_VALUE)) return `At most ${MAX_VALUE} characters.`;
  if (same.length === 0) return 'All values are chosen. Type the name of a new one.';
  return `${same.map(({ value }) => value).join(', ')} ${same.length === 1 ? 'is' : 'are'} chosen already.`;
}

/** A text from which `splitNames` reads these names. */
function joinNames(names: readonly string[]): string {
  if (!names.some((name) => /[,;]/.test(name))) return names.join(', ');
  return names.length === 1 ? `${names.join()};` : names.join('; ');
}

/** Two typed texts as one, whose names are those of both. */
export const joinTyped = (earlier: string, later: string): string =>
  joinNames([earlier, later].flatMap((typed) => splitNames(typed)));

/** The typed text with lines and cells of a copied one as names of their own. A text field would join them. */
export function insertLines(
  typed: string,
  copied: string,
  { start, end }: { readonly start: number; readonly end: number },
): string {
  // Each part has the separator of the whole.
  const separator = typed.includes(';') ? ';' : '';
  const [before, after] = [typed.slice(0, start), typed.slice(end)].map((part) => splitNames(`${part}${separator}`));
  return joinNames([...(before ?? []), ...copied.trim().split(/\s*[\r\n\t]+\s*/), ...(after ?? [])]);
}
