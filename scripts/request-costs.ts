/** What requests cost: CPU time of each program that takes part in them. */
import { cpus } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { readCpuMs, readFamilyCpuMs } from './process-figures.ts';
import type { Setup } from './process-setup.ts';

const SAMPLE_MS = 500;
/** CPU time per second that still counts as rest. */
const REST_TOLERANCE_MS = 30;

const sum = (list: readonly number[]): number => list.reduce((total, value) => total + value, 0);

/** CPU time so far in ms. */
export interface Times {
  readonly shop: number;
  /** Of each process of the shop. */
  readonly each: readonly number[];
  readonly database: number;
  readonly haproxy: number;
  readonly client: number;
  /** Of the whole machine. */
  readonly machine: number;
}

export interface Measured {
  readonly perSecond: number;
  /** Responses with 503, which the client repeats. */
  readonly shed: number;
  /** CPU time of one request in ms. */
  readonly cost: { readonly shop: number; readonly database: number; readonly haproxy: number; readonly client: number };
  /** Cores in use on average. */
  readonly cores: {
    readonly machine: number;
    /** The busiest process of the shop. */
    readonly busiest: number;
    readonly client: number;
    readonly haproxy: number;
    /** Programs that do not belong to the measurement. */
    readonly others: number;
  };
}

function readMachineMs(): number {
  return sum(cpus().map(({ times }) => times.user + times.nice + times.sys + times.irq));
}

export function readTimes({ shops, hello, postmaster, haproxy }: Setup, isBare: boolean): Times {
  const pids = isBare ? [hello.pid] : shops.map(({ pid }) => pid);
  const each = pids.map((pid) => readCpuMs(pid) ?? Number.NaN);
  const { user, system } = process.cpuUsage();
  return {
    shop: sum(each),
    each,
    database: readFamilyCpuMs(postmaster) ?? Number.NaN,
    haproxy: readCpuMs(haproxy.pid) ?? Number.NaN,
    client: (user + system) / 1000,
    machine: readMachineMs(),
  };
}

const PARTS = ['shop', 'database', 'haproxy', 'client'] as const;

export function evaluate(before: Times, after: Times, count: number, tookSeconds: number): Measured {
  const ms = tookSeconds * 1000;
  const took = (part: (typeof PARTS)[number]): number => after[part] - before[part];
  return {
    perSecond: count / tookSeconds,
    shed: 0,
    cost: {
      shop: took('shop') / count,
      database: took('database') / count,
      haproxy: took('haproxy') / count,
      client: took('client') / count,
    },
    cores: {
      machine: (after.machine - before.machine) / ms,
      busiest: Math.max(...after.each.map((value, index) => value - (before.each[index] ?? 0))) / ms,
      client: took('client') / ms,
      haproxy: took('haproxy') / ms,
      others: (after.machine - before.machine - sum(PARTS.map(took))) / ms,
    },
  };
}

/** CPU time per second of all processes of the shop, and of the database, when nobody visits; in ms. */
export interface Rest {
  readonly shop: number;
  readonly database: number;
}

/** Waits until shop and database have done what follows in the background. */
export async function waitForRest(setup: Setup, rest: Rest): Promise<void> {
  for (;;) {
    const before = readTimes(setup, false);
    await sleep(SAMPLE_MS);
    const after = readTimes(setup, false);
    const perSecond = ((after.shop - before.shop + after.database - before.database) / SAMPLE_MS) * 1000;
    if (perSecond < (rest.shop + rest.database) * 1.5 + REST_TOLERANCE_MS) return;
  }
}

export async function measureRest(setup: Setup, seconds: number): Promise<Rest> {
  await sleep(seconds * 1000);
  const before = readTimes(setup, false);
  await sleep(seconds * 1000);
  const after = readTimes(setup, false);
  return {
    shop: (after.shop - before.shop) / seconds,
    database: (after.database - before.database) / seconds,
  };
}
