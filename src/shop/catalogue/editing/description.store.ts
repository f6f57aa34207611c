import { sql } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';
import type { MarkdownToken } from '#src/platform/markdown/markdown-document.ts';

/** Call after the plain text was written, which deletes the Markdown of another text. */
export async function writeMarkdown(
  tx: Db,
  productId: string,
  markdown: string | null,
  elements: readonly MarkdownToken[] | null,
): Promise<void> {
  if (markdown === null || elements === null) {
    await sql`delete from product_descriptions where product_id = ${productId}`.execute(tx);
    return;
  }
  await sql`
    insert into product_descriptions (product_id, markdown, elements)
    values (${productId}, ${markdown}, ${JSON.stringify(elements)}::json)
    on conflict (product_id) do update set markdown = excluded.markdown, elements = excluded.elements
  `.execute(tx);
}
