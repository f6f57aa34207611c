import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sats } from '#src/shop/money.ts';
import { GENESIS, SimulatedChain } from '../../../../tests/support/simulated-chain.ts';
import { MemoryLedger } from '../../../../tests/support/memory-ledger.ts';
import type { LedgerState } from '../../../../tests/support/memory-ledger.ts';
import { createOrder } from '../../../../tests/support/simulation-shop.ts';
import type { StoredOrder } from '../../../../tests/support/simulation-shop.ts';
import { ChainSync, ChainSyncError } from './chain-sync.ts';
import type { BlockSource } from './block-source.ts';

const START = Date.parse('2030-01-01T00:00:00Z');
const isAny = (): boolean => true;

const order = (dueSats = 1000n, requiredConfirmations = 1): StoredOrder => ({
  ...createOrder(0, START),
  id: 'order-0',
  due_sats: sats(dueSats),
  required_confirmations: requiredConfirmations,
});

function createSync(
  chain: SimulatedChain,
  ledger: MemoryLedger,
  genesisHash = GENESIS,
  name = 'regtest',
  longestSilenceMs: number | null = null,
) {
  const reconciled: Date[] = [];
  const changedIds: (readonly string[])[] = [];
  const source: BlockSource = chain.createSource(() => {});
  const createSyncOver = (changed: Partial<BlockSource>): ChainSync<LedgerState> =>
    new ChainSync({
      source: { ...source, ...changed },
      store: ledger,
      reader: chain.reader,
      clock: { now: () => new Date(chain.now) },
      network: { name, genesisHash },
      listWaitingRecipients: async () =>
        [...ledger.state.orders.values()].filter(({ is_open: isOpen }) => isOpen).map(({ id }) => id),
      maxBlockAgeMs: longestSilenceMs,
      onChanged: async (state, recipientIds, now) => {
        changedIds.push(recipientIds);
        await ledger.reconcile(state, recipientIds, now);
      },
      onReconciled: async (now) => {
        reconciled.push(now);
      },
    });
  return { chainSync: createSyncOver({}), createSyncOver, reconciled, changedIds };
}

function begin(blocks: number, stored = order()) {
  const chain = new SimulatedChain(START);
  for (let block = 0; block < blocks; block += 1) chain.mine(isAny, [], START);
  const ledger = new MemoryLedger(null);
  ledger.state.orders.set(stored.id, stored);
  const readStatus = (): string | undefined => ledger.state.orders.get(stored.id)?.payment_status;
  return { chain, ledger, readStatus, pay: () => chain.send([{ script: stored.script, amount: stored.due_sats }]) };
}

test('rejects a source on another network and writes nothing', async () => {
  const { chain, ledger } = begin(3);
  const { chainSync, reconciled } = createSync(chain, ledger, 'another first block');
  await assert.rejects(chainSync.sync(), ChainSyncError);
  assert.deepEqual([ledger.state.cursor, reconciled], [null, []]);
});

test('rejects a ledger of another network', async () => {
  const { chain, ledger } = begin(3);
  await createSync(chain, ledger).chainSync.sync();
  await assert.rejects(
    createSync(chain, ledger, GENESIS, 'signet').chainSync.sync(),
    /is on regtest, the settings select signet/,
  );
});

test('starts ten blocks below the tip', async () => {
  const { chain, ledger } = begin(30);
  await createSync(chain, ledger).chainSync.sync();
  assert.equal(ledger.state.cursor?.height, 30);
  assert.deepEqual([Math.min(...ledger.state.blocks.keys()), ledger.state.blocks.size], [20, 11]);
});

test('[PAY-09] starts below the first address of a restored database', async () => {
  const { chain, ledger, pay, readStatus } = begin(5);
  pay();
  for (let block = 0; block < 60; block += 1) chain.mine(isAny, [], START + (block + 1) * 600_000);
  ledger.findOldestIssue = async () => new Date(START);
  await createSync(chain, ledger).chainSync.sync();
  assert.equal(readStatus(), 'paid');
});

test('[PAY-12] does not treat a lagging source as a reorganization', async () => {
  const { chain, ledger, pay, readStatus } = begin(5);
  const { chainSync, createSyncOver, changedIds } = createSync(chain, ledger);
  await chainSync.sync();
  pay();
  chain.mine(isAny, [], START);
  await chainSync.sync();
  assert.equal(readStatus(), 'paid');
  const before = changedIds.length;
  const behind = createSyncOver({
    readTip: async () => ({ height: 5, hash: chain.chain[5]?.hash ?? '' }),
    readBlockHash: async (height) => (height > 5 ? null : (chain.chain[height]?.hash ?? null)),
  });
  await assert.rejects(behind.sync(), /the chain source is behind/);
  assert.deepEqual([readStatus(), changedIds.length], ['paid', before]);
});

