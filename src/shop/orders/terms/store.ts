/** Texts that orders were placed under. */
import { sql } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';
import type { TermsContent } from './terms-content.ts';

export interface TermsToStore {
  readonly digest: Buffer;
  /** Version of the terms; null: none was published. */
  readonly number: number | null;
  readonly content: TermsContent;
}

export interface TermsRow extends TermsToStore {
  readonly storedAt: Date;
}

/** Stores those that are not stored yet. */
export async function storeTerms(db: Db, terms: readonly TermsToStore[], at: Date): Promise<void> {
  const { rows } = await sql<{ digest: Buffer }>`
    select digest from order_terms where digest = any(${terms.map(({ digest }) => digest)}::bytea[])
  `.execute(db);
  for (const { content, digest, number } of terms) {
    if (rows.some((row) => row.digest.equals(digest))) continue;
    await sql`
      insert into order_terms (digest, terms_number, content, stored_at)
      values (${digest}, ${number}, ${JSON.stringify(content)}, ${at})
      on conflict (digest) do nothing
    `.execute(db);
  }
}

/**
 * The texts of an order; `terms` is null if it has none. Null without such an order.
 * @param userId of the buyer; null: of any
 */
export async function findTermsOfOrder(
  db: Db,
  orderId: string,
  userId: string | null,
): Promise<{ readonly terms: TermsRow | null } | null> {
  const { rows } = await sql<{
    digest: Buffer | null;
    number: number | null;
    content: TermsContent | null;
    stored_at: Date | null;
  }>`
    select stored.digest, stored.terms_number as number, stored.content, stored.stored_at
    from orders left join order_terms stored on stored.digest = orders.terms_digest
    where orders.id = ${orderId} and (${userId}::uuid is null or orders.user_id = ${userId}::uuid)
  `.execute(db);
  const [row] = rows;
  if (row === undefined) return null;
  const { content, digest, number, stored_at: storedAt } = row;
  return { terms: digest && content && storedAt && { digest, number, content, storedAt } };
}
