/** A real Bitcoin node for tests, if installed. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from './shop-process.ts';

/** An RPC call. @throws with the error message of the node */
export type Rpc = (method: string, ...params: unknown[]) => Promise<unknown>;

export interface Bitcoind {
  /** URL without a password, which is in the cookie file. */
  readonly rpcUrl: string;
  readonly cookieFile: string;
  call: Rpc;
  /** RPC calls to a wallet of the node. */
  openWallet(name: string): Rpc;
  /** Stops the process and keeps its data. */
  halt(): Promise<void>;
  /** Starts it again, with further settings. */
  resume(...settings: readonly string[]): Promise<void>;
  /** Stops the process and deletes its data. */
  stop(): Promise<void>;
}

/**
 * Path of bitcoind (Bitcoin Core or Knots) or a script that starts it: from BITCOIND, else from
 * PATH.
 */
export function findBitcoind(): string | undefined {
  const named = process.env['BITCOIND'];
  if (named) return named;
  const places = (process.env['PATH'] ?? '').split(delimiter).map((directory) => join(directory, 'bitcoind'));
  return places.find((path) => existsSync(path));
}

/** Starts an isolated regtest node in its own directory. */
export async function startBitcoind(program: string, { wallet = false } = {}): Promise<Bitcoind> {
  const directory = await mkdtemp(join(tmpdir(), 'bitcoind-'));
  const port = await findFreePort();
  const cookieFile = join(directory, 'regtest', '.cookie');
  const fixed = ['-regtest', `-datadir=${directory}`, `-rpcport=${port}`, '-listen=0', '-connect=0', '-server'];
  const own = wallet ? ['-fallbackfee=0.0001'] : ['-disablewallet'];

  const callAt = async (path: string, method: string, params: readonly unknown[]): Promise<unknown> => {
    const cookie = await readFile(cookieFile, 'utf8');
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from(cookie).toString('base64')}` },
      body: JSON.stringify({ method, params }),
    });
    const body: unknown = await response.json();
    if (typeof body !== 'object' || body === null || !('result' in body) || !('error' in body)) {
      throw new Error(`${method}: no response from the node`);
    }
    if (body.error !== null) throw new Error(`${method}: ${JSON.stringify(body.error)}`);
    return body.result;
  };
  const call: Rpc = (method, ...params) => callAt('/', method, params);

  async function launch(settings: readonly string[]): Promise<() => Promise<void>> {
    const child = spawn(program, [...fixed, ...own, ...settings], { stdio: 'ignore' });
    const ended = once(child, 'exit');
    for (let tries = 0; ; tries += 1) {
      try {
        await call('getblockcount');
        break;
      } catch (error) {
        if (tries === 1200 || child.exitCode !== null) {
          child.kill();
          throw new Error('the node did not start', { cause: error });
        }
        await sleep(100);
      }
    }
    return async () => {
      await call('stop').catch(() => child.kill());
      await ended;
    };
  }

  const remove = (): Promise<void> => rm(directory, { recursive: true, force: true });
  let halt: (() => Promise<void>) | null = await launch([]).catch(async (error: unknown) => {
    await remove();
    throw error;
  });
  const end = async (): Promise<void> => {
    await halt?.();
    halt = null;
  };
  return {
    rpcUrl: `http://127.0.0.1:${port}`,
    cookieFile,
    call,
    openWallet:
      (name) =>
      (method, ...params) =>
        callAt(`/wallet/${name}`, method, params),
    halt: end,
    async resume(...settings) {
      halt = await launch(settings);
    },
    async stop() {
      await end();
      await remove();
    },
  };
}
