/** Compares random histories of the devchain with a replay of the raw blocks. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { sql } from 'kysely';
import { AdjustableClock } from '#src/platform/process/clock.ts';
import { silentLog, createTestDatabase } from '../../../../tests/support/database.ts';
import { createSignedSpend, testKey } from '../../../../tests/support/devchain.ts';
import { scanBlock } from '#src/platform/bitcoin/block.ts';
import { getBitcoinNetwork } from '#src/platform/bitcoin/network.ts';
import type { ParsedTransaction } from '#src/platform/bitcoin/transaction.ts';
import type { ChainState } from './chain-state.ts';
import { Devchain } from './devchain.ts';
import { COINBASE_MATURITY, computeSubsidySats } from './regtest-rules.ts';
import { parseBlock } from './stored-block.ts';
import { findSignatureProblem } from '#src/platform/bitcoin/verify-signatures.ts';

const network = getBitcoinNetwork('regtest');

interface LedgerCoin {
  readonly amountSats: bigint;
  readonly script: Buffer;
  /** Height of its coinbase transaction; null for an ordinary output. */
  readonly minedAt: number | null;
}

type Ledger = Map<string, LedgerCoin>;

/** Applies a transaction, checks the consensus rules and returns the fee. */
function replay(
  ledger: Ledger,
  { txid, inputs, outputs, isCoinbase, ...rest }: ParsedTransaction,
  height: number,
): bigint {
  let feeSats = 0n;
  const spent: LedgerCoin[] = [];
  for (const input of isCoinbase ? [] : inputs) {
    const key = `${input.txid}:${input.vout}`;
    const coin = ledger.get(key) ?? assert.fail(`${txid} spends ${key}, which is not there`);
    assert.ok(coin.minedAt === null || height - coin.minedAt >= COINBASE_MATURITY, 'an immature coinbase was spent');
    ledger.delete(key);
    spent.push(coin);
    feeSats += coin.amountSats;
  }
  if (!isCoinbase) assert.equal(findSignatureProblem({ txid, inputs, outputs, isCoinbase, ...rest }, spent), null);
  for (const [vout, { amountSats, script }] of outputs.entries()) {
    assert.ok(!ledger.has(`${txid}:${vout}`), 'an output is duplicated');
    ledger.set(`${txid}:${vout}`, { amountSats, script, minedAt: isCoinbase ? height : null });
    feeSats -= amountSats;
  }
  if (!isCoinbase) assert.ok(feeSats > 0n);
  return feeSats;
}

const computeTotal = (ledger: Ledger): bigint =>
  [...ledger.values()].reduce((sum, { amountSats }) => sum + amountSats, 0n);

function checkAgainstReplay(state: ChainState): void {
  const ledger: Ledger = new Map();
  let supply = 0n;
  for (let height = 1; height <= state.tip.height; height += 1) {
    const { raw } = state.findBlockAt(height) ?? assert.fail(`no block ${height}`);
    const { prevHash } = scanBlock(raw, new Map(), { powLimitBits: network.powLimitBits });
    assert.equal(prevHash, state.findBlockAt(height - 1)?.hash);
    const [coinbase, ...others] = parseBlock(raw, height).transactions;
    const fees = others.reduce((sum, transaction) => sum + replay(ledger, transaction, height), 0n);
    assert.equal(
      replay(ledger, coinbase ?? assert.fail('an empty block'), height),
      -(computeSubsidySats(height) + fees),
    );
    supply += computeSubsidySats(height);
  }
  assert.equal(computeTotal(ledger), supply, 'the supply does not match the subsidies');

  // The mempool is valid on this tip, in its order and without double-spends.
  for (const { transaction, feeSats } of state.mempool.values()) {
    assert.equal(replay(ledger, transaction, state.tip.height + 1), feeSats);
  }
  const scripts = new Set([...ledger.values()].map(({ script }) => script.toString('hex')));
  const unspent = [...scripts].flatMap((scriptHex) => state.listUnspent(scriptHex));
  assert.deepEqual(
    unspent.map(({ txid, vout, amountSats }) => `${txid}:${vout} ${amountSats}`).toSorted(),
    [...ledger].map(([key, { amountSats }]) => `${key} ${amountSats}`).toSorted(),
  );
  for (const [key, { script }] of ledger) {
    const history = state.listHistory(script.toString('hex')).map(({ transaction }) => transaction.txid);
    assert.ok(history.includes(key.slice(0, 64)), 'an unspent output is missing in the history of its script');
  }
}

