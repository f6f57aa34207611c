/** Three PostgreSQL servers under Patroni with etcd, and HAProxy, from the files of deploy/. */
import { execFileSync, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import type { QueryResultRow } from 'pg';
import { killDatabase } from '../kill-database.ts';
import { listAt, numberAt, textAt } from '../read-json.ts';
import { waitUntil } from '../wait-until.ts';
import { getPostgresPrograms, getProgram } from './cluster-programs.ts';
import { createNetwork, Machine, NETWORK_RANGE, preferProcess, SHOP_ADDRESS } from './machine.ts';
import { PRIVATE_DIRECTORY } from './namespaces.ts';

const ADMIN_PASSWORD = 'change-me-1';
const SHOP_LOGIN = 'shop:shop';
const DATABASE = 'shop';
const SERVERS = 3;
const SCOPE = 'shop';

/** Replaces a text that must occur. */
function replaceAll(text: string, from: string | RegExp, to: string): string {
  const isFound = typeof from === 'string' ? text.includes(from) : text.search(from) >= 0;
  if (!isFound) throw new Error(`the configuration does not contain ${String(from)}`);
  return text.replaceAll(from, to);
}

export interface Member {
  readonly name: string;
  /** As Patroni names it: leader, sync_standby, replica. */
  readonly role: string;
  readonly isRunning: boolean;
  readonly timeline: number | null;
}

/** A database server with its Patroni and its member of etcd. */
export class DatabaseMachine {
  readonly machine: Machine;
  readonly #logs: string;
  #patroni: ChildProcess | null = null;
  #etcd: ChildProcess | null = null;

  constructor(machine: Machine, logs: string) {
    [this.machine, this.#logs] = [machine, logs];
    writeFileSync(this.configFile, this.#configure());
  }

  get name(): string {
    return this.machine.name;
  }

  get host(): string {
    return `${this.machine.address}:5432`;
  }

  /** Of Patroni. */
  get configFile(): string {
    return join(this.#logs, `${this.machine.name}.yml`);
  }

  #configure(): string {
    const { home, address, name } = this.machine;
    let config = readFileSync('deploy/patroni.yml', 'utf8');
    config = replaceAll(config, 'name: db1', `name: ${name}`);
    // Its own address, except in the list of etcd's members.
    config = replaceAll(config, /(listen|connect_address): 10\.0\.0\.11/g, `$1: ${address}`);
    config = replaceAll(config, '10.0.0.0/24', NETWORK_RANGE);
    config = replaceAll(config, '10.0.0.', '10.77.0.');
    config = replaceAll(config, '/var/lib/postgresql/15/shop', join(home, 'postgres'));
    config = replaceAll(config, '/usr/lib/postgresql/15/bin', getPostgresPrograms());
    config = replaceAll(config, '/var/lib/postgresql/.pgpass-patroni', join(home, 'pgpass'));
    config = replaceAll(config, '/var/run/postgresql', home);
    // PostgreSQL does not run as its usual user.
    return replaceAll(config, 'local all postgres peer', 'local all postgres scram-sha-256');
  }

  startEtcd(machines: readonly DatabaseMachine[]): void {
    const { address, home } = this.machine;
    const peers = machines.map(({ name, machine }) => `${name}=http://${machine.address}:2380`).join(',');
    const args = [
      ['--name', this.name],
      ['--data-dir', join(home, 'etcd')],
      ['--listen-client-urls', `http://${address}:2379`],
      ['--advertise-client-urls', `http://${address}:2379`],
      ['--listen-peer-urls', `http://${address}:2380`],
      ['--initial-advertise-peer-urls', `http://${address}:2380`],
      ['--initial-cluster', peers],
    ].flat();
    this.#etcd = this.machine.start(getProgram('etcd'), args, join(this.#logs, `${this.name}-etcd.log`));
  }

  startPatroni(): void {
    const log = join(this.#logs, `${this.name}-patroni.log`);
    this.#patroni = this.machine.start(getProgram('patroni'), [this.configFile], log);
  }

  get isPatroniRunning(): boolean {
    return isRunning(this.#patroni);
  }

  get isEtcdRunning(): boolean {
    return isRunning(this.#etcd);
  }

  /** Kills PostgreSQL and Patroni at the same time. */
  async killWithPatroni(): Promise<void> {
    const ended = this.#patroni === null ? null : kill9(this.#patroni);
    this.killPostgres();
    await ended;
  }

  killPostgres(): void {
    killDatabase(this.machine.home);
  }

  /** Whether its member leads etcd. */
  async leadsEtcd(): Promise<boolean> {
    const url = `http://${this.machine.address}:2379/v3/maintenance/status`;
    const response = await fetch(url, { method: 'POST', body: '{}' });
    const status: unknown = await response.json();
    return textAt(status, 'leader') === textAt(status, 'header', 'member_id');
  }

  async killEtcd(): Promise<void> {
    if (this.#etcd !== null) await kill9(this.#etcd);
  }

  readLog(): string {
    return readFileSync(join(this.#logs, `${this.name}-patroni.log`), 'utf8');
  }
}

const isRunning = (child: ChildProcess | null): boolean =>
  child !== null && child.exitCode === null && child.signalCode === null;

async function kill9(child: ChildProcess): Promise<void> {
  if (!isRunning(child)) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

export class DatabaseCluster {
  readonly machines: readonly DatabaseMachine[];
  readonly directory: string;

  private constructor(machines: readonly DatabaseMachine[], directory: string) {
    [this.machines, this.directory] = [machines, directory];
  }

  static async start(): Promise<DatabaseCluster> {
    createNetwork();
    const directory = join(PRIVATE_DIRECTORY, 'run');
    mkdirSync(directory);
    const machines: DatabaseMachine[] = [];
    for (let number = 1; number <= SERVERS; number += 1) {
      machines.push(new DatabaseMachine(await Machine.create(number), directory));
    }
    const cluster = new DatabaseCluster(machines, directory);
    for (const one of machines) one.startEtcd(machines);
    for (const one of machines) one.startPatroni();
    await cluster.waitUntilWhole();
    const [role, password] = SHOP_LOGIN.split(':');
    await cluster.query(`create role ${role} login password '${password}'`, 'postgres');
    await cluster.query(`create database ${DATABASE} owner ${role} encoding 'UTF8' template template0`, 'postgres');
    return cluster;
  }

  /** DATABASE_URL with all hosts. */
  get hostsUrl(): string {
    return this.urlOf(this.machines.map(({ host }) => host).join(','));
  }

  urlOf(hosts: string): string {
    return `postgres://${SHOP_LOGIN}@${hosts}/${DATABASE}?target_session_attrs=read-write`;
  }

  /** DATABASE_URL through HAProxy. */
  get proxyUrl(): string {
    return `postgres://${SHOP_LOGIN}@${SHOP_ADDRESS}:5432/${DATABASE}`;
  }

  /** Members of the cluster, from the first Patroni that responds. */
  async listMembers(): Promise<readonly Member[]> {
    const requests = this.machines.map(async ({ machine }) => {
      const signal = AbortSignal.timeout(2_000);
      const response = await fetch(`http://${machine.address}:8008/cluster`, { signal });
      const body: unknown = await response.json();
      return listAt(body, 'members').map((member) => ({
        name: textAt(member, 'name'),
        role: textAt(member, 'role'),
        isRunning: ['running', 'streaming'].includes(textAt(member, 'state')),
        timeline:
          typeof member === 'object' && member !== null && 'timeline' in member ? numberAt(member, 'timeline') : null,
      }));
    });
    return Promise.any(requests).catch(() => []);
  }

  /** Waits until there is a primary with a synchronous standby, and all servers follow it. */
  async waitUntilWhole(): Promise<void> {
    await waitUntil(async () => {
      const members = await this.listMembers();
      const leader = members.find(({ role }) => role === 'leader');
      return (
        members.length === SERVERS &&
        members.every(({ isRunning: runs, timeline }) => runs && timeline === leader?.timeline) &&
        members.some(({ role }) => role === 'sync_standby')
      );
    });
  }

  async findMachine(role: 'leader' | 'sync_standby'): Promise<DatabaseMachine> {
    let found: DatabaseMachine | undefined;
    await waitUntil(async () => {
      const member = (await this.listMembers()).find((one) => one.role === role);
      found = this.machines.find(({ name }) => name === member?.name);
      return found !== undefined;
    });
    if (found === undefined) throw new Error(`no ${role}`);
    return found;
  }

  /** Starts what was killed. */
  revive(): void {
    for (const one of this.machines) {
      if (!one.isEtcdRunning) one.startEtcd(this.machines);
      if (!one.isPatroniRunning) one.startPatroni();
    }
  }

  async switchOver(from: DatabaseMachine, to: DatabaseMachine): Promise<void> {
    const names = ['--leader', from.name, '--candidate', to.name];
    await to.machine.run(getProgram('patronictl'), '-c', to.configFile, 'switchover', SCOPE, ...names, '--force');
  }

  /** Runs a statement on the primary as administrator. */
  async query<Row extends QueryResultRow>(text: string, database = DATABASE): Promise<Row[]> {
    const primary = await this.findMachine('leader');
    const login = { user: 'postgres', password: ADMIN_PASSWORD, database };
    const client = new Client({ host: primary.machine.address, port: 5432, ...login });
    await client.connect();
    try {
      return (await client.query<Row>(text)).rows;
    } finally {
      await client.end();
    }
  }
}

export const PROXY_URL = `http://${SHOP_ADDRESS}:8080`;

/** HAProxy in front of the processes of the shop on these ports, and of the database. */
export function startProxy(cluster: DatabaseCluster, shopPorts: readonly number[]): ChildProcess {
  let config = readFileSync('deploy/haproxy.cfg', 'utf8');
  // It stays the user of the tests.
  config = replaceAll(config, /^\t(?:user|group) haproxy\n/gm, '');
  config = replaceAll(
    config,
    /^\tbind :80\n\tbind :443 .*\n\thttp-request redirect .*\n/gm,
    `\tbind ${SHOP_ADDRESS}:8080\n`,
  );
  config = replaceAll(config, 'bind 10.0.0.20:5432', `bind ${SHOP_ADDRESS}:5432`);
  for (const [index, port] of shopPorts.entries()) {
    config = replaceAll(config, `10.0.0.2${index + 1}:3000`, `127.0.0.1:${port}`);
  }
  config = replaceAll(config, '10.0.0.1', '10.77.0.1');
  const file = join(cluster.directory, 'haproxy.cfg');
  writeFileSync(file, config);
  execFileSync(getProgram('haproxy'), ['-c', '-q', '-f', file]);
  const log = openSync(join(cluster.directory, 'haproxy.log'), 'a');
  const proxy = spawn(getProgram('haproxy'), ['-db', '-f', file], { stdio: ['ignore', log, log] });
  preferProcess(proxy);
  return proxy;
}
