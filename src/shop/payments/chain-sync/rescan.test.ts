import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { sql } from 'kysely';
import { readAccountKey } from '#src/platform/bitcoin/account-key.ts';
import { ChainSourceError } from '#src/platform/bitcoin/chain-source.ts';
import type { ChainSource } from '#src/platform/bitcoin/chain-source.ts';
import { DEMO_ACCOUNT_KEY } from '#src/platform/bitcoin/demo-account-key.ts';
import { createDevchainSource } from '#src/shop/demo/devchain/devchain-source.ts';
import { Devchain } from '#src/shop/demo/devchain/devchain.ts';
import { getBitcoinNetwork } from '#src/platform/bitcoin/network.ts';
import { AdjustableClock } from '#src/platform/process/clock.ts';
import { silentLog, createTestDatabase } from '../../../../tests/support/database.ts';
import { MAX_BLOCKS } from './rescan.service.ts';
import { Payments } from '../service.ts';
import { issueAddress } from '../../../../tests/support/issue-address.ts';
import { listAuditEntries } from '#src/shop/audit-log/service.ts';
import { createStaffActor, staffActor } from '../../../../tests/support/staff-actor.ts';

const network = getBitcoinNetwork('regtest');
const clock = new AdjustableClock();

/** A ledger on a devchain that returns no blocks below `pruned.until`. */
async function setUp() {
  const { db } = await createTestDatabase();
  const staff = randomUUID();
  await sql`
    insert into users (id, username, username_key, email, email_key, password_hash, created_at)
    values (${staff}, 'a', 'a', 'a@example.org', 'a@example.org', '', now())
  `.execute(db);
  const devchain = await Devchain.open({ db, clock, log: silentLog, network, autoMine: false });
  const key = readAccountKey(DEMO_ACCOUNT_KEY, 'regtest');
  assert.ok(key.ok);
  const changedIds: string[] = [];
  const pruned = { until: 0, isDown: false };
  const inner = createDevchainSource(devchain);
  const source: ChainSource = {
    ...inner,
    async findOldestBlock() {
      if (pruned.isDown) throw new ChainSourceError('the node is away');
      return pruned.until;
    },
    async readRawBlock(hash) {
      const height = devchain.state.findBlockByHash(hash)?.height ?? 0;
      if (height < pruned.until) throw new ChainSourceError('pruned');
      return inner.readRawBlock(hash);
    },
  };
  const payments = new Payments({
    db,
    indexDb: db,
    clock,
    log: silentLog,
    source,
    accountKey: key.account,
    listWaitingRecipients: async () => [],
    onLedgerChanged: async (_, ids) => void changedIds.push(...ids),
    onReconciled: async () => {},
  });
  const id = randomUUID();
  await sql`
    insert into orders (id, user_id, payment_status, is_open, billing, total_cents, total_sats, total_after_cents,
      total_after_sats, due_sats, rate_cents_per_btc, rate_evidence, required_confirmations, created_at, expires_at)
    select ${id}, id, 'pending', false, '{}', 1, 100000, 1, 100000, 100000, 1, '{}', 1, now(), now() from users
  `.execute(db);
  const address = await issueAddress(db, payments, id);
  const readOutputs = async () => (await payments.readLedgers(db, [id])).ledgers.get(id)?.outputs ?? [];
  /** Pays the order in a block and returns its height. */
  const payAndMine = async (): Promise<number> => {
    assert.ok((await devchain.pay(address, 100_000n)).ok);
    return devchain.mine(1);
  };
  const forget = () => sql`delete from payment_outputs where order_id = ${id}`.execute(db);
  const rescan = async (from: number) => {
    const requested = await payments.rescans.request(from, createStaffActor(staff));
    assert.ok(requested.ok, JSON.stringify(requested));
    return requested.rescan;
  };
  return { db, devchain, id, readOutputs, payAndMine, forget, payments, pruned, rescan, changedIds, staff };
}

test('[OPS-25] a rescan finds a missing payment exactly once', async () => {
  const { devchain, forget, id, readOutputs, payAndMine, payments, rescan, changedIds } = await setUp();
  const height = await payAndMine();
  await devchain.mine(20);
  await payments.sync();
  const [before] = await readOutputs();
  assert.equal(before?.height, height);
  await forget();
  changedIds.length = 0;
  await rescan(height - 3);
  while (await payments.rescans.step());
  const [finished] = await payments.rescans.list();
  assert.deepEqual(
    [finished?.state, finished?.found, finished?.unread_until, finished?.problem],
    ['done', 1, null, null],
  );
  assert.deepEqual(changedIds, [id]);
  assert.deepEqual(
    (await readOutputs()).map((output) => [output.txid, output.vout, output.height, output.isLive]),
    [[before.txid, before.vout, height, true]],
  );
  await rescan(height - 3);
  while (await payments.rescans.step());
  assert.deepEqual([(await payments.rescans.list())[0]?.found, (await readOutputs()).length], [0, 1]);
  // Chain sync continues from where it was.
  await payments.sync();
  assert.equal((await readOutputs()).length, 1);
});

