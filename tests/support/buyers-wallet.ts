/** The buyers' wallet in the node: signs and sends their payments. */
import assert from 'node:assert/strict';
import { formatDecimalBtc, sats } from '#src/shop/money.ts';
import type { Sats } from '#src/shop/money.ts';
import type { Bitcoind, Rpc } from './bitcoind.ts';
import { toSats } from './merchant.ts';
import { listAt, numberAt, textAt } from './read-json.ts';

const MATURE_BLOCKS = 120;
export const FEE = 100_000n;

interface Coin {
  readonly txid: string;
  readonly vout: number;
}
/** Amounts by address. */
export type Outputs = Readonly<Record<string, Sats>>;

export const toDecimals = (outputs: Outputs): Record<string, string> =>
  Object.fromEntries(Object.entries(outputs).map(([address, amount]) => [address, formatDecimalBtc(amount)]));

export class BuyersWallet {
  readonly call: Rpc;

  private constructor(call: Rpc) {
    this.call = call;
  }

  /** Opens a wallet with spendable coins. */
  static async open(node: Bitcoind): Promise<BuyersWallet> {
    // Loads the wallet at every start of the node.
    await node.call('createwallet', 'buyers', false, false, '', false, true, true);
    const wallet = new BuyersWallet(node.openWallet('buyers'));
    await wallet.call('generatetoaddress', MATURE_BLOCKS, await wallet.createAddress());
    return wallet;
  }

  /** Unique, so that no block or transaction is created twice. */
  async createAddress(): Promise<string> {
    return String(await this.call('getnewaddress'));
  }

  async readRaw(txid: string): Promise<string> {
    return String(await this.call('getrawtransaction', txid));
  }

  async listInputs(txid: string): Promise<readonly Coin[]> {
    const inputs = listAt(await this.call('getrawtransaction', txid, true), 'vin');
    return inputs.map((input) => ({ txid: textAt(input, 'txid'), vout: numberAt(input, 'vout') }));
  }

  /** Sum of the outputs of a mempool transaction that belong to the wallet. */
  async readAmountPaidBy(txid: string): Promise<Sats> {
    const outputs = listAt(await this.call('getrawtransaction', txid, true), 'vout');
    return sats(outputs.reduce((total: bigint, output) => total + toSats(numberAt(output, 'value')), 0n));
  }

  /** Finds a confirmed coin of at least this amount. */
  async findCoin(atLeast: Sats): Promise<Coin & { readonly amount: Sats }> {
    const coins = await this.call('listunspent', 1);
    assert.ok(Array.isArray(coins));
    const found: unknown = coins.find((coin) => toSats(numberAt(coin, 'amount')) > atLeast + FEE);
    return { txid: textAt(found, 'txid'), vout: numberAt(found, 'vout'), amount: toSats(numberAt(found, 'amount')) };
  }

  /** To an address without an owner. */
  async signTransaction(inputs: readonly Coin[], outputs: Outputs): Promise<string> {
    const spent = inputs.map(({ txid, vout }) => ({ txid, vout }));
    const raw = await this.call('createrawtransaction', spent, toDecimals(outputs));
    return textAt(await this.call('signrawtransactionwithwallet', raw), 'hex');
  }
}
