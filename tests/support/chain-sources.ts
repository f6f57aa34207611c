/** All chain sources over a devchain that the test controls. */
import Fastify from 'fastify';
import type { ChainSource } from '#src/platform/bitcoin/chain-source.ts';
import { createCoreSource } from '#src/platform/bitcoin/core/core-source.ts';
import { createDevchainSource } from '#src/shop/demo/devchain/devchain-source.ts';
import { Devchain } from '#src/shop/demo/devchain/devchain.ts';
import { registerEsplora } from '#src/shop/demo/devchain/esplora-http.ts';
import { createEsploraSource } from '#src/platform/bitcoin/esplora/esplora-source.ts';
import { getBitcoinNetwork } from '#src/platform/bitcoin/network.ts';
import { AdjustableClock } from '#src/platform/process/clock.ts';
import { findBitcoind, startBitcoind } from './bitcoind.ts';
import { silentLog, createTestDatabase } from './database.ts';
import { CORE_PASSWORD, CORE_USER, createFakeCore } from './fake-core.ts';

export const regtest = getBitcoinNetwork('regtest');

export interface TestedSource {
  readonly source: ChainSource;
  readonly devchain: Devchain;
  /** Waits until the source has the blocks of the devchain. */
  readonly follow: () => Promise<void>;
  stop(): Promise<void>;
}

export async function openDevchain(): Promise<Devchain> {
  const { db } = await createTestDatabase();
  return Devchain.open({ db, clock: new AdjustableClock(), log: silentLog, network: regtest, autoMine: false });
}

const doNothing = (): Promise<void> => Promise.resolve();

async function openDevchainSource(): Promise<TestedSource> {
  const devchain = await openDevchain();
  return { source: createDevchainSource(devchain), devchain, follow: doNothing, stop: () => devchain.stop() };
}

async function openEsploraSource(): Promise<TestedSource> {
  const devchain = await openDevchain();
  const app = Fastify();
  registerEsplora(app, devchain, '/api');
  const url = `${await app.listen({ host: '127.0.0.1', port: 0 })}/api`;
  const source = createEsploraSource({ network: regtest, url });
  return { source, devchain, follow: doNothing, stop: () => app.close() };
}

export function formatCoreUrl(listening: string): string {
  const url = new URL(listening);
  url.username = CORE_USER;
  url.password = encodeURIComponent(CORE_PASSWORD);
  return url.href;
}

async function openFakeCoreSource(): Promise<TestedSource> {
  const devchain = await openDevchain();
  const app = createFakeCore(devchain);
  const url = formatCoreUrl(await app.listen({ host: '127.0.0.1', port: 0 }));
  const source = createCoreSource({ network: regtest, url, cookieFile: null });
  return { source, devchain, follow: doNothing, stop: () => app.close() };
}

/** Starts a real node that receives every block and transaction of the devchain. */
async function openRealNodeSource(program: string): Promise<TestedSource> {
  const devchain = await openDevchain();
  const node = await startBitcoind(program);
  const handedOver = new Set<string>();
  const follow = async (): Promise<void> => {
    const { state } = devchain;
    for (let height = 1; height <= state.tip.height; height += 1) {
      const block = state.findBlockAt(height);
      if (block === undefined || handedOver.has(block.hash)) continue;
      const verdict = await node.call('submitblock', block.raw.toString('hex'));
      if (verdict !== null && verdict !== 'inconclusive')
        throw new Error(`block ${height}: ${JSON.stringify(verdict)}`);
      handedOver.add(block.hash);
    }
    for (const { transaction } of state.mempool.values()) {
      await node.call('sendrawtransaction', transaction.raw.toString('hex'));
    }
  };
  await follow();
  const source = createCoreSource({ network: regtest, url: node.rpcUrl, cookieFile: node.cookieFile });
  return { source, devchain, follow, stop: () => node.stop() };
}

interface SourceKind {
  readonly name: string;
  /** Null if this machine has none. */
  readonly open: (() => Promise<TestedSource>) | null;
}

const program = findBitcoind();

export const sourceKinds: readonly SourceKind[] = [
  { name: 'devchain', open: openDevchainSource },
  { name: 'esplora', open: openEsploraSource },
  { name: 'core, imitated', open: openFakeCoreSource },
  { name: 'core, a real node', open: program === undefined ? null : () => openRealNodeSource(program) },
];