test('[PAY-12] does not treat a far lagging source as a reorganization', async () => {
  const { chain, ledger, pay, readStatus } = begin(40);
  const { chainSync, createSyncOver, changedIds } = createSync(chain, ledger);
  await chainSync.sync();
  pay();
  chain.mine(isAny, [], START);
  await chainSync.sync();
  assert.equal(readStatus(), 'paid');
  const before = changedIds.length;
  // A node in its initial sync.
  const syncing = createSyncOver({
    readTip: async () => ({ height: 12, hash: chain.chain[12]?.hash ?? '' }),
    readBlockHash: async (height) => (height > 12 ? null : (chain.chain[height]?.hash ?? null)),
  });
  await assert.rejects(syncing.sync(), /the chain source is behind/);
  assert.deepEqual([readStatus(), changedIds.length, ledger.state.cursor?.height], ['paid', before, 41]);
});

test('[PAY-12] keeps a payment paid that is as deep in the new branch', async () => {
  const { chain, ledger, pay, readStatus } = begin(8, order(1000n, 3));
  const { chainSync } = createSync(chain, ledger);
  await chainSync.sync();
  pay();
  for (let block = 0; block < 3; block += 1) chain.mine(isAny, [], START);
  await chainSync.sync();
  assert.equal(readStatus(), 'paid');
  // Two blocks replace the newest one: applied one by one, the payment would have two confirmations
  // in between.
  chain.unwind(1);
  for (let block = 0; block < 2; block += 1) chain.mine(isAny, [], START);
  await chainSync.sync();
  assert.equal(readStatus(), 'paid');
  assert.deepEqual(
    ledger.state.events.map(({ kind }) => kind),
    ['confirming', 'paid'],
  );
});

test('[PAY-12] undoes a reorganization deeper than the stored blocks', async () => {
  const { chain, ledger, pay, readStatus } = begin(40);
  const { chainSync } = createSync(chain, ledger);
  await chainSync.sync();
  pay();
  chain.mine(isAny, [], START);
  await chainSync.sync();
  assert.equal(readStatus(), 'paid');
  chain.unwind(30);
  for (let block = 0; block < 32; block += 1) chain.mine(() => false, [], START);
  await chainSync.sync();
  assert.equal(readStatus(), 'user_paid');
  chain.mine(isAny, [], START);
  await chainSync.sync();
  assert.equal(readStatus(), 'paid');
  assert.deepEqual(
    ledger.state.events.map(({ kind }) => kind),
    ['paid', 'reorged_out', 'paid_again'],
  );
});

test('rejects a source that returns another block', async () => {
  const { chain, ledger } = begin(5);
  const { chainSync, createSyncOver } = createSync(chain, ledger);
  await chainSync.sync();
  chain.mine(isAny, [], START);
  const lying = createSyncOver({ readRawBlock: async () => Buffer.from(GENESIS, 'latin1') });
  await assert.rejects(lying.sync(), /returned block/);
  assert.equal(ledger.state.cursor?.height, 5);
});

test('[PAY-10] expires nothing unless blocks and mempool were both read', async () => {
  const { chain, ledger } = begin(5);
  const { createSyncOver, reconciled } = createSync(chain, ledger);
  const noMempool = createSyncOver({ listMempoolTxids: () => Promise.reject(new Error('down')) });
  await assert.rejects(noMempool.sync(), /down/);
  assert.deepEqual([reconciled, ledger.state.cursor?.reconciledAt], [[], null]);
  await createSyncOver({}).sync();
  assert.deepEqual([reconciled, ledger.state.cursor?.reconciledAt], [[new Date(START)], new Date(START)]);
});

test('[PAY-09] reconciles a confirming order at each block', async () => {
  const { chain, ledger, pay, readStatus } = begin(5, order(1000n, 6));
  const { chainSync } = createSync(chain, ledger);
  await chainSync.sync();
  pay();
  for (let depth = 1; depth <= 6; depth += 1) {
    assert.equal(readStatus(), 'pending');
    chain.mine(isAny, [], START);
    await chainSync.sync();
  }
  assert.equal(readStatus(), 'paid');
});

