import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { test } from 'node:test';
import { sql } from 'kysely';
import { openDatabase } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import { AdjustableClock } from '#src/platform/process/clock.ts';
import { silentLog, createTestDatabase } from '../../../../tests/support/database.ts';
import { createSignedSpend, testKey } from '../../../../tests/support/devchain.ts';
import { waitUntil } from '../../../../tests/support/wait-until.ts';
import { scanBlock } from '#src/platform/bitcoin/block.ts';
import { ChainSourceError } from '#src/platform/bitcoin/chain-source.ts';
import { getBitcoinNetwork, networkNames } from '#src/platform/bitcoin/network.ts';
import { parseTransaction } from '#src/platform/bitcoin/transaction.ts';
import { Devchain } from './devchain.ts';
import type { DevchainOptions } from './devchain.ts';
import { createDevchainSource } from './devchain-source.ts';

const network = getBitcoinNetwork('regtest');
const SATS = 1_000_000n;

function open(db: Db, options: Partial<DevchainOptions> = {}): Promise<Devchain> {
  return Devchain.open({ db, clock: new AdjustableClock(), log: silentLog, network, autoMine: false, ...options });
}

async function payAddress(devchain: Devchain, address: string, amountSats = SATS): Promise<string> {
  const sent = await devchain.pay(address, amountSats);
  assert.ok(sent.ok, sent.ok ? '' : sent.reason);
  return sent.txid;
}

/** The state that a restart restores. */
function readState({ state }: Devchain) {
  const blocks = Array.from({ length: state.tip.height + 1 }, (_, height) =>
    state.findBlockAt(height)?.raw.toString('hex'),
  );
  const mempool = [...state.mempool].map(([txid, { feeSats, position }]) => ({ txid, feeSats, position }));
  return { blocks, mempool };
}

test('refuses every network but regtest before it uses the database', async () => {
  const { db } = await createTestDatabase();
  for (const name of networkNames.filter((other) => other !== 'regtest')) {
    await assert.rejects(open(db, { network: getBitcoinNetwork(name) }), /regtest only/);
  }
  const { rows } = await sql`select 1 from devchain_wallet`.execute(db);
  assert.equal(rows.length, 0);
});

test('the first start mines 110 valid blocks, which later starts load', async () => {
  const { db } = await createTestDatabase();
  const first = await open(db);
  assert.equal(first.state.tip.height, 110);
  for (let height = 1; height <= 110; height += 1) {
    const { raw, prevHash, time } = first.state.findBlockAt(height) ?? assert.fail(`no block ${height}`);
    scanBlock(raw, new Map(), { powLimitBits: network.powLimitBits });
    assert.equal(prevHash, first.state.findBlockAt(height - 1)?.hash);
    assert.ok(time * 1000 <= Date.now(), 'the first blocks are not in the future');
  }
  assert.deepEqual(readState(await open(db)), readState(first));
});

test('a restart restores payments, mempool and wallet', async () => {
  const { db } = await createTestDatabase();
  const devchain = await open(db);
  const { address, script } = testKey();
  const txid = await payAddress(devchain, address);
  assert.deepEqual([...devchain.state.mempool.keys()], [txid]);
  const outputs = devchain.state.findTransaction(txid)?.transaction.outputs ?? [];
  assert.equal(outputs.find((output) => output.script.equals(script))?.amountSats, SATS);
  assert.equal(await devchain.mine(2), 112);
  assert.equal(devchain.state.findTransaction(txid)?.block?.height, 111);
  const waiting = await payAddress(devchain, address);
  const again = await open(db);
  assert.deepEqual(readState(again), readState(devchain));
  assert.ok((await again.replace(waiting)).ok, 'the wallet has its key');
});

test('consecutive payments spend the change of earlier ones', async () => {
  const { db } = await createTestDatabase();
  const devchain = await open(db);
  const { address, script } = testKey();
  for (let count = 0; count < 40; count += 1) await payAddress(devchain, address);
  await devchain.mine(1);
  assert.equal(devchain.state.mempool.size, 0);
  assert.equal(devchain.state.listUnspent(Buffer.from(script).toString('hex')).length, 40);
});

test('refuses impossible payments with a reason', async () => {
  const { db } = await createTestDatabase();
  const devchain = await open(db);
  const { address } = testKey();
  assert.deepEqual(await devchain.pay('bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu', SATS), {
    ok: false,
    reason: 'bad-address',
  });
  assert.deepEqual(await devchain.pay(address, 293n), { ok: false, reason: 'dust' });
  assert.deepEqual(await devchain.pay(address, 10n ** 13n), { ok: false, reason: 'insufficient-funds' });
});

