/** Counts of units on hand that staff type in the list, until they are saved together. */
import { readUnits } from './stock-form.ts';

interface TypedCount {
  readonly name: string;
  readonly text: string;
  /** Units on hand that the row showed; null: not tracked. */
  readonly seen: number | null;
}

/** By variant id. */
export type TypedCounts = Readonly<Record<string, TypedCount>>;

interface CountedVariant {
  readonly variant_id: string;
  readonly name: string;
  readonly on_hand: number | null;
}

const isStored = (text: string, { on_hand: onHand }: CountedVariant): boolean =>
  text.trim() === (onHand === null ? '' : String(onHand));

/** After the text of a row changed. A row with its stored number is no count. */
export function typeCount(counts: TypedCounts, variant: CountedVariant, text: string): TypedCounts {
  const { variant_id: id, name, on_hand: seen } = variant;
  const others = Object.fromEntries(Object.entries(counts).filter(([other]) => other !== id));
  return isStored(text, variant) ? others : { ...others, [id]: { name, text, seen } };
}

/** After a refusal: the counts of these variants are based on what their rows show now. */
export function rebaseCounts(counts: TypedCounts, variants: readonly CountedVariant[]): TypedCounts {
  return variants.reduce((rebased, variant) => {
    const count = counts[variant.variant_id];
    return count === undefined ? rebased : typeCount(rebased, variant, count.text);
  }, counts);
}

/** Messages by variant id; empty if the counts can be sent. */
export function checkCounts(counts: TypedCounts): Readonly<Record<string, string>> {
  const messages = Object.entries(counts).flatMap(([id, { text }]): [string, string][] => {
    const read = readUnits(text.trim(), 'on_hand');
    return read.ok ? [] : [[id, read.message]];
  });
  return Object.fromEntries(messages);
}

/** The body of the request; counts are in the order of their keys. */
export const toCounts = (counts: TypedCounts) =>
  Object.entries(counts).map(([id, { text, seen }]) => ({ variant_id: id, quantity: Number(text.trim()), seen }));

/** Variant ids of refused counts, from the fields of the refusal such as `counts.2.quantity`. */
export function findRefused(counts: TypedCounts, fields: Readonly<Record<string, string>>): readonly string[] {
  const ids = Object.keys(counts);
  return Object.keys(fields).flatMap((path) => ids[Number(/^counts\.(\d+)\./.exec(path)?.[1] ?? Number.NaN)] ?? []);
}

/** Names the refused counts whose rows are on other pages of the list; empty for none. */
export function nameElsewhere(counts: TypedCounts, refused: readonly string[], shown: ReadonlySet<string>): string {
  const names = refused.filter((id) => !shown.has(id)).map((id) => counts[id]?.name ?? '');
  return names.length === 0 ? '' : ` On other pages of the list: ${names.join(', ')}.`;
}
