/**
 * A demo shop that reads a Bitcoin node of the test: in one process, or in two on one database behind a load balancer
 * that prefers the first one.
 */
import { randomBytes } from 'node:crypto';
import { HDKey } from '@scure/bip32';
import Fastify from 'fastify';
import { getBitcoinNetwork } from '#src/platform/bitcoin/network.ts';
import type { Devchain } from '#src/shop/demo/devchain/devchain.ts';
import { registerEsplora } from '#src/shop/demo/devchain/esplora-http.ts';
import { openDevchain } from './chain-sources.ts';
import { createHdSigner } from '#src/platform/bitcoin/hd-signer.ts';
import type { HdSigner } from '#src/platform/bitcoin/hd-signer.ts';
import { startSecondProcess } from './second-process.ts';
import { createApiClient } from './api-client.ts';
import type { CallApi } from './api-client.ts';
import { findFreePort } from './shop-process.ts';
import { startTestShop } from './shop.ts';
import type { TestShop } from './shop.ts';
import { startSpawnedShop } from './spawned-shop.ts';
import type { SpawnedShop } from './spawned-shop.ts';
import { TcpBalancer } from './tcp-balancer.ts';

/** A shop whose payments come from a chain that the test controls. */
export interface DayShop {
  /** The public URL. */
  readonly url: string;
  readonly first: TestShop;
  /** Another process, or the same one. */
  readonly second: { readonly url: string; readonly api: CallApi };
  readonly node: Devchain;
  /** The merchant's wallet. */
  readonly wallet: HdSigner;
  readonly stop: () => Promise<void>;
}

/** Its URL is that of the load balancer. */
export interface TwoProcessShop extends DayShop {
  /** The process that the load balancer prefers. It started the database and runs chain sync. */
  readonly first: SpawnedShop;
}

/** A node with an Esplora server, a wallet, and the settings of a shop that uses both. */
async function openChain() {
  const [esplora, node] = [Fastify(), await openDevchain()];
  registerEsplora(esplora, node, '/api');
  const versions = { public: getBitcoinNetwork('regtest').extendedKeys.account, private: 0x04358394 };
  const account = HDKey.fromMasterSeed(randomBytes(32), versions).derive("m/84'/1'/0'");
  const settings = {
    BITCOIN_XPUB: account.publicExtendedKey,
    CHAIN_SOURCE: 'esplora',
    ESPLORA_URL: `${await esplora.listen({ host: '127.0.0.1', port: 0 })}/api`,
  };
  const close = async (): Promise<void> => {
    await esplora.close();
    await node.stop();
  };
  return { node, wallet: createHdSigner(account), settings, close };
}

/** A demo shop in the process of the test. */
export async function startDayShop(): Promise<DayShop> {
  const { node, wallet, settings, close } = await openChain();
  const port = await findFreePort();
  const shop = await startTestShop({
    settings: { ...settings, PORT: String(port), PUBLIC_URL: `http://127.0.0.1:${port}` },
  });
  const stop = async (): Promise<void> => {
    await shop.stop();
    await close();
  };
  return { url: shop.url, first: shop, second: shop, node, wallet, stop };
}

export async function startTwoProcessShop(): Promise<TwoProcessShop> {
  const [chain, balancer] = [await openChain(), await TcpBalancer.open()];
  const settings = { ...chain.settings, PUBLIC_URL: balancer.url };
  const first = await startSpawnedShop({ settings });
  const second = await startSecondProcess(first, settings);
  balancer.ports = [Number(new URL(first.url).port), second.port];
  return {
    url: balancer.url,
    first,
    second: { url: second.url, api: createApiClient(second.url) },
    node: chain.node,
    wallet: chain.wallet,
    stop: async () => {
      await balancer.close();
      await second.stop();
      await first.stop();
      await chain.close();
    },
  };
}