test('[PAY-09] a replacement removes the payment and its descendants', async () => {
  const { db } = await createTestDatabase();
  const devchain = await open(db);
  const { address, script } = testKey();
  const txid = await payAddress(devchain, address);
  const replaced = await devchain.replace(txid);
  assert.ok(replaced.ok);
  assert.equal(devchain.state.findTransaction(txid), undefined);
  assert.deepEqual(devchain.state.listHistory(Buffer.from(script).toString('hex')), []);
  assert.ok((await devchain.replace(replaced.txid)).ok, 'a replacement can be replaced');
  await devchain.mine(1);
  assert.deepEqual(await devchain.replace(txid), { ok: false, reason: 'unknown-transaction' });
});

test('confirmed and foreign transactions are not replaced', async () => {
  const { db } = await createTestDatabase();
  const devchain = await open(db);
  const txid = await payAddress(devchain, testKey().address);
  await devchain.mine(1);
  assert.deepEqual(await devchain.replace(txid), { ok: false, reason: 'already-confirmed' });
  const key = testKey();
  const sent = parseTransaction(
    devchain.state.findTransaction(await payAddress(devchain, key.address))?.transaction.raw ?? Buffer.of(),
  );
  const vout = sent.outputs.findIndex((output) => output.script.equals(key.script));
  const coin = { txid: sent.txid, vout, amountSats: SATS, script: key.script };
  const foreign = await devchain.submit(
    createSignedSpend(key, [coin], [{ script: key.script, amountSats: SATS - 1_000n }]),
  );
  assert.ok(foreign.ok);
  assert.deepEqual(await devchain.replace(foreign.txid), { ok: false, reason: 'foreign-transaction' });
  assert.deepEqual(await devchain.bumpFee(foreign.txid), { ok: false, reason: 'foreign-transaction' });
  assert.deepEqual(await devchain.bumpFee(sent.txid), { ok: false, reason: 'has-descendants' });
});

test('a fee bump pays the same recipients under another txid', async () => {
  const { db } = await createTestDatabase();
  const devchain = await open(db);
  const { address, script } = testKey();
  const txid = await payAddress(devchain, address);
  const feeSats = devchain.state.mempool.get(txid)?.feeSats ?? 0n;
  const bumped = await devchain.bumpFee(txid);
  assert.ok(bumped.ok);
  assert.ok((devchain.state.mempool.get(bumped.txid)?.feeSats ?? 0n) > feeSats);
  assert.deepEqual(
    devchain.state.listUnspent(Buffer.from(script).toString('hex')).map(({ amountSats }) => amountSats),
    [SATS],
  );
});

test('a reorganisation returns payments to the mempool, one block higher', async () => {
  const { db } = await createTestDatabase();
  const devchain = await open(db);
  const txid = await payAddress(devchain, testKey().address);
  await devchain.mine(3);
  const old = devchain.state.findBlockAt(111)?.hash;
  assert.deepEqual(await devchain.reorganise(3), { ok: true, height: 114 });
  assert.notEqual(devchain.state.findBlockAt(111)?.hash, old);
  for (const height of [111, 112, 113, 114]) assert.equal(devchain.state.findBlockAt(height)?.transactions.length, 1);
  assert.deepEqual([...devchain.state.mempool.keys()], [txid]);
  assert.deepEqual(readState(await open(db)), readState(devchain));
  for (const depth of [0, -1, 1.5, 115, Number.NaN]) {
    assert.deepEqual(await devchain.reorganise(depth), { ok: false, reason: 'depth-out-of-range' });
  }
  for (const count of [0, -1, 1001, 0.5]) await assert.rejects(devchain.mine(count), RangeError);
});

test('block times exceed the median of 11 for any clock', async () => {
  const { db } = await createTestDatabase();
  const clock = new AdjustableClock();
  const devchain = await open(db, { clock });
  clock.setOffset(7200);
  await devchain.mine(20);
  assert.ok(devchain.state.tip.time >= Math.floor(Date.now() / 1000) + 7100);
  clock.setOffset(-7200);
  await devchain.mine(20);
  await devchain.reorganise(5);
  const { state } = devchain;
  for (let height = 1; height <= state.tip.height; height += 1) {
    assert.ok((state.findBlockAt(height)?.time ?? 0) > state.computeMedianTimePast(height - 1), `block ${height}`);
  }
});

