/** Validates the devchain's blocks with a real node, if BITCOIND names one. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AdjustableClock } from '#src/platform/process/clock.ts';
import { findBitcoind, startBitcoind } from '../../../../tests/support/bitcoind.ts';
import { silentLog, createTestDatabase } from '../../../../tests/support/database.ts';
import { createSignedSpend, testKey } from '../../../../tests/support/devchain.ts';
import { getBitcoinNetwork } from '#src/platform/bitcoin/network.ts';
import { parseTransaction } from '#src/platform/bitcoin/transaction.ts';
import { Devchain } from './devchain.ts';

const SATS = 1_234_567n;
const network = getBitcoinNetwork('regtest');
const program = findBitcoind();
const skip = program === undefined && 'no bitcoind found: set BITCOIND';

test('a real node accepts all blocks, with payments, replacement and reorganisation', { skip }, async (context) => {
  const { db } = await createTestDatabase();
  const devchain = await Devchain.open({ db, clock: new AdjustableClock(), log: silentLog, network, autoMine: false });
  const node = await startBitcoind(program ?? assert.fail());
  context.after(() => node.stop());
  const { address, script } = testKey();
  const taproot = testKey('p2tr');

  /** Submits all blocks above a height. The node must accept them and have the same tip. */
  const submitBlocks = async (above: number): Promise<void> => {
    for (let height = above + 1; height <= devchain.state.tip.height; height += 1) {
      const raw = devchain.state.findBlockAt(height)?.raw.toString('hex');
      const verdict = await node.call('submitblock', raw);
      // A competing branch is "inconclusive" until it is longer.
      assert.ok(verdict === null || verdict === 'inconclusive', `block ${height}: ${String(verdict)}`);
    }
    assert.equal(await node.call('getbestblockhash'), devchain.state.tip.hash);
  };
  const pay = async (to: string): Promise<string> => {
    const sent = await devchain.pay(to, SATS);
    return sent.ok ? sent.txid : assert.fail(sent.reason);
  };
  const findVout = (txid: string, to: Uint8Array): number =>
    devchain.state.findTransaction(txid)?.transaction.outputs.findIndex((output) => output.script.equals(to)) ?? -1;

  await submitBlocks(0);
  const mined = await pay(address);
  const replaced = await pay(address);
  const toTaproot = await pay(taproot.address);
  const replacedVout = findVout(replaced, script);
  assert.ok((await devchain.replace(replaced)).ok);
  const coin = { txid: toTaproot, vout: findVout(toTaproot, taproot.script), amountSats: SATS, script: taproot.script };
  const spend = createSignedSpend(taproot, [coin], [{ script: taproot.script, amountSats: SATS - 500n }]);

  // The node and the devchain have the same mempool policy.
  for (const { transaction } of devchain.state.mempool.values()) {
    assert.equal(await node.call('sendrawtransaction', transaction.raw.toString('hex')), transaction.txid);
  }
  const damaged = Buffer.from(spend);
  damaged[damaged.length - 20] = (damaged[damaged.length - 20] ?? 0) ^ 1;
  assert.ok(!(await devchain.submit(damaged)).ok);
  await assert.rejects(node.call('sendrawtransaction', damaged.toString('hex')), /script-verify|Schnorr/);
  assert.ok((await devchain.submit(spend)).ok);

  await devchain.mine(3);
  await submitBlocks(110);
  const utxo = await node.call('gettxout', mined, findVout(mined, script));
  assert.ok(typeof utxo === 'object' && utxo !== null && 'value' in utxo && 'confirmations' in utxo);
  assert.equal(utxo.value, Number(SATS) / 1e8);
  assert.equal(utxo.confirmations, 3);
  assert.equal(await node.call('gettxout', replaced, replacedVout), null);
  assert.notEqual(await node.call('gettxout', parseTransaction(spend).txid, 0), null);

  assert.ok((await devchain.reorganise(3)).ok);
  await submitBlocks(110);
  assert.equal(await node.call('gettxout', mined, findVout(mined, script), false), null, 'unconfirmed again');
  assert.deepEqual(
    new Set(devchain.state.mempool.keys()),
    new Set(Object.values((await node.call('getrawmempool')) ?? {})),
    'both mempools hold the same after the reorganisation',
  );
  // Past the first halving, to a height that needs two bytes.
  const height = devchain.state.tip.height;
  await devchain.mine(200);
  await submitBlocks(height);
  assert.notEqual(await node.call('gettxout', mined, findVout(mined, script)), null);
});
