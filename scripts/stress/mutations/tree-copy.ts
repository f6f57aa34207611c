/**
 * A copy of the working tree in the temporary directory, in which faults are made and tests run. It has its own builds,
 * caches and temporary files; only the packages are shared.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  globSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { isAlive, isPostmasterOf, readPostmasterFile } from '#src/platform/database/postgres-process.ts';
import { DEFAULT_ASSETS_ROOT, Releases } from '#src/platform/pages/releases.ts';
import { applyFault } from './faults.ts';
import type { Fault } from './fault.ts';

const PREFIX = 'crypto-market-mutations-';
/** What is mounted, one per line. */
const MOUNTS = '/proc/self/mounts';
/** Downloads that tests unpack once and never change. */
const SHARED_CACHES = /^chromium-/;

/** Tracked and new files that exist, without ignored ones. */
function listSources(): string[] {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  const files = new Set(listed.split('\0'));
  return [...files].filter((file) => file !== '' && lstatSync(file, { throwIfNoEntry: false })?.isFile() === true);
}

/** Equal while no file of the working tree changes. */
export function hashTree(): string {
  const hash = createHash('sha256');
  for (const file of listSources().toSorted()) hash.update(`${file}\0`).update(readFileSync(file)).update('\0');
  return hash.digest('hex').slice(0, 16);
}

export class TreeCopy {
  /** Of the tree itself. */
  readonly directory: string;
  readonly #root: string;
  /** Files with a fault, with their code before it. */
  readonly #originals = new Map<string, string>();

  private constructor(root: string) {
    this.#root = root;
    this.directory = path.join(root, 'tree');
  }

  static async create(): Promise<TreeCopy> {
    await removeAbandoned();
    const root = mkdtempSync(path.join(os.tmpdir(), `${PREFIX}${process.pid}-`));
    // As root the databases run as another user, who needs access.
    chmodSync(root, 0o755);
    const copy = new TreeCopy(root);
    mkdirSync(copy.#temporary);
    for (const file of listSources()) cpSync(file, path.join(copy.directory, file));
    copyBuild(copy.directory);
    linkPackages(path.join(copy.directory, 'node_modules'));
    return copy;
  }

  get #temporary(): string {
    return path.join(this.#root, 'tmp');
  }

  /** For the processes of the tests. */
  get environment(): NodeJS.ProcessEnv {
    return {
      ...process.env,
      TMPDIR: this.#temporary,
      // A nested test runner would report to an outer one only.
      NODE_TEST_CONTEXT: undefined,
      NODE_COMPILE_CACHE: undefined,
      NO_COLOR: '1',
      FORCE_COLOR: undefined,
    };
  }

  makeFault(fault: Fault): void {
    const file = path.join(this.directory, fault.file);
    const code = readFileSync(file, 'utf8');
    this.#originals.set(file, code);
    writeFileSync(file, applyFault(code, fault));
  }

  restore(): void {
    for (const [file, code] of this.#originals) writeFileSync(file, code);
    this.#originals.clear();
  }

  /** Ends the databases of killed tests. They outlive the processes that started them. */
  endDatabases(): Promise<void> {
    return endDatabases(this.#temporary);
  }

  async remove(): Promise<void> {
    await this.endDatabases();
    removeRoot(this.#root);
  }
}

/** Copies the current build, which is fresh for the same sources and saves the first build. */
function copyBuild(directory: string): void {
  const current = Releases.of('engine', DEFAULT_ASSETS_ROOT).readCurrent();
  if (current === null) return;
  // Builds never change once they have their name. Others may be in progress.
  for (const part of [current.directory, current.assetsDirectory]) {
    cpSync(part, path.join(directory, path.relative('.', part)), { recursive: true });
  }
  writeFileSync(path.join(directory, 'build', 'current'), `${current.id}\n`);
}

/** Links to each package, so that caches and other folders of tools belong to the copy. */
function linkPackages(directory: string): void {
  mkdirSync(path.join(directory, '.cache'), { recursive: true });
  const link = (name: string): void => symlinkSync(path.resolve('node_modules', name), path.join(directory, name));
  for (const name of readdirSync('node_modules')) if (name === '.bin' || !name.startsWith('.')) link(name);
  const caches = existsSync('node_modules/.cache') ? readdirSync('node_modules/.cache') : [];
  for (const name of caches) if (SHARED_CACHES.test(name)) link(path.join('.cache', name));
}

async function endDatabases(temporary: string): Promise<void> {
  const files = globSync('{,*/}*/postmaster.pid', { cwd: temporary });
  for (const file of files) {
    const cluster = path.join(temporary, path.dirname(file));
    const found = await readPostmasterFile(cluster);
    if (found === null || found === 'empty' || !(await isPostmasterOf(cluster, found.pid))) continue;
    process.kill(found.pid, 'SIGQUIT');
  }
}

/** A killed test may have left a file system there that it mounted. */
function removeRoot(root: string): void {
  const mounts = existsSync(MOUNTS) ? readFileSync(MOUNTS, 'utf8').split('\n') : [];
  for (const line of mounts) {
    // Octal numbers stand for blanks.
    const directory = line.split(' ')[1]?.replaceAll(String.raw`\040`, ' ');
    if (directory?.startsWith(`${root}/`) === true) execFileSync('umount', [directory]);
  }
  rmSync(root, { recursive: true, force: true, maxRetries: 3 });
}

/** Removes the copies of killed runs. */
async function removeAbandoned(): Promise<void> {
  for (const name of readdirSync(os.tmpdir())) {
    const owner = new RegExp(`^${PREFIX}(\\d+)-`).exec(name)?.[1];
    if (owner === undefined || isAlive(Number(owner))) continue;
    const root = path.join(os.tmpdir(), name);
    await endDatabases(path.join(root, 'tmp'));
    removeRoot(root);
  }
}
