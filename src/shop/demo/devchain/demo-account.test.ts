import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { RawTx } from '@scure/btc-signer';
import type { AccountKey } from '#src/platform/bitcoin/account-key.ts';
import { planPayout, readSignedPayout } from '#src/platform/bitcoin/payout.ts';
import { parseTransaction } from '#src/platform/bitcoin/transaction.ts';
import { walletScripts } from '#src/platform/bitcoin/wallet-script.ts';
import { DemoAccount } from './demo-account.ts';

/** An unsigned payout of one coin of the account. */
function createPsbt(account: AccountKey): Uint8Array {
  const [index, amountSats] = [3, 100_000n];
  const txid = createHash('sha256').update('funding').digest();
  const input = { txid, index: 0, finalScriptSig: new Uint8Array(), sequence: 0 };
  const outputs = [{ amount: amountSats, script: account.deriveAddress(index).script }];
  const rawTx = RawTx.encode({ version: 2, segwitFlag: false, inputs: [input], outputs, lockTime: 0 });
  const payout = planPayout({
    account,
    coins: [{ txid: parseTransaction(rawTx).txid, vout: 0, amountSats, rawTx, index }],
    address: account.deriveAddress(9).address,
    amountSats: 40_000n,
    feeRate: 2,
    feeFromAmount: false,
    changeIndex: 0,
  });
  assert.ok(payout.ok);
  return payout.psbt;
}

test('[PAY-13] a demo account signs payouts of its coins, and no others', () => {
  for (const script of walletScripts) {
    const secret = randomBytes(32);
    const account = new DemoAccount(secret, script);
    assert.equal(new DemoAccount(secret, script).accountKey.account, account.accountKey.account);
    const psbt = createPsbt(account.accountKey);
    const signed = account.sign(psbt);
    assert.ok(signed !== null && readSignedPayout(signed, psbt).ok);
    const other = new DemoAccount(randomBytes(32), script);
    assert.notEqual(other.accountKey.account, account.accountKey.account);
    assert.equal(other.sign(psbt), null);
  }
});
