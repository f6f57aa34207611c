import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { HDKey } from '@scure/bip32';
import { Transaction } from '@scure/btc-signer';
import { sql } from 'kysely';
import { readAccountKey } from '#src/platform/bitcoin/account-key.ts';
import { DEMO_ACCOUNT_KEY } from '#src/platform/bitcoin/demo-account-key.ts';
import { createDevchainSource } from '#src/shop/demo/devchain/devchain-source.ts';
import { Devchain } from '#src/shop/demo/devchain/devchain.ts';
import { getBitcoinNetwork } from '#src/platform/bitcoin/network.ts';
import { listOutpoints, readSignedPayout } from '#src/platform/bitcoin/payout.ts';
import type { WalletScript } from '#src/platform/bitcoin/wallet-script.ts';
import { AdjustableClock } from '#src/platform/process/clock.ts';
import type { Db } from '#src/platform/database/database.ts';
import { silentLog, createTestDatabase } from '../../../tests/support/database.ts';
import { testKey } from '../../../tests/support/devchain.ts';
import { createHdSigner } from '#src/platform/bitcoin/hd-signer.ts';
import { Payments } from './service.ts';
import { issueAddress } from '../../../tests/support/issue-address.ts';

const clock = new AdjustableClock();
const NOT_COMPARED = new Date(0);

async function insertOrder(db: Db): Promise<string> {
  const id = randomUUID();
  await sql`
    insert into orders (id, user_id, payment_status, is_open, billing, total_cents, total_sats, total_after_cents,
      total_after_sats, due_sats, rate_cents_per_btc, rate_evidence, required_confirmations, created_at, expires_at)
    select ${id}, id, 'pending', false, '{}', 1, 100000, 1, 100000, 100000, 1, '{}', 1, now(), now() from users
  `.execute(db);
  return id;
}

async function setUp(script: WalletScript = 'p2wpkh', key = DEMO_ACCOUNT_KEY) {
  const database = await createTestDatabase();
  const { db } = database;
  await sql`
    insert into users (id, username, username_key, email, email_key, password_hash, created_at)
    values (${randomUUID()}, 'a', 'a', 'a@example.org', 'a@example.org', '', now())
  `.execute(db);
  const network = getBitcoinNetwork('regtest');
  const devchain = await Devchain.open({ db, clock, log: silentLog, network, autoMine: false });
  const read = readAccountKey(key, 'regtest', script);
  assert.ok(read.ok);
  const changedIds: string[] = [];
  const reconciled: Date[] = [];
  const payments = new Payments({
    db,
    indexDb: db,
    clock,
    log: silentLog,
    source: createDevchainSource(devchain),
    accountKey: read.account,
    listWaitingRecipients: async () => [],
    onLedgerChanged: async (_, recipientIds) => void changedIds.push(...recipientIds),
    onReconciled: async (at) => void reconciled.push(at),
  });
  const issue = async (): Promise<{ id: string; address: string }> => {
    const id = await insertOrder(db);
    return { id, address: await issueAddress(db, payments, id) };
  };
  const readLedgerOutputs = async (id: string) => (await payments.readLedgers(db, [id])).ledgers.get(id)?.outputs ?? [];
  const pay = async (address: string, amount: bigint): Promise<string> => {
    const sent = await devchain.pay(address, amount);
    assert.ok(sent.ok);
    return sent.txid;
  };
  return { db, devchain, payments, changedIds, reconciled, issue, readLedgerOutputs, pay };
}

test('[PAY-07] concurrently issued addresses are distinct, derived and watched', async () => {
  const { db, payments, issue, readLedgerOutputs, pay, devchain } = await setUp();
  await payments.sync();
  const issued = await Promise.all(Array.from({ length: 12 }, issue));
  assert.equal(new Set(issued.map(({ address }) => address)).size, 12);
  for (const { id, address } of issued) assert.equal(await payments.getVerifiedAddress(db, id), address);
  for (const { address } of issued.slice(0, 5)) await pay(address, 100_000n);
  await payments.sync();
  for (const [index, { id }] of issued.entries()) assert.equal((await readLedgerOutputs(id)).length, index < 5 ? 1 : 0);
  await devchain.stop();
});

