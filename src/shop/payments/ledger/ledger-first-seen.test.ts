/** Arrival times of payments found after downtime, on the real ledger and a devchain. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { sql } from 'kysely';
import { readAccountKey } from '#src/platform/bitcoin/account-key.ts';
import type { ChainSource } from '#src/platform/bitcoin/chain-source.ts';
import { DEMO_ACCOUNT_KEY } from '#src/platform/bitcoin/demo-account-key.ts';
import { createDevchainSource } from '#src/shop/demo/devchain/devchain-source.ts';
import { Devchain } from '#src/shop/demo/devchain/devchain.ts';
import { getBitcoinNetwork } from '#src/platform/bitcoin/network.ts';
import { silentLog, createTestDatabase } from '../../../../tests/support/database.ts';
import { Payments } from '../service.ts';
import { issueAddress } from '../../../../tests/support/issue-address.ts';

const HOUR = 3_600_000;

async function setUp(change: Partial<ChainSource> = {}) {
  const { db } = await createTestDatabase();
  const clock = { at: Date.now(), now: () => new Date(clock.at) };
  const network = getBitcoinNetwork('regtest');
  const devchain = await Devchain.open({ db, clock, log: silentLog, network, autoMine: false });
  const read = readAccountKey(DEMO_ACCOUNT_KEY, 'regtest', 'p2wpkh');
  assert.ok(read.ok);
  const [user, orderId] = [randomUUID(), randomUUID()];
  await sql`insert into users (id, username, username_key, email, email_key, password_hash, created_at)
    values (${user}, 'a', 'a', 'a@example.org', 'a@example.org', '', now())`.execute(db);
  await sql`insert into orders (id, user_id, payment_status, is_open, billing, total_cents, total_sats, total_after_cents,
      total_after_sats, due_sats, rate_cents_per_btc, rate_evidence, required_confirmations, created_at, expires_at)
    values (${orderId}, ${user}, 'pending', false, '{}', 1, 100000, 1, 100000, 100000, 1, '{}', 1, now(), now())`.execute(
    db,
  );
  const open = (): Payments =>
    new Payments({
      db,
      indexDb: db,
      clock,
      log: silentLog,
      source: { ...createDevchainSource(devchain), ...change },
      accountKey: read.account,
      listWaitingRecipients: async () => [],
      onLedgerChanged: async () => {},
      onReconciled: async () => {},
    });
  const payments = open();
  const address = await issueAddress(db, payments, orderId);
  await payments.sync();
  const lastLook = clock.at;
  /** The shop is down for two hours; a payment is sent after half an hour. */
  const restartAfterPayment = async (blocks: number) => {
    clock.at += HOUR / 2;
    const paidAt = clock.at;
    assert.ok((await devchain.pay(address, 100_000n)).ok);
    clock.at += HOUR / 2;
    const minedAt = clock.at;
    if (blocks > 0) await devchain.mine(blocks);
    clock.at += HOUR;
    const again = open();
    await again.sync();
    const { ledgers } = await again.readLedgers(db, [orderId]);
    const [output = assert.fail('nothing was found')] = ledgers.get(orderId)?.outputs ?? [];
    await devchain.stop();
    return { output, paidAt, minedAt, lastLook };
  };
  return { restartAfterPayment };
}

test('[PAY-10] a mempool payment counts from its arrival at the node', async () => {
  const { restartAfterPayment } = await setUp();
  const { output, paidAt } = await restartAfterPayment(0);
  assert.equal(output.firstSeen.getTime(), paidAt);
  assert.equal(output.arrivedAfter, null);
  assert.ok((output.feePerKvb ?? 0n) > 0n);
});

test('[PAY-10] a mined payment arrived between the last sync and its block', async () => {
  const { restartAfterPayment } = await setUp();
  const { output, minedAt, lastLook } = await restartAfterPayment(1);
  const seconds = Math.floor(minedAt / 1000) * 1000;
  assert.deepEqual([output.firstSeen.getTime(), output.confirmedAt?.getTime()], [seconds, seconds]);
  assert.equal(output.arrivedAfter?.getTime(), lastLook);
});

test('[PAY-10] an unreported arrival may be as early as the last sync', async () => {
  const { restartAfterPayment } = await setUp({ readMempoolEntries: async () => new Map() });
  const { output, lastLook } = await restartAfterPayment(0);
  assert.equal(output.arrivedAfter?.getTime(), lastLook);
  assert.equal(output.feePerKvb, null);
});