test('[PAY-12] stops at a switch to another network and undoes nothing', async () => {
  const { chain, ledger, pay, readStatus } = begin(12);
  const { chainSync, createSyncOver } = createSync(chain, ledger);
  await chainSync.sync();
  pay();
  chain.mine(isAny, [], START);
  let genesis = GENESIS;
  const turning = createSyncOver({
    readBlockHash: async (height) => (height === 0 ? genesis : (chain.chain[height]?.hash ?? null)),
  });
  await turning.sync();
  assert.equal(readStatus(), 'paid');
  genesis = 'another first block';
  chain.unwind(8);
  for (let block = 0; block < 20; block += 1) chain.mine(() => false, [], START);
  await assert.rejects(turning.sync(), /not on regtest/);
  assert.deepEqual([readStatus(), ledger.state.cursor?.height], ['paid', 13]);
});

test('[PAY-10] records payments of a stale source and expires nothing', async () => {
  const { chain, ledger, pay } = begin(12);
  const { chainSync, reconciled } = createSync(chain, ledger, GENESIS, 'regtest', 90 * 60_000);
  await chainSync.sync();
  assert.equal(reconciled.length, 1);
  chain.now = START + 89 * 60_000;
  await chainSync.sync();
  assert.equal(reconciled.length, 2);
  chain.now = START + 91 * 60_000;
  pay();
  await assert.rejects(chainSync.sync(), /no block since 2030-01-01T00:00:00.000Z/);
  assert.deepEqual([reconciled.length, ledger.state.rows.size], [2, 1]);
  // A new instance has to read the time of its block.
  const restarted = createSync(chain, ledger, GENESIS, 'regtest', 90 * 60_000);
  await assert.rejects(restarted.chainSync.sync(), /no block since/);
  chain.mine(isAny, [], chain.now);
  await restarted.chainSync.sync();
  assert.equal(restarted.reconciled.length, 1);
});

test('[PAY-09] looks up scripts of open orders and unconfirmed payments only', async () => {
  const { chain, ledger, pay } = begin(12);
  const closed = { ...order(), id: 'order-1', script: 'bb11', is_open: false, payment_status: 'expired' as const };
  const paidOnce = { ...closed, id: 'order-2', script: 'cc22' };
  for (const one of [closed, paidOnce]) ledger.state.orders.set(one.id, one);
  const { createSyncOver } = createSync(chain, ledger);
  const [lookedUp, waits]: [string[][], string[][]] = [[], []];
  const source = chain.createSource(() => {});
  const chainSync = createSyncOver({
    listMempoolTxids: async (scripts, waiting) => {
      lookedUp.push((await scripts()).map((script) => Buffer.from(script).toString()));
      waits.push(waiting().map(({ txid }) => txid));
      return source.listMempoolTxids(scripts, waiting);
    },
  });
  const early = pay();
  await chainSync.sync();
  const late = chain.send([{ script: paidOnce.script, amount: 5n }]);
  await chainSync.sync();
  await chainSync.sync();
  assert.deepEqual(lookedUp, [['aa00'], ['aa00'], ['aa00', 'cc22']]);
  assert.deepEqual(waits, [[], [early.txid], [early.txid, late.txid]]);
  chain.drop(late.txid);
});

test('reads ahead while writing and requests the tip once', async () => {
  const { chain, ledger } = begin(5);
  const { chainSync, createSyncOver } = createSync(chain, ledger);
  await chainSync.sync();
  for (let block = 0; block < 1000; block += 1) chain.mine(isAny, [], START);
  const source = chain.createSource(() => {});
  const [counts, most] = [
    { tip: 0, hash: 0, block: 0 },
    { underWay: 0, atOnce: 0 },
  ];
  const counted = createSyncOver({
    readTip: () => ((counts.tip += 1), source.readTip()),
    readBlockHash: (height) => ((counts.hash += 1), source.readBlockHash(height)),
    readRawBlock: async (hash) => {
      counts.block += 1;
      most.underWay += 1;
      most.atOnce = Math.max(most.atOnce, most.underWay);
      await new Promise(setImmediate);
      most.underWay -= 1;
      return source.readRawBlock(hash);
    },
  });
  await counted.sync();
  assert.equal(ledger.state.cursor?.height, 1005);
  assert.deepEqual(counts, { tip: 3, hash: 1002, block: 1000 });
  assert.ok(most.atOnce > 1 && most.atOnce <= 9, `${most.atOnce} at once`);
});
