/** Compares what two people changed in the same document, and merges it field by field. */

type Fields = Readonly<Record<string, unknown>>;
type Items = readonly unknown[];

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isItems = (value: unknown): value is Items => Array.isArray(value);

/** Deep equality of form values. A field that is undefined equals a missing one. */
export function isSame(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (isItems(one) && isItems(other))
    return one.length === other.length && one.every((item, at) => isSame(item, other[at]));
  return isFields(one) && isFields(other) && listNames(one, other).every((name) => isSame(one[name], other[name]));
}

const listNames = (...all: readonly Fields[]): readonly string[] => [...new Set(all.flatMap(Object.keys))];

/** Fields that identify an item of a list, the best first. Row keys of a form do not: another load numbers them anew. */
const IDENTITY = ['id', 'country', 'path', 'name', 'from', 'title'] as const;

function identify(item: unknown): string | null {
  if (!isFields(item)) return JSON.stringify(item);
  const name = IDENTITY.find((field) => (item[field] ?? '') !== '');
  return name === undefined ? null : `${name} ${JSON.stringify(item[name])}`;
}

/** The items by their identity; null if one has none, or two have the same. */
function indexItems(items: Items): ReadonlyMap<string, unknown> | null {
  const index = new Map(items.map((item) => [identify(item) ?? '', item]));
  return index.size === items.length && !index.has('') ? index : null;
}

/** Whether each item has its place of before, though it may have been changed. */
const isInPlace = (before: Items, after: Items): boolean =>
  before.length === after.length &&
  after.every((item, at) => isSame(item, before[at]) || before.every((other) => !isSame(item, other)));

/** Rows of a form have a key, which must stay unique. */
const numberRows = (items: Items): Items =>
  items.map((item, key) => (isFields(item) && typeof item['key'] === 'number' ? { ...item, key } : item));

function mergeIndexed(base: ReadonlyMap<string, unknown>, mine: typeof base, theirs: typeof base): Items {
  const isMyOrder = !isSame([...mine.keys()], [...base.keys()]);
  const order = isMyOrder ? [...mine.keys(), ...theirs.keys()] : [...theirs.keys(), ...mine.keys()];
  return [...new Set(order)].flatMap((key) => {
    const [before, my, their] = [base.get(key), mine.get(key), theirs.get(key)];
    if (mine.has(key) && theirs.has(key)) return [mergeChanges(before, my, their)];
    if (!base.has(key)) return [my ?? their];
    // One of both removed it. What I changed stays, and so does what I removed.
    return mine.has(key) && !isSame(before, my) ? [my] : [];
  });
}

function mergeItems(base: Items, mine: Items, theirs: Items): Items {
  if (isInPlace(base, mine) && isInPlace(base, theirs))
    return mine.map((item, at) => mergeChanges(base[at], item, theirs[at]));
  const indexes = [indexItems(base), indexItems(mine), indexItems(theirs)] as const;
  const [before, my, their] = indexes;
  return before === null || my === null || their === null ? mine : numberRows(mergeIndexed(before, my, their));
}

/**
 * Merges two changes of `base`: fields that only they changed are theirs, and fields that I changed stay mine. Items of
 * a list are merged by what identifies them; a list whose items have no identity is one field.
 */
export function mergeChanges<Value>(base: Value, mine: Value, theirs: Value): Value;
export function mergeChanges(base: unknown, mine: unknown, theirs: unknown): unknown {
  if (isSame(mine, base) || isSame(mine, theirs)) return theirs;
  if (isSame(theirs, base)) return mine;
  if (isItems(base) && isItems(mine) && isItems(theirs)) return mergeItems(base, mine, theirs);
  if (!isFields(base) || !isFields(mine) || !isFields(theirs)) return mine;
  // A field of one of both is new, or the other one removed it. What I changed stays, and so does what I removed.
  const isKept = (name: string): boolean =>
    name in mine ? name in theirs || !isSame(base[name], mine[name]) : !(name in base);
  return Object.fromEntries(
    listNames(theirs, mine)
      .filter(isKept)
      .map((name) => [name, name in mine ? mergeChanges(base[name], mine[name], theirs[name]) : theirs[name]]),
  );
}

/** A difference between two values of a document. */
export interface Difference {
  /** Of the field, such as `rates.0.country`. A list whose items were moved, added or removed is one field. */
  readonly path: string;
  readonly before: unknown;
  readonly after: unknown;
}

export function listDifferences(before: unknown, after: unknown, path = ''): readonly Difference[] {
  if (isSame(before, after)) return [];
  const join = (name: string | number): string => (path === '' ? String(name) : `${path}.${name}`);
  if (isItems(before) && isItems(after) && isInPlace(before, after))
    return after.flatMap((item, at) => listDifferences(before[at], item, join(at)));
  if (isFields(before) && isFields(after))
    return listNames(before, after).flatMap((name) => listDifferences(before[name], after[name], join(name)));
  return [{ path, before, after }];
}

/** Whether one path is the other one, or a part of it. */
export const isRelated = (one: string, other: string): boolean =>
  one === other || one.startsWith(`${other}.`) || other.startsWith(`${one}.`) || one === '' || other === '';
