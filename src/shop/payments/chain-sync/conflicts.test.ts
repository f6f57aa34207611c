/** Double-spent payments, followed through blocks, reorganizations and parents. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createOrder } from '../../../../tests/support/simulation-shop.ts';
import { MemoryLedger } from '../../../../tests/support/memory-ledger.ts';
import { GENESIS, SimulatedChain } from '../../../../tests/support/simulated-chain.ts';
import { ChainSync } from './chain-sync.ts';
import { isDoubleSpentForGood } from '../ledger/double-spent-payments.ts';

const START = Date.parse('2030-01-01T00:00:00Z');
const AWAY = [{ script: 'away', amount: 1n }];
const isAny = (): boolean => true;

function begin() {
  const chain = new SimulatedChain(START);
  for (let block = 0; block < 4; block += 1) chain.mine(isAny, [], START);
  const ledger = new MemoryLedger(null);
  const order = createOrder(0, START);
  ledger.state.orders.set(order.id, order);
  const changedIds: string[] = [];
  const chainSync = new ChainSync({
    source: chain.createSource(() => {}),
    store: ledger,
    reader: chain.reader,
    clock: { now: () => new Date(chain.now) },
    network: { name: 'regtest', genesisHash: GENESIS },
    listWaitingRecipients: async () => [order.id],
    maxBlockAgeMs: null,
    onChanged: async (state, recipientIds, now) => {
      changedIds.push(...recipientIds);
      await ledger.reconcile(state, recipientIds, now);
    },
    onReconciled: async () => {},
  });
  const readConflictHeight = (): number | null => {
    const [row] = ledger.state.rows.values();
    return row?.conflictHeight ?? null;
  };
  const isGone = (required: number): boolean => {
    const [row] = ledger.state.rows.values();
    return row !== undefined && isDoubleSpentForGood(row, ledger.state.cursor, required);
  };
  const mine = async (): Promise<void> => {
    chain.mine(isAny, [], START);
    changedIds.length = 0;
    await chainSync.sync();
  };
  const payment = [{ script: order.script, amount: order.due_sats }];
  return { chain, chainSync, mine, payment, readConflictHeight, isGone, changedIds, order };
}

test('[PAY-14] a replaced payment is lost once its replacement is final', async () => {
  const { chain, chainSync, mine, payment, readConflictHeight, isGone, changedIds, order } = begin();
  const { txid } = chain.send(payment);
  await chainSync.sync();
  chain.replace(txid, AWAY);
  await chainSync.sync();
  assert.equal(readConflictHeight(), null, 'the replacement is unconfirmed');
  await mine();
  assert.equal(readConflictHeight(), chain.height);
  assert.deepEqual([isGone(1), isGone(2)], [true, false]);
  await mine();
  assert.deepEqual(changedIds, [order.id], 'reconciled at each block, though nothing is live');
  assert.equal(isGone(2), true);
});

test('[PAY-14] a reorganized payment is lost by a conflict in the new branch', async () => {
  const { chain, chainSync, mine, payment, readConflictHeight } = begin();
  const paid = chain.send(payment);
  await mine();
  chain.unwind(1);
  chain.replace(paid.txid, AWAY);
  chain.mine(isAny, [], START);
  chain.mine(isAny, [], START);
  await chainSync.sync();
  assert.equal(readConflictHeight(), chain.height - 1);
});

test('[PAY-14] a payment is lost when its unconfirmed parent was replaced', async () => {
  const { chain, chainSync, mine, payment, readConflictHeight } = begin();
  const child = chain.sendWithParent(payment);
  await chainSync.sync();
  const parent = chain.listAncestors(child.txid)[0] ?? assert.fail();
  chain.replace(parent, AWAY);
  await chainSync.sync();
  await mine();
  assert.equal(readConflictHeight(), chain.height);
});

test('[PAY-14] a payment is lost when a reorganization replaces its parent', async () => {
  const { chain, chainSync, mine, payment, readConflictHeight } = begin();
  // The shop first sees the child in a block, and the parent in the block before.
  const child = chain.sendWithParent(payment);
  const parent = chain.listAncestors(child.txid)[0] ?? assert.fail();
  chain.mine(({ txid }) => txid === parent, [], START);
  await mine();
  chain.unwind(2);
  for (let block = 0; block < 3; block += 1) chain.mine(() => false, [], START);
  await chainSync.sync();
  chain.replace(parent, AWAY);
  await mine();
  assert.equal(readConflictHeight(), chain.height);
});

test('[PAY-14] a reorganization that removes the conflict undoes the loss', async () => {
  const { chain, chainSync, mine, payment, readConflictHeight, isGone, changedIds, order } = begin();
  const { txid } = chain.send(payment);
  await chainSync.sync();
  chain.replace(txid, AWAY);
  await mine();
  assert.equal(isGone(1), true);
  const [away] = chain.unwind(1);
  chain.drop(away?.txid ?? '');
  chain.restore(txid);
  chain.mine(() => false, [], START);
  chain.mine(() => false, [], START);
  changedIds.length = 0;
  await chainSync.sync();
  assert.deepEqual([readConflictHeight(), isGone(1)], [null, false]);
  assert.ok(changedIds.includes(order.id));
});

test('[PAY-14] a payment mined again does not conflict with itself', async () => {
  const { chain, chainSync, mine, payment, readConflictHeight } = begin();
  const { txid } = chain.send(payment);
  await chainSync.sync();
  chain.drop(txid);
  await chainSync.sync();
  chain.restore(txid);
  await mine();
  assert.equal(readConflictHeight(), null);
});
