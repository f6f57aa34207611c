/**
 * The merchant's wallet in the node. It has the private keys; the shop has the account's public
 * key.
 */
import { randomBytes } from 'node:crypto';
import { HDKey } from '@scure/bip32';
import { sats } from '#src/shop/money.ts';
import type { Sats } from '#src/shop/money.ts';
import type { Bitcoind, Rpc } from './bitcoind.ts';
import { numberAt, textAt } from './read-json.ts';

const TEST_NETWORKS = { private: 0x04_35_83_94, public: 0x04_35_87_cf };
const ADDRESSES = 999;
const ANY_DEPTH = 9_999_999;

/** Converts decimal BTC of the node to sats. */
export const toSats = (btc: number): Sats => sats(BigInt(Math.round(btc * 1e8)));

export class Merchant {
  /** The extended public key for the shop. */
  readonly xpub: string;
  readonly call: Rpc;

  private constructor(xpub: string, call: Rpc) {
    this.xpub = xpub;
    this.call = call;
  }

  static async open(node: Bitcoind): Promise<Merchant> {
    const account = HDKey.fromMasterSeed(randomBytes(32), TEST_NETWORKS).derive("m/84'/1'/0'");
    // Loads the wallet at every start of the node.
    await node.call('createwallet', 'merchant', false, true, '', false, true, true);
    const call = node.openWallet('merchant');
    const described = await Promise.all(
      [0, 1].map(async (chain) => {
        const plain = `wpkh(${account.privateExtendedKey}/${chain}/*)`;
        const sum = textAt(await node.call('getdescriptorinfo', plain), 'checksum');
        return {
          desc: `${plain}#${sum}`,
          active: true,
          internal: chain === 1,
          range: [0, ADDRESSES],
          timestamp: 'now',
        };
      }),
    );
    await call('importdescriptors', described);
    return new Merchant(account.publicExtendedKey, call);
  }

  /** Spendable amount of an address according to the node, mempool included. */
  async readBalance(address: string): Promise<Sats> {
    const unspent = await this.call('listunspent', 0, ANY_DEPTH, [address], true);
    if (!Array.isArray(unspent)) throw new Error('no list of coins');
    return sats(unspent.reduce((sum: bigint, coin: unknown) => sum + toSats(numberAt(coin, 'amount')), 0n));
  }
}
