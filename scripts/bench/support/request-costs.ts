/** What requests cost: CPU time of each program that takes part in them. */
import { cpus } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { readCpuMs, readFamilyCpuMs } from './process-figures.ts';
import type { Setup } from './process-setup.ts';

const SAMPLE_SECONDS = 0.5;
/** CPU time per second that still counts as rest. */
const REST_TOLERANCE_MS = 30;
const REST_WITHIN_MS = 20_000;

const sum = (list: readonly number[]): number => list.reduce((total, value) => total + value, 0);

/** CPU time so far in ms. */
export interface Times {
  readonly atMs: number;
  /** Of each process of the shop. */
  readonly shops: readonly number[];
  readonly hello: number;
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
  /** CPU time of one request in ms, without what shop and database need at rest. */
  readonly cost: {
    /** The processes of the shop, or the bare server. */
    readonly server: number;
    readonly database: number;
    readonly haproxy: number;
    readonly client: number;
  };
  /** Cores in use on average. */
  readonly cores: {
    readonly machine: number;
    /** The busiest process of the shop, or the bare server. */
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

export function readTimes({ shops, hello, postmaster, haproxy }: Setup): Times {
  const { user, system } = process.cpuUsage();
  return {
    atMs: performance.now(),
    shops: shops.map(({ pid }) => readCpuMs(pid) ?? Number.NaN),
    hello: readCpuMs(hello.pid) ?? Number.NaN,
    database: readFamilyCpuMs(postmaster) ?? Number.NaN,
    haproxy: readCpuMs(haproxy.pid) ?? Number.NaN,
    client: (user + system) / 1000,
    machine: readMachineMs(),
  };
}

/** CPU time per second of shop and database when nobody visits, in ms. */
export interface Rest {
  readonly shop: number;
  readonly database: number;
}

/** @param rest null for requests to the bare server */
export function evaluate(before: Times, after: Times, count: number, rest: Rest | null): Measured {
  const ms = after.atMs - before.atMs;
  const shops = after.shops.map((value, index) => value - (before.shops[index] ?? 0));
  const took = (part: 'hello' | 'database' | 'haproxy' | 'client' | 'machine'): number => after[part] - before[part];
  const servers = rest === null ? [took('hello')] : shops;
  const [haproxy, client] = [took('haproxy'), took('client')];
  const own = [...shops, took('hello'), took('database'), haproxy, client];
  return {
    perSecond: (count / ms) * 1000,
    shed: 0,
    cost: {
      server: (sum(servers) - ((rest?.shop ?? 0) * ms) / 1000) / count,
      database: rest === null ? 0 : (took('database') - (rest.database * ms) / 1000) / count,
      haproxy: haproxy / count,
      client: client / count,
    },
    cores: {
      machine: took('machine') / ms,
      busiest: Math.max(...servers) / ms,
      client: client / ms,
      haproxy: haproxy / ms,
      others: (took('machine') - sum(own)) / ms,
    },
  };
}

const computeRest = (before: Times, after: Times): Rest => {
  const seconds = (after.atMs - before.atMs) / 1000;
  return {
    shop: (sum(after.shops) - sum(before.shops)) / seconds,
    database: (after.database - before.database) / seconds,
  };
};

export async function measureRest(setup: Setup, seconds: number): Promise<Rest> {
  const before = readTimes(setup);
  await sleep(seconds * 1000);
  return computeRest(before, readTimes(setup));
}

/** Waits until the background work of shop and database is done. Stops waiting after a limit on a busy machine. */
export async function waitForRest(setup: Setup, rest: Rest): Promise<void> {
  const limit = (rest.shop + rest.database) * 1.5 + REST_TOLERANCE_MS;
  const end = performance.now() + REST_WITHIN_MS;
  for (let busy = Number.POSITIVE_INFINITY; busy > limit && performance.now() < end;) {
    const { shop, database } = await measureRest(setup, SAMPLE_SECONDS);
    busy = shop + database;
  }
}
