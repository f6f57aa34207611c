/**
 * After a pause: a thousand blocks from each source with one payment, compared with reading
 * alone.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { sql } from 'kysely';
import { readAccountKey } from '#src/platform/bitcoin/account-key.ts';
import { DEMO_ACCOUNT_KEY } from '#src/platform/bitcoin/demo-account-key.ts';
import { AdjustableClock } from '#src/platform/process/clock.ts';
import type { Db } from '#src/platform/database/database.ts';
import { BlockPrefetcher } from '#src/shop/payments/chain-sync/block-prefetcher.ts';
import { Payments } from '#src/shop/payments/service.ts';
import { sourceKinds } from './support/chain-sources.ts';
import type { TestedSource } from './support/chain-sources.ts';
import { silentLog, createTestDatabase } from './support/database.ts';
import { issueAddress } from './support/issue-address.ts';

const BLOCKS = 1000;
const SATS = 100_000n;

async function insertOrder(db: Db): Promise<string> {
  const [id, user] = [randomUUID(), randomUUID()];
  await sql`
    insert into users (id, username, username_key, email, email_key, password_hash, created_at)
    values (${user}, 'a', 'a', 'a@example.org', 'a@example.org', '', now())
  `.execute(db);
  await sql`
    insert into orders (id, user_id, payment_status, is_open, billing, total_cents, total_sats, total_after_cents,
      total_after_sats, due_sats, rate_cents_per_btc, rate_evidence, required_confirmations, created_at, expires_at)
    values (${id}, ${user}, 'pending', false, '{}', 1, ${SATS}, 1, ${SATS}, ${SATS}, 1, '{}', 1, now(), now())
  `.execute(db);
  return id;
}

async function walkTheSource({ source }: TestedSource, from: number): Promise<number> {
  const began = performance.now();
  const { height: tip } = await source.readTip();
  const ahead = new BlockPrefetcher(source, tip);
  for (let height = from; height <= tip; height += 1) {
    assert.ok(await ahead.take(height, height));
    ahead.release(height);
  }
  return performance.now() - began;
}

for (const { name, open } of sourceKinds.filter((kind) => kind.name !== 'devchain')) {
  const skip = open === null && 'no bitcoind found: set BITCOIND';
  test(`[PAY-09] catches up a thousand blocks over ${name}`, { skip }, async (context) => {
    const tested = (await open?.()) ?? assert.fail();
    context.after(() => tested.stop());
    const { db } = await createTestDatabase();
    const account = readAccountKey(DEMO_ACCOUNT_KEY, 'regtest');
    assert.ok(account.ok);
    const settled: string[] = [];
    const payments = new Payments({
      db,
      indexDb: db,
      clock: new AdjustableClock(),
      log: silentLog,
      source: tested.source,
      accountKey: account.account,
      listWaitingRecipients: async () => [],
      onLedgerChanged: async (_, recipientIds) => void settled.push(...recipientIds),
      onReconciled: async () => {},
    });
    await payments.sync();
    const { height: before } = tested.devchain.state.tip;
    const id = await insertOrder(db);
    const address = await issueAddress(db, payments, id);
    await tested.devchain.mine(BLOCKS / 2);
    assert.ok((await tested.devchain.pay(address, SATS)).ok);
    await tested.devchain.mine(BLOCKS / 2);
    await tested.follow();

    const alone = await walkTheSource(tested, before + 1);
    const began = performance.now();
    await payments.sync();
    const whole = performance.now() - began;
    context.diagnostic(
      `${BLOCKS} blocks: the source alone ${Math.round(alone)} ms, with the ledger ${Math.round(whole)} ms`,
    );

    const { tip, ledgers } = await payments.readLedgers(db, [id]);
    assert.deepEqual(tip, { height: before + BLOCKS });
    assert.deepEqual(
      ledgers.get(id)?.outputs.map(({ amountSats, height }) => [amountSats, height]),
      [[SATS, before + BLOCKS / 2 + 1]],
    );
    // In its block, and at each later one while an order may depend on its depth.
    assert.equal(settled.length, 1 + 101);
  });
}
