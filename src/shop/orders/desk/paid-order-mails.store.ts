import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { Db } from '#src/platform/database/database.ts';
import type { PaidOrderMailMode } from './paid-order-mail-mode.ts';

export interface PaidOrderMailSettings {
  readonly mode: PaidOrderMailMode;
  readonly version: number;
}

export async function readSettings(db: Db): Promise<PaidOrderMailSettings> {
  const { rows } = await sql<PaidOrderMailSettings>`select mode, version from paid_order_mail_settings`.execute(db);
  const [settings] = rows;
  if (settings === undefined) throw new Error('the row of paid_order_mail_settings is missing');
  return settings;
}

/** Stores a mode if the version is the present one; false otherwise. */
export async function updateSettings(tx: Db, { mode, version }: PaidOrderMailSettings): Promise<boolean> {
  const { rows } = await sql`
    update paid_order_mail_settings set mode = ${mode}, version = version + 1 where version = ${version} returning mode
  `.execute(tx);
  return rows.length > 0;
}

/** Adds orders to the next hourly mail, each once. */
export async function insertReports(tx: Db, orderIds: readonly string[], at: Date): Promise<void> {
  await sql`
    insert into paid_order_reports (order_id, reported_at)
    select id, ${at} from unnest(${orderIds}::uuid[]) as id on conflict do nothing
  `.execute(tx);
}

/** Assigns all waiting orders to a new mail; null without any. */
export async function claimReports(tx: Db): Promise<string | null> {
  const digestId = uuidv7();
  const { rows } = await sql`
    update paid_order_reports set digest_id = ${digestId} where digest_id is null returning order_id
  `.execute(tx);
  return rows.length === 0 ? null : digestId;
}

export async function deleteReportsBefore(db: Db, time: Date): Promise<void> {
  await sql`delete from paid_order_reports where digest_id is not null and reported_at < ${time}`.execute(db);
}

/** Orders of an hourly mail, in the order of their ids, with their number. */
export async function listReported(
  db: Db,
  digestId: string,
  limit: number,
): Promise<{ readonly ids: readonly string[]; readonly total: number }> {
  const { rows } = await sql<{ id: string; total: number }>`
    select order_id as id, count(*) over ()::int as total from paid_order_reports
    where digest_id = ${digestId} order by order_id limit ${limit}
  `.execute(db);
  return { ids: rows.map(({ id }) => id), total: rows[0]?.total ?? 0 };
}