test('[PAY-07] skips a rolled-back index and misses no payment', async () => {
  const { db, payments, issue, readLedgerOutputs, pay, devchain } = await setUp();
  const lost = await insertOrder(db);
  let never = '';
  await assert.rejects(
    db.transaction().execute(async (tx) => {
      never = await issueAddress(tx, payments, lost);
      throw new Error('rolled back');
    }),
  );
  await payments.sync();
  const { id, address } = await issue();
  assert.notEqual(address, never);
  await pay(address, 5000n);
  await payments.sync();
  assert.deepEqual(
    (await readLedgerOutputs(id)).map(({ amountSats }) => amountSats),
    [5000n],
  );
  await devchain.stop();
});

test('[PAY-07] a taproot account has its own addresses, scripts, dust limit and indexes', async () => {
  const { db, payments, issue, readLedgerOutputs, pay, devchain } = await setUp('p2tr');
  await payments.sync();
  const { id, address } = await issue();
  assert.match(address, /^bcrt1p[a-z0-9]{58}$/);
  assert.equal(await payments.getVerifiedAddress(db, id), address);
  assert.equal(payments.dustSats, 330n);
  assert.deepEqual(await devchain.pay(address, payments.dustSats - 1n), { ok: false, reason: 'dust' });
  await pay(address, payments.dustSats);
  await payments.sync();
  assert.deepEqual(
    (await readLedgerOutputs(id)).map(({ amountSats }) => amountSats),
    [330n],
  );
  const { rows } = await sql<{ account: string }>`select account from wallets`.execute(db);
  assert.match(rows.map(({ account }) => account).join(), /^p2tr:[0-9a-f]{40}$/);
  await devchain.stop();
});

test('[PAY-07] does not show an address altered in the database', async () => {
  const { db, payments, issue, devchain } = await setUp();
  const { id } = await issue();
  await sql`update order_addresses set address = 'bcrt1qsomebodyelse'`.execute(db);
  await assert.rejects(payments.getVerifiedAddress(db, id), /differs from the derived one/);
  await devchain.stop();
});

test('[PAY-09] [PAY-12] follows a payment through blocks, a reorganization and a double spend', async () => {
  const { payments, issue, readLedgerOutputs, pay, devchain, changedIds } = await setUp();
  const { id, address } = await issue();
  await payments.sync();
  const txid = await pay(address, 100_000n);
  await payments.sync();
  const readOutputs = async () =>
    (await readLedgerOutputs(id)).map((output) => [output.txid, output.height, output.isLive, output.leftBecause]);
  assert.deepEqual(await readOutputs(), [[txid, null, true, null]]);
  assert.ok(changedIds.includes(id));

  const height = await devchain.mine(1);
  await payments.sync();
  assert.deepEqual(await readOutputs(), [[txid, height, true, null]]);
  const { firstSeen } = (await readLedgerOutputs(id))[0] ?? {};

  await devchain.reorganise(1);
  await payments.sync();
  assert.deepEqual(await readOutputs(), [[txid, null, true, null]]);

  const again = await devchain.mine(1);
  await payments.sync();
  assert.deepEqual(await readOutputs(), [[txid, again, true, null]]);
  assert.deepEqual((await readLedgerOutputs(id))[0]?.firstSeen, firstSeen);

  const second = await issue();
  const victim = await pay(second.address, 7000n);
  await payments.sync();
  assert.ok((await devchain.replace(victim)).ok);
  await payments.sync();
  const [left] = await readLedgerOutputs(second.id);
  assert.deepEqual([left?.isLive, left?.leftBecause], [false, 'replaced']);
  await devchain.stop();
});

test('a payment first seen in a block dates from that block', async () => {
  const { payments, issue, readLedgerOutputs, pay, devchain } = await setUp();
  const { id, address } = await issue();
  await payments.sync();
  await pay(address, 100_000n);
  await devchain.mine(1);
  await payments.sync();
  const [output] = await readLedgerOutputs(id);
  const { tipAt } = await payments.readChainHealth();
  assert.ok(tipAt);
  // A block's timestamp may be in the future; then the time of the pass counts.
  assert.ok(output && output.firstSeen <= tipAt && output.firstSeen.getTime() > tipAt.getTime() - 60_000);
  await devchain.stop();
});

test('reports the chain as up after a pass, with tip and time', async () => {
  const { payments, reconciled, devchain } = await setUp();
  assert.deepEqual(await payments.readChainHealth(), { isUp: false, tipHeight: null, tipAt: null, reconciledAt: null });
  await payments.sync();
  const health = await payments.readChainHealth();
  assert.deepEqual([health.isUp, health.tipHeight], [true, devchain.state.tip.height]);
  assert.deepEqual(health.reconciledAt, reconciled[0]);
  assert.ok(health.tipAt);
  await devchain.stop();
});

