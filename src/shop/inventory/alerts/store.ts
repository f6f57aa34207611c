/** Requests of customers for a mail when a variant is back in stock. */
import { sql } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';

const MAX_ALERTS = 50;

export interface AlertRow {
  readonly id: string;
  readonly variantId: string;
  readonly createdAt: Date;
}

/** Serializes the alerts of a user until the transaction ends. False if the account is deleted. */
export async function lockUser(tx: Db, userId: string): Promise<boolean> {
  const { rows } = await sql`
    select id from users where id = ${userId} and deleted_at is null for no key update
  `.execute(tx);
  return rows.length > 0;
}

/** Whether a customer can order the variant. Null if it is not on sale. */
export async function readOrderability(db: Db, variantId: string): Promise<'in-stock' | 'sold-out' | null> {
  const { rows } = await sql<{ isInStock: boolean }>`
    select coalesce(stock.available > 0, true) as "isInStock"
    from variants_on_sale variant left join variant_stock stock on stock.variant_id = variant.id
    where variant.id = ${variantId}
  `.execute(db);
  const [found] = rows;
  if (!found) return null;
  return found.isInStock ? 'in-stock' : 'sold-out';
}

/**
 * Opens the alert of a user for a variant: a new one, or the one that was mailed before. Null if all slots are
 * taken. Requires the lock on the user.
 */
export async function openAlert(
  tx: Db,
  alert: AlertRow & { readonly userId: string },
): Promise<Omit<AlertRow, 'variantId'> | null> {
  const { id, userId, variantId, createdAt } = alert;
  const { rows } = await sql<Omit<AlertRow, 'variantId'>>`
    insert into stock_alerts (id, user_id, variant_id, slot, created_at)
    select ${id}, ${userId}, ${variantId}, coalesce(
      (select slot from stock_alerts where user_id = ${userId} and variant_id = ${variantId}),
      (select min(slot) from generate_series(1, ${MAX_ALERTS}) slot
        where slot not in (select slot from stock_alerts where user_id = ${userId}))
    ), ${createdAt}
    where exists (select from stock_alerts where user_id = ${userId} and variant_id = ${variantId})
      or (select count(*) from stock_alerts where user_id = ${userId}) < ${MAX_ALERTS}
    on conflict (user_id, variant_id) do update set
      claimed_at = null,
      attempt = stock_alerts.attempt + (stock_alerts.claimed_at is not null)::integer
    returning id, created_at as "createdAt"
  `.execute(tx);
  return rows[0] ?? null;
}

/** False if the user has no such alert. */
export async function deleteAlert(db: Db, userId: string, id: string): Promise<boolean> {
  const { rows } = await sql`delete from stock_alerts where id = ${id} and user_id = ${userId} returning id`.execute(
    db,
  );
  return rows.length > 0;
}

export async function deleteAlertsOf(tx: Db, userId: string): Promise<void> {
  await sql`delete from stock_alerts where user_id = ${userId}`.execute(tx);
}

/** Open alerts, newest first. */
export async function listAlerts(db: Db, userId: string): Promise<readonly AlertRow[]> {
  const { rows } = await sql<AlertRow>`
    select id, variant_id as "variantId", created_at as "createdAt" from stock_alerts
    where user_id = ${userId} and claimed_at is null order by created_at desc, id desc
  `.execute(db);
  return rows;
}

export interface ClaimedAlert {
  readonly id: string;
  readonly attempt: number;
}

/** Claims the next open alerts whose variant can be ordered. Each is claimed by one process. */
export async function claimAlerts(tx: Db, now: Date, limit: number): Promise<readonly ClaimedAlert[]> {
  const { rows } = await sql<ClaimedAlert>`
    update stock_alerts set claimed_at = ${now}
    where id in (
      select alert.id from stock_alerts alert
      join variants_on_sale variant on variant.id = alert.variant_id
      left join variant_stock stock on stock.variant_id = alert.variant_id
      where alert.claimed_at is null and coalesce(stock.available > 0, true)
      order by alert.id limit ${limit}
      for update of alert skip locked
    )
    returning id, attempt
  `.execute(tx);
  return rows;
}

/** A claimed alert whose mail is due. Null if it was withdrawn or opened again. */
export async function findClaimed(
  db: Db,
  id: string,
  attempt: number,
): Promise<{ readonly userId: string; readonly variantId: string } | null> {
  const { rows } = await sql<{ userId: string; variantId: string }>`
    select user_id as "userId", variant_id as "variantId" from stock_alerts
    where id = ${id} and attempt = ${attempt} and claimed_at is not null
  `.execute(db);
  return rows[0] ?? null;
}

/** Opens a claimed alert again, whose variant was sold out before the mail was written. */
export async function reopenAlert(db: Db, id: string, attempt: number): Promise<void> {
  await sql`
    update stock_alerts set claimed_at = null, attempt = attempt + 1
    where id = ${id} and attempt = ${attempt} and claimed_at is not null
  `.execute(db);
}

export async function deleteClaimedBefore(db: Db, before: Date): Promise<void> {
  await sql`delete from stock_alerts where claimed_at < ${before}`.execute(db);
}