test('serializes concurrent requests', async () => {
  const { db } = await createTestDatabase();
  const devchain = await open(db);
  const { address } = testKey();
  const results = await Promise.all([
    ...Array.from({ length: 10 }, () => devchain.pay(address, SATS)),
    devchain.mine(2),
    devchain.reorganise(1),
    ...Array.from({ length: 10 }, () => devchain.pay(address, SATS)),
  ]);
  assert.equal(
    new Set(results.map((result) => (typeof result === 'object' && 'txid' in result ? result.txid : ''))).size,
    21,
  );
  assert.deepEqual(readState(await open(db)), readState(devchain));
});

test('memory and database agree after a refused write', async () => {
  const { db } = await createTestDatabase();
  const devchain = await open(db);
  const { address } = testKey();
  await payAddress(devchain, address);
  const before = readState(devchain);
  await sql`create function refuse() returns trigger language plpgsql as $$ begin raise 'no'; end $$`.execute(db);
  await sql`create trigger refuse before insert on devchain_mempool execute function refuse()`.execute(db);
  await assert.rejects(devchain.pay(address, SATS), /no/);
  assert.deepEqual(readState(devchain), before);
  await sql`drop trigger refuse on devchain_mempool`.execute(db);
  await sql`create trigger refuse before delete on devchain_mempool execute function refuse()`.execute(db);
  await assert.rejects(devchain.mine(1), /no/);
  assert.deepEqual(readState(devchain), before);
  await sql`drop trigger refuse on devchain_mempool`.execute(db);
  assert.equal(await devchain.mine(1), 111);
  assert.deepEqual(readState(await open(db)), readState(devchain));
});

test('an unavailable database is an error, not a stale response', async () => {
  const { connection, db: admin } = await createTestDatabase();
  const pool = openDatabase({ connection, log: silentLog });
  const devchain = await open(pool.db);
  const source = createDevchainSource(devchain);
  await pool.close();
  await assert.rejects(devchain.mine(1));
  await assert.rejects(source.readTip(), ChainSourceError);
  assert.equal((await open(admin)).state.tip.height, 110);
});

test('mines automatically after a transaction, also after a restart', async () => {
  const { db } = await createTestDatabase();
  const devchain = await open(db, { autoMine: true, autoMineDelayMs: 20 });
  const mined = new Promise<void>((resolve) => {
    devchain.onChange(() => {
      if (devchain.state.tip.height === 111) resolve();
    });
  });
  await payAddress(devchain, testKey().address);
  await mined;
  assert.equal(devchain.state.mempool.size, 0);
  await devchain.stop();
  const waiting = await payAddress(devchain, testKey().address);
  await sleep(60);
  assert.ok(devchain.state.mempool.has(waiting), 'a stopped devchain mines nothing');
  const again = await open(db, { autoMine: true, autoMineDelayMs: 1 });
  // The block may precede the listener.
  await waitUntil(() => again.state.mempool.size === 0);
  await again.stop();
});

test('mines on while the mempool is empty and a payment awaits confirmations', async () => {
  const { db } = await createTestDatabase();
  const tipHeights: number[] = [];
  const devchain = await open(db, {
    autoMine: true,
    autoMineDelayMs: 5,
    hasPendingPayments: async () => {
      tipHeights.push(devchain.state.tip.height);
      return devchain.state.tip.height < 114;
    },
  });
  await payAddress(devchain, testKey().address);
  await waitUntil(() => tipHeights.includes(114));
  assert.equal(devchain.state.tip.height, 114);
  await devchain.stop();
});

test('works as a chain source that notifies of every change', async () => {
  const { db } = await createTestDatabase();
  const devchain = await open(db);
  const source = createDevchainSource(devchain);
  let hints = 0;
  const unsubscribe = source.onHint(() => (hints += 1));
  const txid = await payAddress(devchain, testKey().address);
  assert.deepEqual(await source.listMempoolTxids(async () => []), new Set([txid]));
  const raw = (await source.readRawTransaction(txid)) ?? assert.fail('unknown');
  assert.equal(parseTransaction(raw).txid, txid);
  assert.equal(await source.broadcast(raw), txid);
  await assert.rejects(source.broadcast(raw.subarray(1)), ChainSourceError);
  await devchain.mine(1);
  const { height, hash } = await source.readTip();
  assert.equal(height, 111);
  assert.equal(await source.readBlockHash(111), hash);
  assert.equal(await source.readBlockHash(112), null);
  const { txids } = scanBlock(await source.readRawBlock(hash), new Map(), {
    powLimitBits: network.powLimitBits,
    withTxids: true,
  });
  assert.equal(txids[1], txid);
  await assert.rejects(source.readRawBlock('00'.repeat(32)), ChainSourceError);
  assert.equal(hints, 2);
  unsubscribe();
  await devchain.mine(1);
  assert.equal(hints, 2);
});