function takeSnapshot({ tip, mempool }: ChainState): object {
  return { tip: tip.hash, mempool: [...mempool.keys()] };
}

type Step =
  | { readonly kind: 'pay'; readonly sats: bigint }
  | { readonly kind: 'spend' | 'replace' | 'bump'; readonly pick: number }
  | { readonly kind: 'mine'; readonly count: number }
  | { readonly kind: 'reorg'; readonly depth: number }
  | { readonly kind: 'restart' };

/** A history that covers every counted case. */
const FULL_HISTORY: Step[] = [
  { kind: 'pay', sats: 70n * 10n ** 8n },
  { kind: 'spend', pick: 0 },
  { kind: 'mine', count: 1 },
  { kind: 'reorg', depth: 2 },
  { kind: 'pay', sats: 1_000_000n },
  { kind: 'replace', pick: 2 },
  { kind: 'restart' },
  { kind: 'reorg', depth: 112 },
];

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('pay' as const), sats: fc.bigInt(330n, 60n * 10n ** 8n) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('spend' as const), pick: fc.nat() }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constantFrom('replace' as const, 'bump' as const), pick: fc.nat() }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('mine' as const), count: fc.integer({ min: 1, max: 3 }) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('reorg' as const), depth: fc.integer({ min: 1, max: 6 }) }) },
  // Deep enough to remove the wallet's coins.
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('reorg' as const), depth: fc.integer({ min: 95, max: 112 }) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('restart' as const) }) },
);

test('any history equals a replay of its blocks, also after restart', async () => {
  const { db } = await createTestDatabase();
  const seen = { spends: 0, replaced: 0, returned: 0, dropped: 0 };
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 20 }), async (steps) => {
      await sql`truncate devchain_blocks, devchain_mempool, devchain_wallet`.execute(db);
      const open = () => Devchain.open({ db, clock: new AdjustableClock(), log: silentLog, network, autoMine: false });
      const keys = [testKey(), testKey('p2tr')];
      let devchain = await open();
      for (const action of steps) {
        const before = devchain.state.mempool.size;
        const waiting = [...devchain.state.mempool.keys()];
        if (action.kind === 'pay') {
          const key = keys[Number(action.sats % 2n)] ?? assert.fail();
          const sent = await devchain.pay(key.address, action.sats);
          assert.ok(sent.ok || sent.reason === 'insufficient-funds');
        } else if (action.kind === 'spend') {
          // Spends a payment, confirmed or not, which creates chains of unconfirmed transactions.
          const key = keys[action.pick % 2] ?? assert.fail();
          const coin = devchain.state.listUnspent(Buffer.from(key.script).toString('hex')).at(-1);
          if (coin === undefined || coin.amountSats < 2_000n) continue;
          const raw = createSignedSpend(key, [coin], [{ script: key.script, amountSats: coin.amountSats - 1_000n }]);
          assert.deepEqual((await devchain.submit(raw)).ok, true);
          seen.spends += 1;
        } else if (action.kind === 'replace' || action.kind === 'bump') {
          const txid = waiting[action.pick % Math.max(1, waiting.length)];
          if (txid === undefined) continue;
          const sent = await (action.kind === 'replace' ? devchain.replace(txid) : devchain.bumpFee(txid));
          if (!sent.ok) continue;
          assert.ok(!devchain.state.mempool.has(txid) && devchain.state.mempool.has(sent.txid));
          seen.replaced += 1;
        } else if (action.kind === 'mine') {
          const height = devchain.state.tip.height + action.count;
          assert.equal(await devchain.mine(action.count), height);
          assert.equal(devchain.state.mempool.size, 0);
        } else if (action.kind === 'reorg') {
          const height = devchain.state.tip.height + 1;
          const result = await devchain.reorganise(action.depth);
          if (result.ok) assert.equal(devchain.state.tip.height, height);
          if (devchain.state.mempool.size > before) seen.returned += 1;
          if (waiting.some((txid) => !devchain.state.mempool.has(txid))) seen.dropped += 1;
        } else {
          const picture = takeSnapshot(devchain.state);
          devchain = await open();
          assert.deepEqual(takeSnapshot(devchain.state), picture);
        }
      }
      checkAgainstReplay(devchain.state);
      const again = await open();
      assert.deepEqual(takeSnapshot(again.state), takeSnapshot(devchain.state));
      checkAgainstReplay(again.state);
    }),
    { numRuns: 15, examples: [[FULL_HISTORY]] },
  );
  for (const [what, count] of Object.entries(seen)) assert.ok(count > 0, `no history had ${what}`);
});
