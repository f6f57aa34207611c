/** What happens to a database cluster and a shop while they sell. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { waitUntil } from '../wait-until.ts';
import type { ClusterShop } from './cluster-shop.ts';
import type { DatabaseMachine } from './database-cluster.ts';

interface Injected {
  /** Sales of later orders are sales after the fault. */
  readonly beganMs: number;
  /** Undoes it, once sales go on. @returns differences */
  readonly undo?: () => Promise<readonly string[]>;
  readonly note?: string;
}

export interface Fault {
  readonly title: string;
  /** Whether sales must go on within the limit. */
  readonly isLimited?: boolean;
  /** Whether no request may fail. */
  readonly isHarmless?: boolean;
  inject(shop: ClusterShop): Promise<Injected>;
}

async function killPrimary({ cluster }: ClusterShop): Promise<Injected> {
  const primary = await cluster.findMachine('leader');
  const beganMs = Date.now();
  await primary.killWithPatroni();
  return { beganMs };
}

/** The member that leads etcd is the one whose loss costs most. */
async function killEtcd({ cluster }: ClusterShop): Promise<Injected> {
  const leads = await Promise.all(cluster.machines.map((one) => one.leadsEtcd()));
  const beganMs = Date.now();
  await cluster.machines[leads.indexOf(true)]?.killEtcd();
  return { beganMs };
}

async function killPostgres({ cluster }: ClusterShop): Promise<Injected> {
  const primary = await cluster.findMachine('leader');
  const beganMs = Date.now();
  primary.killPostgres();
  return { beganMs };
}

async function killShop(shop: ClusterShop): Promise<Injected> {
  const beganMs = Date.now();
  await shop.replace(0, { isKilled: true });
  return { beganMs };
}

async function switchOver({ cluster }: ClusterShop): Promise<Injected> {
  const [primary, standby] = [await cluster.findMachine('leader'), await cluster.findMachine('sync_standby')];
  const beganMs = Date.now();
  await cluster.switchOver(primary, standby);
  return { beganMs };
}

async function update(shop: ClusterShop): Promise<Injected> {
  const beganMs = Date.now();
  for (const index of shop.processes.keys()) await shop.replace(index);
  return { beganMs };
}

/** Longer than Patroni needs to stop an isolated primary. */
const ISOLATED_MS = 10_000;

/** A client on the isolated machine goes on writing to it. */
async function isolatePrimary(shop: ClusterShop): Promise<Injected> {
  await sql`create table if not exists isolated_writes (began_ms bigint not null)`.execute(shop.db);
  const primary = await shop.cluster.findMachine('leader');
  const writer = startWriter(shop, primary);
  await waitUntil(() => writer.listAcknowledged().length > 0);
  primary.machine.disconnect();
  const cutMs = Date.now();
  const undo = async (): Promise<readonly string[]> => {
    await sleep(Math.max(0, cutMs + ISOLATED_MS - Date.now()));
    primary.machine.connect();
    writer.stop();
    const acknowledged = writer.listAcknowledged().filter((writtenMs) => writtenMs > cutMs);
    return acknowledged.map((ms) => `the isolated primary acknowledged a write ${ms - cutMs} ms later`);
  };
  return { beganMs: cutMs, undo };
}

interface Writer {
  /** When each acknowledged write began. */
  listAcknowledged(): number[];
  stop(): void;
}

function startWriter({ cluster }: ClusterShop, { host, machine }: DatabaseMachine): Writer {
  const file = join(cluster.directory, `writes-${Date.now()}`);
  const script = 'tests/support/cluster/isolated-writer.ts';
  const writer = machine.startAsRoot(process.execPath, [script, cluster.urlOf(host)], file);
  const listAcknowledged = (): number[] =>
    readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => /^\d+$/.test(line))
      .map(Number);
  return { listAcknowledged, stop: () => void writer.kill('SIGKILL') };
}

/** How long sales may stop at a full disk until the operator acts. */
const OPERATOR_AFTER_MS = 20_000;

/**
 * PostgreSQL crashes when it needs a new file of WAL, and is replaced. Before that it may refuse only the writes that
 * need space: then the operator switches over.
 */
async function fillDisk(shop: ClusterShop): Promise<Injected> {
  const { cluster } = shop;
  const primary = await cluster.findMachine('leader');
  const standby = await cluster.findMachine('sync_standby');
  const beganMs = Date.now();
  primary.machine.fillDisk();
  const hasMoved = async (): Promise<boolean> => (await cluster.findMachine('leader')) !== primary;
  while (!(await hasMoved()) && Date.now() < beganMs + OPERATOR_AFTER_MS) await sleep(200);
  const isOperatorNeeded = !(await hasMoved());
  if (isOperatorNeeded) await cluster.switchOver(primary, standby);
  await waitUntil(hasMoved);
  const undo = (): Promise<readonly string[]> => {
    primary.machine.freeDisk();
    return Promise.resolve([]);
  };
  return { beganMs, undo, note: isOperatorNeeded ? 'by the operator' : 'by itself' };
}

/** In the order of a run. */
export const FAULT_NAMES = [
  'primary',
  'postgres',
  'etcd',
  'shop',
  'partition',
  'switchover',
  'disk',
  'update',
] as const;
export type FaultName = (typeof FAULT_NAMES)[number];

export const FAULTS: Readonly<Record<FaultName, Fault>> = {
  primary: { title: 'kill -9 of the primary with its Patroni', isLimited: true, inject: killPrimary },
  postgres: { title: 'kill -9 of the primary alone', isLimited: true, inject: killPostgres },
  etcd: { title: 'kill -9 of the member that leads etcd', inject: killEtcd },
  shop: { title: 'kill -9 of a process of the shop', inject: killShop },
  partition: { title: 'the primary cut off from the network', isLimited: true, inject: isolatePrimary },
  switchover: { title: 'a switchover', inject: switchOver },
  disk: { title: 'a full disk on the primary', inject: fillDisk },
  update: { title: 'a rolling update of the shop', isHarmless: true, inject: update },
};
