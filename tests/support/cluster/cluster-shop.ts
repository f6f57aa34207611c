/** Three processes of the shop on a database cluster, behind HAProxy, and the chain that they read. */
import type { ChildProcess } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import Fastify from 'fastify';
import { openDatabase } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import { readDatabaseUrl } from '#src/platform/database/database-url.ts';
import type { Devchain } from '#src/shop/demo/devchain/devchain.ts';
import { registerEsplora } from '#src/shop/demo/devchain/esplora-http.ts';
import { openDevchain } from '../chain-sources.ts';
import { silentLog } from '../database-server.ts';
import { findFreePort, startShopProcess } from '../shop-process.ts';
import type { Settings, ShopProcess } from '../shop-process.ts';
import { waitUntil } from '../wait-until.ts';
import { DatabaseCluster, PROXY_URL, startProxy } from './database-cluster.ts';
import { PRIVATE_DIRECTORY } from './namespaces.ts';

/** How the shop reaches the primary: by a list of hosts, or through HAProxy. */
export const ROUTES = ['hosts', 'haproxy'] as const;
export type Route = (typeof ROUTES)[number];

const PROCESSES = 3;
/** More than two health checks of HAProxy. */
const DRAIN_SECONDS = '4';

export class ClusterShop {
  readonly cluster: DatabaseCluster;
  readonly chain: Devchain;
  /** Follows the primary, as the shop does. */
  readonly db: Db;
  /** URL of HAProxy. */
  readonly url = PROXY_URL;
  readonly processes: ShopProcess[] = [];
  #settings: Settings;
  #proxy: ChildProcess | null = null;

  private constructor(cluster: DatabaseCluster, chain: Devchain, settings: Settings) {
    [this.cluster, this.chain, this.#settings] = [cluster, chain, settings];
    this.db = openDatabase({ connection: readDatabaseUrl(cluster.hostsUrl), log: silentLog, poolSize: 2 }).db;
  }

  static async start(route: Route): Promise<ClusterShop> {
    const cluster = await DatabaseCluster.start();
    const [esplora, chain] = [Fastify(), await openDevchain()];
    registerEsplora(esplora, chain, '/api');
    const dataDir = join(PRIVATE_DIRECTORY, 'shop');
    mkdirSync(dataDir);
    const shop = new ClusterShop(cluster, chain, {
      DATA_DIR: dataDir,
      PUBLIC_URL: PROXY_URL,
      TRUST_PROXY: '1',
      DRAIN_SECONDS,
      CHAIN_SOURCE: 'esplora',
      ESPLORA_URL: `${await esplora.listen({ host: '127.0.0.1', port: 0 })}/api`,
      CONFIRMATIONS: '0:1',
    });
    shop.#setRoute(route);
    const ports: number[] = [];
    while (ports.length < PROCESSES) ports.push(await findFreePort());
    shop.#proxy = startProxy(cluster, ports);
    // HAProxy leads to the database as soon as its first checks have passed.
    await waitUntil(async () => {
      const startsHere = await shop.#startProcess(ports[0] ?? 0).catch(() => null);
      if (startsHere !== null) shop.processes.push(startsHere);
      return startsHere !== null;
    });
    for (const port of ports.slice(1)) shop.processes.push(await shop.#startProcess(port));
    await shop.waitUntilServed();
    return shop;
  }

  #setRoute(route: Route): void {
    const DATABASE_URL = route === 'hosts' ? this.cluster.hostsUrl : this.cluster.proxyUrl;
    this.#settings = { ...this.#settings, DATABASE_URL };
  }

  #startProcess(port: number): Promise<ShopProcess> {
    return startShopProcess(this.#settings['DATA_DIR'] ?? '', { ...this.#settings, PORT: String(port) });
  }

  /** Waits until HAProxy has a process for visitors. */
  async waitUntilServed(): Promise<void> {
    await waitUntil(async () => {
      const response = await fetch(`${this.url}/readyz`).catch(() => null);
      await response?.arrayBuffer();
      return response?.status === 200;
    });
  }

  /** Stops a process in order, as for an update, or kills it, and starts its successor on the same port. */
  async replace(index: number, { isKilled = false } = {}): Promise<void> {
    const old = this.processes[index];
    if (old === undefined) throw new Error(`there is no process ${index}`);
    await (isKilled ? old.kill9() : old.stop());
    this.processes[index] = await this.#startProcess(old.port);
  }

  /** Starts all processes again with another way to the database. */
  async changeRoute(route: Route): Promise<void> {
    this.#setRoute(route);
    for (const index of this.processes.keys()) await this.replace(index);
  }

  async stop(): Promise<void> {
    for (const one of this.processes) await one.stop();
    this.#proxy?.kill('SIGKILL');
  }
}
