/** A machine of a database cluster: its own network, address and disk. */
import { execFile, execFileSync, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { chownSync, closeSync, mkdirSync, openSync, readFileSync, readlinkSync, rmSync, writeSync } from 'node:fs';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { waitUntil } from '../wait-until.ts';
import { getProgram } from './cluster-programs.ts';
import { PRIVATE_DIRECTORY } from './namespaces.ts';

const run = promisify(execFile);
/** PostgreSQL refuses to run as root. */
const NOBODY = '65534';
const BRIDGE = 'cluster';
/** Of the network that all machines share with the shop. */
const NETWORK = '10.77.0';
export const SHOP_ADDRESS = `${NETWORK}.1`;
export const NETWORK_RANGE = `${NETWORK}.0/24`;
const PRIORITY = -15;
const DISK = '1200m';

export function createNetwork(): void {
  const ip = getProgram('ip');
  execFileSync(ip, ['link', 'add', BRIDGE, 'type', 'bridge']);
  execFileSync(ip, ['address', 'add', `${SHOP_ADDRESS}/24`, 'dev', BRIDGE]);
  execFileSync(ip, ['link', 'set', BRIDGE, 'up']);
}

/** Whether root here is root outside of the namespaces too, so that it can become another user. */
const hasOtherUsers = (): boolean => /^\s*0\s+0\s+\d{9,}/.test(readFileSync('/proc/self/uid_map', 'utf8'));

/** As if the machine had CPUs of its own, apart from those of shop and buyers. Needs root. */
export function preferProcess({ pid }: ChildProcess): void {
  if (pid !== undefined && hasOtherUsers()) setPriority(pid, PRIORITY);
}

export class Machine {
  readonly name: string;
  readonly address: string;
  /** Its disk, a file system of its own. */
  readonly home: string;
  readonly #link: string;
  readonly #network: string;

  private constructor(number: number, network: string) {
    this.name = `db${number}`;
    this.address = `${NETWORK}.${10 + number}`;
    this.home = join(PRIVATE_DIRECTORY, this.name);
    this.#link = `link${number}`;
    this.#network = network;
    mkdirSync(this.home);
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK},mode=700`, this.name, this.home]);
    if (hasOtherUsers()) chownSync(this.home, Number(NOBODY), Number(NOBODY));
  }

  static async create(number: number): Promise<Machine> {
    const holder = spawn(getProgram('unshare'), ['--net', 'sleep', 'infinity'], { stdio: 'ignore' });
    holder.unref();
    const network = `/proc/${holder.pid}/ns/net`;
    await waitUntil(() => readlinkSync(network) !== readlinkSync('/proc/self/ns/net'));
    const machine = new Machine(number, network);
    machine.#connectNetwork(holder);
    return machine;
  }

  #connectNetwork({ pid }: ChildProcess): void {
    const ip = getProgram('ip');
    const end = 'eth0';
    const pair = ['type', 'veth', 'peer', 'name', end, 'netns', String(pid)];
    execFileSync(ip, ['link', 'add', this.#link, ...pair]);
    execFileSync(ip, ['link', 'set', this.#link, 'master', BRIDGE, 'up']);
    const enter = [`--net=${this.#network}`, ip];
    execFileSync(getProgram('nsenter'), [...enter, 'link', 'set', 'lo', 'up']);
    execFileSync(getProgram('nsenter'), [...enter, 'address', 'add', `${this.address}/24`, 'dev', end]);
    execFileSync(getProgram('nsenter'), [...enter, 'link', 'set', end, 'up']);
  }

  /** The arguments of `nsenter` that run a program here, not as root. The program has the process id of `nsenter`. */
  #enter(command: readonly string[]): string[] {
    const user = hasOtherUsers()
      ? [getProgram('setpriv'), `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups']
      : [getProgram('unshare'), '--user', `--map-user=${NOBODY}`, `--map-group=${NOBODY}`];
    return [`--net=${this.#network}`, ...user, ...command];
  }

  get #environment() {
    return { PATH: process.env['PATH'], HOME: this.home, LC_ALL: 'C.UTF-8', PYTHONDONTWRITEBYTECODE: '1' };
  }

  /** Starts a program whose output goes to a file outside of the disk. */
  start(program: string, args: readonly string[], logFile: string): ChildProcess {
    const child = this.#start(this.#enter([program, ...args]), logFile, this.home);
    preferProcess(child);
    return child;
  }

  /** Starts a script of the tests, whose directory other users may be unable to read. */
  startAsRoot(program: string, args: readonly string[], logFile: string): ChildProcess {
    return this.#start([`--net=${this.#network}`, program, ...args], logFile, process.cwd());
  }

  #start(args: readonly string[], logFile: string, cwd: string): ChildProcess {
    const log = openSync(logFile, 'a');
    const child = spawn(getProgram('nsenter'), args, { cwd, env: this.#environment, stdio: ['ignore', log, log] });
    closeSync(log);
    return child;
  }

  /** @returns the output of a program */
  async run(program: string, ...args: readonly string[]): Promise<string> {
    const options = { cwd: this.home, env: this.#environment };
    const { stdout } = await run(getProgram('nsenter'), this.#enter([program, ...args]), options);
    return stdout;
  }

  /** Cuts it off from all others; its processes go on. */
  disconnect(): void {
    execFileSync(getProgram('ip'), ['link', 'set', this.#link, 'down']);
  }

  connect(): void {
    execFileSync(getProgram('ip'), ['link', 'set', this.#link, 'up']);
  }

  get #ballast(): string {
    return join(this.home, 'ballast');
  }

  fillDisk(): void {
    const file = openSync(this.#ballast, 'w');
    const chunk = Buffer.alloc(65_536);
    try {
      for (;;) writeSync(file, chunk);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
    } finally {
      closeSync(file);
    }
  }

  freeDisk(): void {
    rmSync(this.#ballast, { force: true });
  }
}
