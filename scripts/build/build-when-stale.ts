/** Builds the bundles of the pages and of the shop's program if their inputs have changed. */
import { spawn } from 'node:child_process';
import { accessSync, constants, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createReleaseId, DEFAULT_ASSETS_ROOT, recordUse, Releases } from '#src/platform/pages/releases.ts';
import type { PageRenderer, Release } from '#src/platform/pages/releases.ts';
import { BUILD_DIRECTORY } from './build-directory.ts';
import {
  areWrittenSince,
  clearRecords,
  hashFileTimes,
  hashInputs,
  isStringList,
  readRecordedInputs,
} from './build-inputs.ts';

/** Set by a test run that opens no page, so that outdated bundles are sufficient. */
export const ACCEPT_STALE_PAGES = 'CRYPTO_MARKET_ACCEPT_STALE_PAGES';
const LOCK = 'node_modules/.cache/build.lock';

interface Stamp {
  readonly hash: string;
  readonly times: string;
  readonly files: readonly string[];
}

const isStamp = (value: unknown): value is Stamp =>
  typeof value === 'object' &&
  value !== null &&
  'hash' in value &&
  typeof value.hash === 'string' &&
  'times' in value &&
  typeof value.times === 'string' &&
  'files' in value &&
  isStringList(value.files);

const getStampPath = (directory: string): string => path.join(directory, 'stamp');

/** Whether a build matches its source files, which its stamp lists. */
function isFresh({ directory }: Release): boolean {
  try {
    const stamp: unknown = JSON.parse(readFileSync(getStampPath(directory), 'utf8'));
    // Reading every file takes a tenth of the start.
    return isStamp(stamp) && (stamp.times === hashFileTimes(stamp.files) || stamp.hash === hashInputs(stamp.files));
  } catch {
    return false;
  }
}

/** Whether the next process can use the current build. */
function isCurrentFresh(releases: Releases): boolean {
  const current = releases.readCurrent();
  return current !== null && (process.env[ACCEPT_STALE_PAGES] === '1' || isFresh(current));
}

export type BuildOutcome = 'built' | 'was-fresh' | 'failed';

/**
 * Builds if needed, in a new folder, and makes it the current build once it is complete. A failed build leaves the
 * current one in place and prints the reason to standard error.
 * @param assetsRoot directory with the assets of all releases
 */
export async function buildWhenStale(
  renderer: PageRenderer = 'engine',
  assetsRoot = DEFAULT_ASSETS_ROOT,
): Promise<BuildOutcome> {
  const releases = Releases.of(renderer, assetsRoot);
  try {
    releases.adoptAssets(DEFAULT_ASSETS_ROOT);
    if (isCurrentFresh(releases)) return 'was-fresh';
    return await build(renderer, releases);
  } catch (error) {
    const message = formatWriteError(error);
    if (message === null) throw error;
    process.stderr.write(`${message}\n`);
    return 'failed';
  }
}

/** Explains in one line why files cannot be written. Null for any other error. */
function formatWriteError(error: unknown): string | null {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOSPC') return `The disk of ${process.cwd()} is full: free some space and start again.`;
  if (code !== 'EACCES' && code !== 'EPERM' && code !== 'EROFS') return null;
  const written = error instanceof Error && 'path' in error ? path.resolve(String(error.path)) : process.cwd();
  return `The shop is not built, and this user may not write to ${written}: run "npm run build" as the owner of the code.`;
}

async function build(renderer: PageRenderer, releases: Releases): Promise<BuildOutcome> {
  // Checked before the build, which takes seconds.
  accessSync('.', constants.W_OK);
  await takeLock();
  const id = createReleaseId(new Date());
  const partial = releases.getPartialDirectory(id);
  try {
    // Another process may have built while this one waited.
    if (isCurrentFresh(releases)) return 'was-fresh';
    releases.removeOld();
    // Back to a former release without another build.
    const former = releases.list().find(isFresh);
    if (former !== undefined) {
      recordUse(former);
      releases.setCurrent(former.id);
      return 'was-fresh';
    }
    const startedMs = Date.now();
    process.stdout.write('Building the shop … ');
    clearRecords();
    const { isBuilt, output } = await runBuild(renderer, partial);
    if (!isBuilt) {
      process.stdout.write('failed\n');
      process.stderr.write(`${output}\n`);
      return 'failed';
    }
    writeStamp(partial, startedMs);
    releases.publish(id);
    process.stdout.write(`done in ${((Date.now() - startedMs) / 1000).toFixed(1)} s\n`);
    if (output !== '') process.stderr.write(`${output}\n`);
    return 'built';
  } finally {
    rmSync(partial, { recursive: true, force: true });
    rmSync(LOCK, { force: true });
  }
}

/** Writes what `isFresh` compares. */
function writeStamp(directory: string, startedMs: number): void {
  const files = readRecordedInputs();
  const isEdited = areWrittenSince(files, startedMs);
  // The times are read first, so that they differ if a file is written before its content is read.
  const times = isEdited ? '' : hashFileTimes(files);
  const hash = isEdited ? '' : hashInputs(files);
  const stamp: Stamp = { hash, times, files };
  writeFileSync(getStampPath(directory), JSON.stringify(stamp));
}

interface BuildRun {
  readonly isBuilt: boolean;
  /** Errors and warnings. Empty if there are none. */
  readonly output: string;
}

async function runBuild(renderer: PageRenderer, directory: string): Promise<BuildRun> {
  const child = spawn(
    process.execPath,
    [
      '--disable-warning=ExperimentalWarning',
      'node_modules/@react-router/dev/bin.cjs',
      'build',
      '--logLevel',
      'warn',
      ...(renderer === 'stock' ? ['--mode', 'stock'] : []),
    ],
    {
      env: {
        ...process.env,
        NODE_ENV: 'production',
        NO_COLOR: '1',
        FORCE_COLOR: undefined,
        [BUILD_DIRECTORY]: directory,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  // The build ends with this process.
  const endChild = (): void => void child.kill();
  process.once('exit', endChild);
  // The build survives SIGKILL of this process, and the next start must not build at the same time.
  writeFileSync(LOCK, `${process.pid} ${child.pid}`);
  const output: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => output.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => output.push(chunk));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  process.off('exit', endChild);
  // Without the stack trace of the tool.
  const printed = Buffer.concat(output).toString();
  return { isBuilt: code === 0, output: printed.replaceAll(/^ {4}at .*\n/gm, '').trim() };
}

/** Serializes builds. The lock file contains the ids of its owners, so that a killed build does not block the next. */
async function takeLock(): Promise<void> {
  mkdirSync('node_modules/.cache', { recursive: true });
  for (;;) {
    try {
      writeFileSync(LOCK, String(process.pid), { flag: 'wx' });
      return;
    } catch (error) {
      if (!existsSync(LOCK) && formatWriteError(error) !== null) throw error;
      const owners = existsSync(LOCK) ? readFileSync(LOCK, 'utf8').split(' ').map(Number) : [0];
      // Zero: the owner has just released the lock or has not written its id yet.
      if (owners.every((owner) => owner > 0 && !isAlive(owner))) rmSync(LOCK, { force: true });
      await sleep(200);
    }
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