const seed = HDKey.fromMasterSeed(Buffer.alloc(32, 9), { public: 0x043587cf, private: 0x04358394 });

/** A merchant's wallet with the key of the account. */
function createMerchant(script: WalletScript) {
  const path = `m/${script === 'p2wpkh' ? 84 : 86}'/1'/0'`;
  const account = seed.derive(path);
  const sign = (psbt: Uint8Array): Uint8Array => {
    const transaction = Transaction.fromPSBT(psbt);
    transaction.sign(createHdSigner(account));
    return transaction.toPSBT();
  };
  return { key: account.publicExtendedKey, sign };
}

for (const script of ['p2wpkh', 'p2tr'] as const) {
  test(`[PAY-13] plans a refund, broadcasts it and sees it arrive (${script})`, async () => {
    const { key, sign } = createMerchant(script);
    const { db, devchain, payments, changedIds, issue, readLedgerOutputs, pay } = await setUp(script, key);
    const [order, another, empty] = [await issue(), await issue(), await issue()];
    await pay(order.address, 60_000n);
    await pay(another.address, 90_000n);
    await pay(another.address, 30_000n);
    await devchain.mine(1);
    await pay(another.address, 500_000n);
    await payments.sync();
    const selectAmounts = async (id: string, enough = 3): Promise<bigint[]> =>
      (await payments.selectCoins(id, (coins) => coins.length === enough)).map(({ amountSats }) => amountSats);
    assert.deepEqual(await selectAmounts(order.id), [60_000n, 90_000n, 30_000n], 'own coins first, none unconfirmed');
    assert.deepEqual(await selectAmounts(another.id), [90_000n, 30_000n, 60_000n]);
    assert.deepEqual(await selectAmounts(empty.id, 1), [90_000n, 60_000n, 30_000n], 'checks several coins at a time');

    const { address } = testKey();
    const payout = { address, amountSats: 60_000n, feeRate: 3, feeFromAmount: false, reserved: [] };
    const planned = await payments.planRefund(order.id, payout);
    assert.ok(planned.ok);
    assert.deepEqual([planned.paidSats, listOutpoints(planned.psbt).length], [60_000n, 2]);
    // Refunds do not share coins.
    const next = await payments.planRefund(order.id, { ...payout, amountSats: 20_000n, reserved: [planned.psbt] });
    assert.ok(next.ok);
    assert.equal(new Set([...listOutpoints(planned.psbt), ...listOutpoints(next.psbt)]).size, 3);
    assert.deepEqual(await payments.planRefund(order.id, { ...payout, amountSats: 200_000n }), {
      ok: false,
      reason: 'too-little',
    });
    assert.deepEqual(await payments.planRefund(order.id, { ...payout, amountSats: 100n }), {
      ok: false,
      reason: 'dust',
    });
    assert.equal(payments.getDustSats(address), 294n);

    const to = await payments.watchRefunds(db, address);
    await sql`insert into refunds (id, order_id, covers, debit_sats, amount_sats, refund_script_id, made_by, made_at)
      select ${randomUUID()}, ${order.id}, 'whole', 60000, 60000, ${to}, id, now() from users`.execute(db);
    const signed = readSignedPayout(sign(planned.psbt), planned.psbt);
    assert.ok(signed.ok);
    assert.equal(await payments.broadcast(signed.raw), planned.txid);
    changedIds.length = 0;
    await payments.sync();
    assert.ok(changedIds.includes(to));
    const arrived = {
      scriptId: to,
      txid: planned.txid,
      vout: 0,
      amountSats: 60_000n,
      isLive: true,
      firstSeen: NOT_COMPARED,
      spends: listOutpoints(planned.psbt).toSorted(),
    };
    const readOutputs = async () =>
      (await payments.listRefundOutputs(db, [to])).map((output) => ({
        ...output,
        firstSeen: NOT_COMPARED,
        spends: output.spends?.toSorted(),
      }));
    assert.deepEqual(await readOutputs(), [{ ...arrived, height: null }]);
    assert.deepEqual(await selectAmounts(order.id), [30_000n], 'spent in the mempool is spent');
    await devchain.mine(1);
    await payments.sync();
    assert.deepEqual(await readOutputs(), [{ ...arrived, height: devchain.state.tip.height }]);
    assert.equal((await readLedgerOutputs(order.id)).length, 1, 'no order counts it as a payment');
    assert.equal(await payments.estimateFeeRate(), 2);
    await devchain.stop();
  });
}