test('[OPS-25] a payment found by a rescan was seen at its block', async () => {
  const { devchain, forget, readOutputs, payAndMine, payments, rescan } = await setUp();
  const height = await payAndMine();
  await payments.sync();
  await forget();
  await rescan(height);
  while (await payments.rescans.step());
  const time = devchain.state.findBlockAt(height)?.time ?? assert.fail();
  assert.deepEqual((await readOutputs())[0]?.firstSeen, new Date(time * 1000));
});

test('[OPS-25] a rescan on a pruned node reports the unread blocks', async () => {
  const { devchain, forget, readOutputs, payAndMine, payments, pruned, rescan } = await setUp();
  await payments.sync();
  await devchain.mine(5);
  const height = await payAndMine();
  await payments.sync();
  await forget();
  pruned.until = height;
  await rescan(1);
  while (await payments.rescans.step());
  const [finished] = await payments.rescans.list();
  assert.deepEqual([finished?.state, finished?.unread_until, finished?.found], ['done', height - 1, 1]);
  assert.equal((await readOutputs()).length, 1);
  pruned.until = height + 100;
  await rescan(1);
  while (await payments.rescans.step());
  assert.deepEqual((await payments.rescans.list())[0]?.unread_until, devchain.state.tip.height);
});

test('[OPS-25] only one rescan is open, and it can be stopped', async () => {
  const { payments, rescan, staff } = await setUp();
  await payments.sync();
  const first = await rescan(10);
  const racing = await Promise.all(Array.from({ length: 5 }, () => rescan(10)));
  assert.deepEqual(new Set(racing.map(({ id }) => id)), new Set([first.id]));
  assert.deepEqual(await payments.rescans.request(11, createStaffActor(staff)), { ok: false, reason: 'rescan-open' });
  assert.equal((await payments.rescans.stop(first.id, staffActor))?.state, 'stopped');
  assert.equal(await payments.rescans.step(), false);
  assert.equal((await payments.rescans.stop(first.id, staffActor))?.state, 'stopped');
  assert.equal(await payments.rescans.stop(randomUUID(), staffActor), null);
  assert.notEqual((await rescan(11)).id, first.id);
});

test('[OPS-06] requesting and stopping a rescan leave one entry each', async () => {
  const { db, payments, rescan } = await setUp();
  await payments.sync();
  const { id } = await rescan(10);
  await rescan(10);
  for (let count = 0; count < 2; count += 1) await payments.rescans.stop(id, staffActor);
  const { entries } = await listAuditEntries(db, { subjectId: id }, { limit: 10, offset: 0 });
  assert.deepEqual(
    entries.map(({ action }) => action),
    ['chain.rescan_stopped', 'chain.rescan_requested'],
  );
});

test('[OPS-25] a rescan waits while the source is down and reports why', async () => {
  const { payments, pruned, rescan } = await setUp();
  await payments.sync();
  await rescan(1);
  pruned.isDown = true;
  assert.equal(await payments.rescans.step(), false);
  const [waiting] = await payments.rescans.list();
  assert.deepEqual([waiting?.state, waiting?.problem], ['open', 'the node is away']);
  pruned.isDown = false;
  while (await payments.rescans.step());
  assert.deepEqual(
    (await payments.rescans.list()).map(({ state, problem }) => [state, problem]),
    [['done', null]],
  );
});

test('[OPS-25] refuses a rescan above the tip or longer than a year', async () => {
  const { db, payments, staff } = await setUp();
  assert.deepEqual(await payments.rescans.request(0, createStaffActor(staff)), { ok: false, reason: 'above-tip' });
  await payments.sync();
  assert.deepEqual(await payments.rescans.request(1_000_000, createStaffActor(staff)), {
    ok: false,
    reason: 'above-tip',
  });
  await sql`update chain_cursor set height = ${MAX_BLOCKS}`.execute(db);
  assert.deepEqual(await payments.rescans.request(0, createStaffActor(staff)), { ok: false, reason: 'too-long' });
  assert.equal((await payments.rescans.request(1, createStaffActor(staff))).ok, true);
});
