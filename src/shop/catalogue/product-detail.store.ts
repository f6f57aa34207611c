/** What the page of a product reads besides the catalogue in memory. */
import { sql } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';
import type { MarkdownToken } from '#src/platform/markdown/markdown-document.ts';
import { listShownVariants } from './variants.store.ts';
import type { ShownVariant } from './variants.store.ts';

export interface ShownDetail {
  readonly variants: readonly ShownVariant[];
  /** The parsed Markdown of the description; null without one. */
  readonly elements: readonly MarkdownToken[] | null;
}

export async function readDetail(db: Db, productId: string): Promise<ShownDetail> {
  const [variants, elements] = await Promise.all([
    listShownVariants(db, productId),
    findDescriptionElements(db, productId),
  ]);
  return { variants, elements };
}

async function findDescriptionElements(db: Db, productId: string): Promise<readonly MarkdownToken[] | null> {
  const { rows } = await sql<{ elements: MarkdownToken[] }>`
    select elements from product_descriptions where product_id = ${productId}
  `.execute(db);
  return rows[0]?.elements ?? null;
}
