/** A bare node:http server, with which the shop is compared in the same run. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from '../../../tests/support/shop-process.ts';

const HELLO = `require('node:http').createServer((_, reply) => reply.end('hello')).listen(process.env.PORT, '127.0.0.1')`;

export interface Hello {
  readonly child: ChildProcess;
  readonly port: number;
  readonly pid: number;
}

export async function startHello(): Promise<Hello> {
  const port = await findFreePort();
  const env = { ...process.env, PORT: String(port) };
  const child = spawn(process.execPath, ['-e', HELLO], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  // A benchmark that ends early leaves no server.
  process.on('exit', () => child.kill('SIGKILL'));
  for (let tries = 0; tries < 200; tries += 1) {
    const response = await fetch(`http://127.0.0.1:${port}/`).catch(() => null);
    await response?.arrayBuffer();
    if (response && child.pid !== undefined) return { child, port, pid: child.pid };
    await sleep(50);
  }
  throw new Error('the hello server does not respond');
}
