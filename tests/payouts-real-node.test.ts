/** A payout on a real node: Bitcoin Core signs, the shop checks and broadcasts, and it is mined. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { HDKey } from '@scure/bip32';
import { readAccountKey } from '#src/platform/bitcoin/account-key.ts';
import { createCoreSource } from '#src/platform/bitcoin/core/core-source.ts';
import { addChecksum } from '#src/platform/bitcoin/descriptor.ts';
import { parseBlock } from '#src/shop/demo/devchain/stored-block.ts';
import { getBitcoinNetwork } from '#src/platform/bitcoin/network.ts';
import { planPayout, readSignedPayout } from '#src/platform/bitcoin/payout.ts';
import type { Coin } from '#src/platform/bitcoin/payout.ts';
import { parseTransaction, computeVirtualSize } from '#src/platform/bitcoin/transaction.ts';
import { scriptRules } from '#src/platform/bitcoin/wallet-script.ts';
import type { WalletScript } from '#src/platform/bitcoin/wallet-script.ts';
import { findBitcoind, startBitcoind } from './support/bitcoind.ts';
import type { Bitcoind } from './support/bitcoind.ts';
import { testKey } from './support/devchain.ts';
import { listAt, numberAt, textAt, valueAt } from './support/read-json.ts';

const program = findBitcoind();
const skip = program === undefined && 'no bitcoind found: set BITCOIND';
const regtest = getBitcoinNetwork('regtest');
const CHANGE_INDEX = 7;

let node: Bitcoind;
before(async () => {
  if (program !== undefined) node = await startBitcoind(program, { wallet: true });
});
after(async () => {
  if (program !== undefined) await node.stop();
});

/** A merchant's wallet in the node, and its public account key. */
async function createMerchant(script: WalletScript, withOrigin: boolean) {
  const { purpose, descriptor } = scriptRules[script];
  const master = HDKey.fromMasterSeed(Buffer.alloc(32, withOrigin ? 1 : 2), {
    public: 0x043587cf,
    private: 0x04358394,
  });
  const own = master.derive(`m/${purpose}'/1'/0'`);
  const fingerprint = master.fingerprint.toString(16).padStart(8, '0');
  const origin = withOrigin ? `[${fingerprint}/${purpose}h/1h/0h]` : '';
  const read = readAccountKey(`${origin}${own.publicExtendedKey}`, 'regtest', script);
  assert.ok(read.ok);
  const name = `${script} ${origin}`;
  await node.call('createwallet', name, false, true);
  const imported = await node.call(
    'importdescriptors',
    [0, 1].map((branch) => ({
      desc: addChecksum(`${descriptor}(${origin}${own.privateExtendedKey}/${branch}/*)`),
      range: [0, 20],
      timestamp: 0,
      internal: branch === 1,
    })),
  );
  for (const one of listAt(imported)) assert.equal(valueAt(one, 'success'), true, JSON.stringify(imported));
  return { account: read.account, close: () => node.call('unloadwallet', name) };
}

/** Mines a block to an address of the account and returns the coinbase output. */
async function mineCoin(address: string, index: number): Promise<Coin> {
  const [hash] = listAt(await node.call('generatetoaddress', 1, address));
  const raw = Buffer.from(String(await node.call('getblock', hash, 0)), 'hex');
  const [coinbase] = parseBlock(raw, 0).transactions;
  const amountSats = coinbase?.outputs[0]?.amountSats ?? assert.fail();
  return { txid: coinbase?.txid ?? '', vout: 0, amountSats, rawTx: coinbase?.raw ?? assert.fail(), index };
}

for (const script of ['p2wpkh', 'p2tr'] as const) {
  for (const withOrigin of [true, false]) {
    const title = `${script}, ${withOrigin ? 'with' : 'without'} the key's origin`;
    test(`[PAY-13] Bitcoin Core signs a payout, and it is mined: ${title}`, { skip }, async (context) => {
      const source = createCoreSource({ network: regtest, url: node.rpcUrl, cookieFile: node.cookieFile });
      const { account, close } = await createMerchant(script, withOrigin);
      context.after(close);
      const coins = [
        await mineCoin(account.deriveAddress(0).address, 0),
        await mineCoin(account.deriveAddress(3).address, 3),
      ] as const;
      await node.call('generatetoaddress', 100, testKey().address);
      for (const coin of coins) assert.equal(await source.isUnspent(coin), true);
      const payee = testKey(withOrigin ? 'p2wpkh' : 'p2tr');
      const payout = planPayout({
        account,
        coins,
        address: payee.address,
        // Both are needed, and change is left.
        amountSats: coins[0].amountSats + 1_000_000n,
        feeRate: 2.5,
        feeFromAmount: !withOrigin,
        changeIndex: CHANGE_INDEX,
      });
      assert.ok(payout.ok);

      const unsigned = Buffer.from(payout.psbt).toString('base64');
      const analysis = await node.call('analyzepsbt', unsigned);
      assert.equal(Math.round(numberAt(analysis, 'fee') * 1e8), Number(payout.feeSats));
      // Core reports the same for taproot inputs of its own PSBTs.
      assert.equal(textAt(analysis, 'next'), script === 'p2wpkh' ? 'signer' : 'updater');
      const processed = await node.call('walletprocesspsbt', unsigned);
      assert.equal(valueAt(processed, 'complete'), true, JSON.stringify(processed));
      const signed = readSignedPayout(Buffer.from(textAt(processed, 'psbt'), 'base64'), payout.psbt);
      assert.ok(signed.ok, JSON.stringify(signed));
      assert.equal(signed.txid, payout.txid);
      const size = computeVirtualSize(parseTransaction(signed.raw).weight);
      assert.ok(Number(payout.feeSats) >= size * 2.5 && Number(payout.feeSats) <= (size + 1) * 2.5 + 1, `${size} vB`);

      assert.equal(await source.broadcast(signed.raw), payout.txid);
      for (const coin of coins) assert.equal(await source.isUnspent(coin), false);
      await node.call('generatetoaddress', 1, testKey().address);
      assert.equal(await source.isUnspent({ txid: payout.txid, vout: 0 }), true);
      // The change belongs to the wallet, which scans that branch.
      const [change, ...more] = listAt(await node.call('listunspent'));
      assert.deepEqual(more, []);
      assert.equal(
        textAt(change, 'scriptPubKey'),
        Buffer.from(account.deriveKey(1, CHANGE_INDEX).script).toString('hex'),
      );
      assert.equal(Math.round(numberAt(change, 'amount') * 1e8), Number(payout.changeSats));
    });
  }
}
