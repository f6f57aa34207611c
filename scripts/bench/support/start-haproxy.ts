/** HAProxy in front of servers on this machine, for benchmarks. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findProgram } from '../../../tests/support/programs.ts';

const READY_TRIES = 400;

/** A port of HAProxy, and those of the servers behind it. */
export interface Frontend {
  readonly name: string;
  readonly port: number;
  readonly serverPorts: readonly number[];
}

export interface Haproxy {
  readonly pid: number;
  stop(): Promise<void>;
}

const formatFrontend = ({ name, port, serverPorts }: Frontend): string =>
  [
    `listen ${name}`,
    `  bind 127.0.0.1:${port}`,
    '  balance roundrobin',
    ...serverPorts.map((server, index) => `  server ${name}${index} 127.0.0.1:${server}`),
    '',
  ].join('\n');

const formatConfiguration = (frontends: readonly Frontend[]): string => `global
  maxconn 4096
defaults
  mode http
  option forwardfor
  http-reuse always
  timeout connect 5s
  timeout client 60s
  timeout server 60s
${frontends.map(formatFrontend).join('')}`;

/** Whether the machine has HAProxy. */
export const hasHaproxy = (): boolean => findProgram('haproxy') !== null;

/**
 * Without health checks, since the servers run all the time and may respond late under full load.
 * @param directory its own, for the configuration
 */
export async function startHaproxy(directory: string, frontends: readonly Frontend[]): Promise<Haproxy> {
  const file = join(directory, 'haproxy.cfg');
  writeFileSync(file, formatConfiguration(frontends));
  const child = spawn(findProgram('haproxy') ?? 'haproxy', ['-db', '-f', file], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let printed = '';
  child.stderr.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  const ended = once(child, 'exit');
  const kill = (): void => void child.kill('SIGKILL');
  process.on('exit', kill);
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await ended;
    process.off('exit', kill);
  };
  for (let tries = 0; tries < READY_TRIES && child.exitCode === null; tries += 1) {
    if (await areReady(frontends)) return { pid: child.pid ?? 0, stop };
    await sleep(50);
  }
  kill();
  throw new Error(`HAProxy does not serve: ${printed}`);
}

async function areReady(frontends: readonly Frontend[]): Promise<boolean> {
  for (const { port } of frontends) {
    const response = await fetch(`http://127.0.0.1:${port}/`).catch(() => null);
    await response?.arrayBuffer();
    if (response?.status !== 200) return false;
  }
  return true;
}
