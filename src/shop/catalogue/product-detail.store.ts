/** What the page of a product reads besides the catalogue in memory. */
import { sql } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';
import type { MarkdownToken } from '#src/platform/markdown/markdown-document.ts';
import type { Chapter } from './chapters/chapters.ts';
import { mergeSafety } from './compliance/product-safety.ts';
import type { ProductSafety } from './compliance/product-safety.ts';
import { listShownVariants } from './variants.store.ts';
import type { ShownVariant } from './variants.store.ts';

export interface ShownDetail {
  readonly variants: readonly ShownVariant[];
  /** The parsed Markdown of the description; null without one. */
  readonly elements: readonly MarkdownToken[] | null;
  /** Its own safety information merged with that of its brand; null if none is given. */
  readonly safety: ProductSafety | null;
  /** One thing a line. */
  readonly inTheBox: string;
  readonly chapters: readonly Chapter[];
}

export async function readDetail(db: Db, productId: string): Promise<ShownDetail> {
  const [variants, { ofBrand, ofProduct, ...texts }] = await Promise.all([
    listShownVariants(db, productId),
    findTexts(db, productId),
  ]);
  return { variants, safety: mergeSafety(ofBrand, ofProduct), ...texts };
}

/** The safety information of a brand; null if none is given. */
export async function findBrandSafety(db: Db, brandId: string): Promise<ProductSafety | null> {
  const { rows } = await sql<Pick<Texts, 'ofBrand'>>`
    select safety as "ofBrand" from brands where id = ${brandId}
  `.execute(db);
  return rows[0]?.ofBrand ?? null;
}

interface Texts extends Pick<ShownDetail, 'elements' | 'inTheBox' | 'chapters'> {
  readonly ofBrand: ProductSafety | null;
  readonly ofProduct: ProductSafety | null;
}

async function findTexts(db: Db, productId: string): Promise<Texts> {
  const { rows } = await sql<Texts>`
    select elements, in_the_box as "inTheBox", chapters, brands.safety as "ofBrand", products.safety as "ofProduct"
    from products join brands on brands.id = products.brand_id
    left join product_descriptions on product_descriptions.product_id = products.id
    where products.id = ${productId}
  `.execute(db);
  return rows[0] ?? { elements: null, inTheBox: '', chapters: [], ofBrand: null, ofProduct: null };
}
