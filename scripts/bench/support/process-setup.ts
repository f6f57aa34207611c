/** One, two and four processes of the shop behind HAProxy, and a bare server, for the benchmark `processes`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SeparateDatabase } from '../../../tests/support/rolling-shop.ts';
import { findFreePort, startShopProcess } from '../../../tests/support/shop-process.ts';
import type { ShopProcess } from '../../../tests/support/shop-process.ts';
import { startHaproxy } from './start-haproxy.ts';
import type { Haproxy } from './start-haproxy.ts';
import { startHello } from './start-hello.ts';
import type { Hello } from './start-hello.ts';

const PROCESSES = [1, 2, 4] as const;
export const MOST_PROCESSES = Math.max(...PROCESSES);

/** Where requests are sent. */
export interface Way {
  readonly name: string;
  readonly port: number;
  /** Number of processes of the shop; 0 for the bare server. */
  readonly processes: number;
}

export interface Setup {
  readonly database: SeparateDatabase;
  readonly postmaster: number;
  readonly shops: readonly ShopProcess[];
  readonly hello: Hello;
  readonly haproxy: Haproxy;
  readonly direct: Way;
  readonly behind: readonly Way[];
  readonly bare: { readonly direct: Way; readonly behind: Way };
}

export async function openSetup(database: SeparateDatabase, directory: string): Promise<Setup> {
  // Two proxies, since clients send X-Forwarded-For as if they were one.
  const settings = { DATABASE_URL: database.url, LOG_LEVEL: 'error', RATE_LIMITS: 'on', TRUST_PROXY: '2' };
  const shops: ShopProcess[] = [];
  const hello = await startHello();
  try {
    for (let index = 0; index < MOST_PROCESSES; index += 1)
      shops.push(await startShopProcess(database.dataDir, settings));
    const ways = await Promise.all(
      PROCESSES.map(async (processes) => ({
        name: `${processes} behind HAProxy`,
        port: await findFreePort(),
        processes,
      })),
    );
    const bareBehind: Way = { name: 'a hello behind HAProxy', port: await findFreePort(), processes: 0 };
    const haproxy = await startHaproxy(directory, [
      ...ways.map(({ port, processes }) => ({
        name: `shop${processes}`,
        port,
        serverPorts: shops.slice(0, processes).map((shop) => shop.port),
      })),
      { name: 'hello', port: bareBehind.port, serverPorts: [hello.port] },
    ]);
    return {
      database,
      postmaster: Number(readFileSync(join(database.dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]),
      shops,
      hello,
      haproxy,
      direct: { name: '1 without HAProxy', port: shops[0]?.port ?? 0, processes: 1 },
      behind: ways,
      bare: { direct: { name: 'a hello without HAProxy', port: hello.port, processes: 0 }, behind: bareBehind },
    };
  } catch (error) {
    await closeShops(shops, hello);
    throw error;
  }
}

export async function closeSetup({ shops, hello, haproxy }: Setup): Promise<void> {
  await closeShops(shops, hello);
  await haproxy.stop();
}

async function closeShops(shops: readonly ShopProcess[], hello: Hello): Promise<void> {
  hello.child.kill('SIGTERM');
  for (const shop of shops) await shop.stop();
}
