/** Customers who pay on the chain of a live shop: a real node if one is installed, else a devchain. */
import assert from 'node:assert/strict';
import { sats } from '#src/shop/money.ts';
import type { Sats } from '#src/shop/money.ts';
import { findBitcoind, startBitcoind } from './bitcoind.ts';
import { BuyersWallet, toDecimals } from './buyers-wallet.ts';
import { startLiveShop } from './live-shop.ts';
import type { LiveShop } from './live-shop.ts';
import { Merchant } from './merchant.ts';

export interface PaidShop {
  readonly live: LiveShop;
  pay(address: string, amount: Sats): Promise<void>;
  mine(blocks: number): Promise<void>;
  stop(): Promise<void>;
}

async function startOnDevchain(): Promise<PaidShop> {
  const live = await startLiveShop();
  return {
    live,
    pay: async (address, amount) => {
      const sent = await live.devchain.pay(address, amount);
      assert.ok(sent.ok, JSON.stringify(sent));
    },
    mine: async (blocks) => void (await live.devchain.mine(blocks)),
    stop: () => live.stop(),
  };
}

async function startOnNode(program: string): Promise<PaidShop> {
  const node = await startBitcoind(program, { wallet: true });
  try {
    const [wallet, merchant] = [await BuyersWallet.open(node), await Merchant.open(node)];
    const live = await startLiveShop({
      CHAIN_SOURCE: 'core',
      ESPLORA_URL: '',
      CORE_RPC_URL: node.rpcUrl,
      CORE_COOKIE_FILE: node.cookieFile,
      BITCOIN_XPUB: merchant.xpub,
    });
    return {
      live,
      pay: async (address, amount) => {
        await wallet.call('sendtoaddress', address, toDecimals({ [address]: sats(amount) })[address]);
      },
      mine: async (blocks) => void (await wallet.call('generatetoaddress', blocks, await wallet.createAddress())),
      stop: async () => {
        await live.stop();
        await node.stop();
      },
    };
  } catch (error) {
    await node.stop();
    throw error;
  }
}

export async function startPaidShop(): Promise<PaidShop> {
  const program = findBitcoind();
  return program === undefined ? startOnDevchain() : startOnNode(program);
}
