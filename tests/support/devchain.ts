/** A devchain without a database that the test controls. */
import { p2tr, p2wpkh, Transaction } from '@scure/btc-signer';
import { pubECDSA, pubSchnorr, randomPrivateKeyBytes } from '@scure/btc-signer/utils.js';
import { acceptTransaction } from '#src/shop/demo/devchain/accept-transaction.ts';
import type { Acceptance } from '#src/shop/demo/devchain/accept-transaction.ts';
import { ChainState } from '#src/shop/demo/devchain/chain-state.ts';
import { planBlocks, planReorg } from '#src/shop/demo/devchain/plan-blocks.ts';
import { DevchainWallet } from '#src/shop/demo/devchain/wallet.ts';
import { getBitcoinNetwork } from '#src/platform/bitcoin/network.ts';
import { parseTransaction } from '#src/platform/bitcoin/transaction.ts';

const network = getBitcoinNetwork('regtest').addresses;

export interface Coin {
  readonly txid: string;
  readonly vout: number;
  readonly amountSats: bigint;
  readonly script: Uint8Array;
}

export interface TestKey {
  readonly secret: Uint8Array;
  readonly address: string;
  readonly script: Uint8Array;
}

/** A fresh key with its address. */
export function testKey(type: 'p2wpkh' | 'p2tr' = 'p2wpkh'): TestKey {
  const secret = randomPrivateKeyBytes();
  const { address, script } =
    type === 'p2tr' ? p2tr(pubSchnorr(secret), undefined, network) : p2wpkh(pubECDSA(secret), network);
  if (address === undefined) throw new Error('no address');
  return { secret, address, script };
}

export interface SpendOptions {
  readonly sequence?: number;
  readonly lockTime?: number;
}

/** A signed transaction that spends coins of one key. */
export function createSignedSpend(
  key: TestKey,
  coins: readonly Coin[],
  outputs: readonly { readonly script: Uint8Array; readonly amountSats: bigint }[],
  { sequence = 0xffff_ffff, lockTime = 0 }: SpendOptions = {},
): Uint8Array {
  const transaction = new Transaction({ lockTime, allowUnknownOutputs: true });
  for (const { txid, vout, amountSats, script } of coins) {
    const taproot = script.length === 34 ? { tapInternalKey: pubSchnorr(key.secret) } : {};
    transaction.addInput({ txid, index: vout, sequence, witnessUtxo: { script, amount: amountSats }, ...taproot });
  }
  for (const { script, amountSats } of outputs) transaction.addOutput({ script, amount: amountSats });
  transaction.sign(key.secret);
  transaction.finalize();
  return transaction.extract();
}

export class MemoryChain {
  readonly state = new ChainState();
  readonly wallet = new DevchainWallet(randomPrivateKeyBytes());
  #now = 1_700_000_000;

  /** Starts with a few mature coins, as the devchain does. */
  constructor(blocks = 110) {
    this.mine(blocks);
  }

  mine(count = 1): void {
    this.state.apply(planBlocks(this.state, { count, payTo: this.wallet.script, getTimeAt: () => (this.#now += 600) }));
  }

  reorganise(depth: number): void {
    this.state.apply(planReorg(this.state, { depth, payTo: this.wallet.script, getTimeAt: () => (this.#now += 600) }));
  }

  /** Submits a transaction; a valid one enters the mempool. */
  submit(raw: Uint8Array): Acceptance {
    const result = acceptTransaction(this.state, raw);
    if (result.ok && 'entry' in result) {
      const { drop, entry } = result;
      this.state.apply({ forkHeight: this.state.tip.height, connect: [], drop, add: [entry] });
    }
    return result;
  }

  /** Pays a key from the wallet and returns the new unconfirmed coin. */
  fund(key: TestKey, amountSats: bigint): Coin {
    const payment = this.wallet.pay(this.state, key.address, amountSats);
    if (!payment.ok) throw new Error(payment.reason);
    const result = this.submit(payment.raw);
    if (!result.ok) throw new Error(result.reason);
    const { txid, outputs } = parseTransaction(payment.raw);
    const vout = outputs.findIndex(({ script }) => script.equals(key.script));
    return { txid, vout, amountSats, script: key.script };
  }
}

/** The result of an acceptance, for comparison. */
export function readVerdict(result: Acceptance): string {
  return result.ok ? 'accepted' : result.reason;
}
