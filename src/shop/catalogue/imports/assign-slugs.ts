/** Gives the handles of a file the slugs of their products, so that no two have the same. */
import { MAX_SLUG } from '../editing/product-limits.ts';
import { createSlug } from '../editing/suggest-slug.ts';
import { foldHandle } from './read-products.ts';
import type { ProductRows } from './read-products.ts';

const MAX_HANDLE = 255;
/** Of handles without a letter or digit that has a Latin form. */
const NAMELESS = 'product';

export type AssignedSlug =
  /** `isRecorded`: the handle became this product before. */
  | { readonly ok: true; readonly slug: string; readonly isRecorded: boolean }
  /** Why the product can't be imported. */
  | { readonly ok: false; readonly reason: string };

/** What earlier imports recorded. */
export interface KnownHandles {
  /** Slugs of the products that these handles became. They are folded. */
  findSlugs(handles: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Those of these slugs that products have, and whether the product came from a file. */
  findProducts(slugs: readonly string[]): Promise<ReadonlyMap<string, { readonly hasHandle: boolean }>>;
}

type NamedRows = Pick<ProductRows, 'handle' | 'rows'>;

interface Assignment {
  readonly known: KnownHandles;
  /** First lines of the products by their slug. */
  readonly taken: ReadonlyMap<string, number>;
  readonly take: (product: NamedRows, slug: string) => void;
}

interface OpenHandle {
  readonly handle: string;
  readonly base: string;
  number: number;
}

/** A slug without its number keeps room for one. */
function createBase({ handle, rows: [first] }: NamedRows): string {
  return createSlug(handle, MAX_SLUG - 10) || createSlug(first.cells.title ?? '', MAX_SLUG - 10) || NAMELESS;
}

const isSlug = (handle: string): boolean => handle.length <= MAX_SLUG && createSlug(handle, MAX_SLUG) === handle;

/**
 * A handle that is a slug stays one, unless the file has another handle that became this product before. Others are those
 * of the product that they became before, else a new slug, with a number if another handle has it. A product that never had a handle of a file is that of the slug.
 */
export async function assignSlugs(
  products: readonly NamedRows[],
  known: KnownHandles,
): Promise<ReadonlyMap<string, AssignedSlug>> {
  const assigned = new Map<string, AssignedSlug>();
  const taken = new Map<string, number>();
  const take = ({ handle, rows: [first] }: NamedRows, slug: string, isRecorded = false): void => {
    const line = taken.get(slug);
    const reason = `The product of line ${line} has the same URL “${slug}”`;
    assigned.set(handle, line === undefined ? { ok: true, slug, isRecorded } : { ok: false, reason });
    if (line === undefined) taken.set(slug, first.line);
  };
  for (const { handle } of products) {
    const { length } = foldHandle(handle);
    const reason = `The handle has ${length} characters. At most ${MAX_HANDLE} are allowed`;
    if (length > MAX_HANDLE) assigned.set(handle, { ok: false, reason });
  }
  const listOpen = () => products.filter(({ handle }) => !assigned.has(handle));
  const others = listOpen().filter(({ handle }) => !isSlug(foldHandle(handle)));
  const slugs = await known.findSlugs(others.map(({ handle }) => foldHandle(handle)));
  // First, so that no other product of the file takes the URL of one that has it.
  for (const product of others) {
    const slug = slugs.get(foldHandle(product.handle));
    if (slug !== undefined) take(product, slug, true);
  }
  for (const product of listOpen()) if (isSlug(foldHandle(product.handle))) take(product, foldHandle(product.handle));
  await assignNumbers(listOpen(), { known, taken, take });
  return assigned;
}

const formatSlug = ({ base, number }: OpenHandle): string => (number === 1 ? base : `${base}-${number}`);

/** Each round asks for the next number of all handles whose slug was taken. */
async function assignNumbers(products: readonly NamedRows[], { known, taken, take }: Assignment): Promise<void> {
  let open = products.map((product): NamedRows & OpenHandle => ({ ...product, base: createBase(product), number: 1 }));
  /** The next number by base, so that many handles of one base take linear time. */
  const numbers = new Map<string, number>();
  while (open.length > 0) {
    const proposed = new Set<string>();
    for (const one of open) {
      one.number = numbers.get(one.base) ?? 1;
      while (taken.has(formatSlug(one)) || proposed.has(formatSlug(one))) one.number += 1;
      numbers.set(one.base, one.number + 1);
      proposed.add(formatSlug(one));
    }
    const found = await known.findProducts([...proposed]);
    const next: typeof open = [];
    for (const one of open) {
      const product = found.get(formatSlug(one));
      // A product of the editor, or of an import that recorded no handles, is the one that the handle names.
      if (product === undefined || (one.number === 1 && !product.hasHandle)) take(one, formatSlug(one));
      else next.push(one);
    }
    open = next;
  }
}
