/** Documents after their retention period. */
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';

export interface OldDocument {
  readonly id: string;
  readonly orderId: string;
  readonly fullNumber: string;
  readonly issuedAt: Date;
}

export interface DocumentPage {
  readonly limit: number;
  /** The last document of the page before; null: the first page. */
  readonly after: Pick<OldDocument, 'id' | 'issuedAt'> | null;
}

/** Issued before this moment, of an order without a later document or one that is still to be issued. */
const isOld = (before: Date): RawBuilder<unknown> => sql`
  erased_at is null and issued_at < ${before}
  and not exists (select from invoices later where later.order_id = invoices.order_id and later.issued_at >= ${before})
  and not exists (select from invoice_requests request where request.order_id = invoices.order_id)
`;

/** The oldest first. */
export async function listOldDocuments(
  db: Db,
  before: Date,
  { limit, after }: DocumentPage,
): Promise<readonly OldDocument[]> {
  const isLater =
    after === null ? sql`true` : sql`(issued_at, id) > (${after.issuedAt}::timestamptz, ${after.id}::uuid)`;
  const { rows } = await sql<OldDocument>`
    select id, order_id as "orderId", full_number as "fullNumber", issued_at as "issuedAt" from invoices
    where ${isOld(before)} and ${isLater} order by invoices.issued_at, invoices.id limit ${limit}
  `.execute(db);
  return rows;
}

export async function countOldDocuments(db: Db, before: Date, limit: number): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*)::integer as total from (select from invoices where ${isOld(before)} limit ${limit}) old
  `.execute(db);
  return rows[0]?.total ?? 0;
}

/** Erases buyer and content of the documents of orders. Returns how many there were. */
export async function eraseDocuments(tx: Db, orderIds: readonly string[], at: Date): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    update invoices set buyer_name = '', content = '{}', erased_at = ${at}
    where order_id = any(${orderIds}::uuid[]) and erased_at is null
  `.execute(tx);
  return Number(numAffectedRows);
}
