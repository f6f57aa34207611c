/**
 * Builds of the pages. Each has an id and two folders: the server's bundle, below the project since it imports packages,
 * and its assets (scripts, styles, pictures), below a root that several code folders may share. Folders never change
 * once they have their name, and a pointer file names the current build.
 */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { utimesSync, writeFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import path from 'node:path';

export type PageRenderer = 'engine' | 'stock';
const BUILD_DIRECTORIES: Readonly<Record<PageRenderer, string>> = { engine: 'build', stock: 'build-stock' };

/** Where assets are unless ASSETS_DIR names another directory. */
export const DEFAULT_ASSETS_ROOT = path.join('build', 'assets');
/** Assets stay this long after the last process that uses them has stopped or a newer build exists. */
const KEPT_MS = 24 * 3600_000;
/** Most builds in one root of assets. */
const MAX_RELEASES = 20;
/** How often a running process records that it uses its release. */
export const USE_RECORD_MS = 3600_000;
/** Ids begin with the time of the build, so they sort by age. */
const RELEASE_ID = /^\d{8}T\d{9}-[0-9a-f]{8}$/;
const PARTIAL = '.partial-';

export interface Release {
  readonly id: string;
  /** Of the server's bundle and the stamp. */
  readonly directory: string;
  readonly assetsDirectory: string;
}

export const createReleaseId = (now: Date): string =>
  `${now.toISOString().replaceAll(/[-:.Z]/g, '')}-${randomBytes(4).toString('hex')}`;

export function resolveRelease(renderer: PageRenderer, assetsRoot: string, id: string): Release {
  const directory = path.resolve(BUILD_DIRECTORIES[renderer], 'releases', id);
  return { id, directory, assetsDirectory: path.resolve(assetsRoot, id) };
}

/** Where a build is written before it is published. */
export const getPartialDirectory = (renderer: PageRenderer, id: string): string =>
  path.resolve(BUILD_DIRECTORIES[renderer], 'releases', `${PARTIAL}${id}`);

const isComplete = ({ directory, assetsDirectory }: Release): boolean =>
  existsSync(directory) && existsSync(assetsDirectory);

/** Ids in a directory, oldest first. */
export function listReleaseIds(directory: string): readonly string[] {
  if (!existsSync(directory)) return [];
  return readdirSync(directory)
    .filter((name) => RELEASE_ID.test(name))
    .toSorted();
}

/** The complete builds of this code folder, newest first. */
export const listReleases = (renderer: PageRenderer, assetsRoot: string): readonly Release[] =>
  listReleaseIds(path.join(BUILD_DIRECTORIES[renderer], 'releases'))
    .map((id) => resolveRelease(renderer, assetsRoot, id))
    .filter(isComplete)
    .toReversed();

const getPointerPath = (renderer: PageRenderer): string => path.resolve(BUILD_DIRECTORIES[renderer], 'current');

/** The build that the next process uses; null if there is none, or its assets are missing. */
export function readCurrentRelease(renderer: PageRenderer, assetsRoot: string): Release | null {
  const pointer = getPointerPath(renderer);
  const id = existsSync(pointer) ? readFileSync(pointer, 'utf8').trim() : '';
  if (!RELEASE_ID.test(id)) return null;
  const release = resolveRelease(renderer, assetsRoot, id);
  return isComplete(release) ? release : null;
}

/** Makes a complete build the current one, atomically. */
export function setCurrentRelease(renderer: PageRenderer, id: string): void {
  const pointer = getPointerPath(renderer);
  const partial = `${pointer}.${process.pid}`;
  writeFileSync(partial, `${id}\n`);
  renameSync(partial, pointer);
}

/** Moves a finished build to its place. The server's bundle is last, so a release with it is complete. */
export function publishRelease(renderer: PageRenderer, assetsRoot: string, id: string): void {
  const { directory, assetsDirectory } = resolveRelease(renderer, assetsRoot, id);
  const partial = getPartialDirectory(renderer, id);
  mkdirSync(assetsRoot, { recursive: true });
  moveDirectory(path.join(partial, 'client', 'assets'), assetsDirectory);
  renameSync(partial, directory);
  setCurrentRelease(renderer, id);
}

/** Atomic, also to another file system. */
function moveDirectory(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error) || error.code !== 'EXDEV') throw error;
    const partial = path.join(path.dirname(to), PARTIAL + path.basename(to));
    cpSync(from, partial, { recursive: true });
    renameSync(partial, to);
    rmSync(from, { recursive: true });
  }
}

/** Records that a process uses the release. Does nothing for a user who may not write there. */
export function recordUse({ assetsDirectory }: Release, now = new Date()): void {
  try {
    utimesSync(assetsDirectory, now, now);
  } catch {
    // Then its assets stay a day after the next build.
  }
}

const readMtime = (file: string): number => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;

/** When the assets may be removed: a day after their last use, and a day after a newer build exists. */
function listExpiries(assetsRoot: string): readonly { readonly id: string; readonly expiresAt: number }[] {
  const ids = listReleaseIds(assetsRoot);
  return ids.map((id, index) => {
    const next = ids[index + 1];
    const replacedAt = next === undefined ? Infinity : readBuiltAt(next);
    return { id, expiresAt: Math.max(readMtime(path.join(assetsRoot, id)), replacedAt) + KEPT_MS };
  });
}

/** The time in an id, in ms. */
function readBuiltAt(id: string): number {
  const [, date, time, ms] = /^(\d{8})T(\d{6})(\d{3})/.exec(id) ?? [];
  const iso = `${date}T${time}`.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)$/, '$1-$2-$3T$4:$5:$6');
  return Date.parse(`${iso}.${ms}Z`);
}

/**
 * Removes expired assets, the oldest ones above the maximum, and bundles without assets. The current build of this code
 * folder stays.
 */
export function removeOldReleases(renderer: PageRenderer, assetsRoot: string, nowMs = Date.now()): void {
  const current = readCurrentRelease(renderer, assetsRoot)?.id;
  const expiries = listExpiries(assetsRoot).filter(({ id }) => id !== current);
  const surplus = Math.max(0, expiries.length + 1 - MAX_RELEASES);
  const removed = expiries.filter(({ expiresAt }, index) => index < surplus || expiresAt <= nowMs);
  for (const { id } of removed) removeDirectory(path.join(assetsRoot, id));
  removePartials(assetsRoot, nowMs);
  const bundles = path.join(BUILD_DIRECTORIES[renderer], 'releases');
  for (const id of listReleaseIds(bundles)) {
    if (id !== current && !existsSync(path.join(assetsRoot, id))) removeDirectory(path.join(bundles, id));
  }
  // The caller holds the lock of builds of this code folder.
  removePartials(bundles, Infinity);
}

/** Renamed first, so that a half-removed folder has no valid name. */
function removeDirectory(directory: string): void {
  const partial = path.join(path.dirname(directory), PARTIAL + path.basename(directory));
  renameSync(directory, partial);
  rmSync(partial, { recursive: true, force: true });
}

/** Left by a killed build or removal. */
function removePartials(directory: string, nowMs: number): void {
  if (!existsSync(directory)) return;
  for (const name of readdirSync(directory).filter((one) => one.startsWith(PARTIAL))) {
    const partial = path.join(directory, name);
    if (readMtime(partial) < nowMs - KEPT_MS) rmSync(partial, { recursive: true, force: true });
  }
}
