/** Refunds of earlier releases after the migrations that give them a value in dollars. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { sql } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';
import { migrate } from '#src/platform/database/migrate.ts';
import { createEmptyDatabase, migrationsDirectory } from '../../../tests/support/database.ts';

/** The newest migration of the release before refunds had a value in dollars. */
const NEWEST_BEFORE = 69;
const [USER, SCRIPT] = [randomUUID(), randomUUID()];

/** An order of 100 dollars and 10,000 satoshis, of which staff accepted 9,000 as full payment. */
async function insertWaivedOrder(db: Db): Promise<string> {
  const id = randomUUID();
  await sql`
    insert into orders (id, user_id, payment_status, is_open, billing, total_cents, total_sats, total_after_cents,
      total_after_sats, due_sats, settled_sats, rate_cents_per_btc, rate_evidence, required_confirmations, created_at,
      expires_at, paid_at)
    values (${id}, ${USER}, 'paid', false, '{}', 10000, 10000, 10000, 10000, 10000, 9000, 100000000, '{}', 1, now(),
      now(), now())
  `.execute(db);
  return id;
}

async function insertRefund(db: Db, orderId: string, sats: number, lineCents: number | null): Promise<void> {
  await sql`
    insert into refunds (id, order_id, covers, debit_sats, amount_sats, refund_script_id, made_by, made_at, state, txid,
      vout, lines_reason, lines_cents, holds_units)
    values (${randomUUID()}, ${orderId}, ${lineCents === null ? 'whole' : 'lines'}, ${sats}, ${sats}, ${SCRIPT}, ${USER},
      clock_timestamp(), 'confirmed', sha256(gen_random_uuid()::text::bytea), 0,
      ${lineCents === null ? null : 'Broken'}, ${lineCents}, ${lineCents !== null})
  `.execute(db);
}

test('[PAY-17] earlier refunds of a waived order count what the buyer paid', async () => {
  const { db } = await createEmptyDatabase();
  await migrate(db, migrationsDirectory, NEWEST_BEFORE);
  await sql`
    insert into users (id, username, username_key, email, email_key, password_hash, created_at)
    values (${USER}, 'ann', 'ann', 'ann@example.com', 'ann@example.com', '-', now())
  `.execute(db);
  await sql`insert into refund_scripts (id, script, address) values (${SCRIPT}, '\\x0014ff', 'an address')`.execute(db);
  const orders = [await insertWaivedOrder(db), await insertWaivedOrder(db), await insertWaivedOrder(db)] as const;
  const [whole, lines, both] = orders;
  await insertRefund(db, whole, 9000, null);
  await insertRefund(db, lines, 2999, 3333);
  await insertRefund(db, lines, 6001, 6667);
  await insertRefund(db, both, 4500, 5000);
  await insertRefund(db, both, 4500, null);

  await migrate(db, migrationsDirectory);

  const { rows } = await sql<{ id: string; refunds: string[]; total: bigint }>`
    select orders.id, orders.refunded_cents as total,
      array(select counted_cents || ' of ' || value_cents || ' for ' || counted_sats || ' sats' from refunds
        where order_id = orders.id order by made_at) as refunds
    from orders where refund_cents = refunded_cents
  `.execute(db);
  const found = new Map(rows.map(({ id, refunds, total }) => [id, [total, ...refunds]]));
  assert.deepEqual(
    orders.map((id) => found.get(id)),
    [
      [9000n, '9000 of 9000 for 9000 sats'],
      [9000n, '2999 of 2999 for 2999 sats', '6001 of 6001 for 6001 sats'],
      [9000n, '4500 of 4500 for 4500 sats', '4500 of 4500 for 4500 sats'],
    ],
  );
});
