/**
 * A demo shop of two processes on one database, which read the same Bitcoin node, behind a load
 * balancer that prefers the first one.
 */
import { randomBytes } from 'node:crypto';
import { HDKey } from '@scure/bip32';
import Fastify from 'fastify';
import { getBitcoinNetwork } from '#src/platform/bitcoin/network.ts';
import type { Devchain } from '#src/shop/demo/devchain/devchain.ts';
import { registerEsplora } from '#src/shop/demo/devchain/esplora-http.ts';
import { openDevchain } from './chain-sources.ts';
import { createHdSigner } from './hd-signer.ts';
import type { HdSigner } from './hd-signer.ts';
import { startSecondProcess } from './second-process.ts';
import { createApiClient } from './api-client.ts';
import { startSpawnedShop } from './spawned-shop.ts';
import type { SpawnedShop } from './spawned-shop.ts';
import { TcpBalancer } from './tcp-balancer.ts';

export interface TwoProcessShop {
  /** URL of the load balancer, which is the public one. */
  readonly url: string;
  /** The process that the load balancer prefers. It started the database and runs chain sync. */
  readonly first: SpawnedShop;
  readonly second: { readonly url: string; readonly api: SpawnedShop['api'] };
  readonly node: Devchain;
  /** The merchant's wallet. */
  readonly wallet: HdSigner;
  readonly stop: () => Promise<void>;
}

export async function startTwoProcessShop(): Promise<TwoProcessShop> {
  const [esplora, node, balancer] = [Fastify(), await openDevchain(), await TcpBalancer.open()];
  registerEsplora(esplora, node, '/api');
  const versions = { public: getBitcoinNetwork('regtest').extendedKeys.account, private: 0x04358394 };
  const account = HDKey.fromMasterSeed(randomBytes(32), versions).derive("m/84'/1'/0'");
  const settings = {
    PUBLIC_URL: balancer.url,
    BITCOIN_XPUB: account.publicExtendedKey,
    CHAIN_SOURCE: 'esplora',
    ESPLORA_URL: `${await esplora.listen({ host: '127.0.0.1', port: 0 })}/api`,
  };
  const first = await startSpawnedShop({ settings });
  const second = await startSecondProcess(first, settings);
  balancer.ports = [Number(new URL(first.url).port), second.port];
  return {
    url: balancer.url,
    first,
    second: { url: second.url, api: createApiClient(second.url) },
    node,
    wallet: createHdSigner(account),
    stop: async () => {
      await balancer.close();
      await second.stop();
      await first.stop();
      await esplora.close();
      await node.stop();
    },
  };
}
