/**
 * Builds of the pages. Each has an id and two folders: the server's bundle, below the project since it imports packages,
 * and its assets (scripts, styles, pictures), below a root that several code folders may share. Folders never change
 * once they have their name, and a pointer file names the current build.
 */
import { randomBytes } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';

/** Each has its own builds. */
export type PageRenderer = 'engine' | 'stock';
const BUILD_DIRECTORIES: Readonly<Record<PageRenderer, string>> = { engine: 'build', stock: 'build-stock' };

/** Where assets are unless ASSETS_DIR names another directory. */
export const DEFAULT_ASSETS_ROOT = path.resolve('build', 'assets');
/** Assets stay this long after the last process that uses them has stopped, and after a newer build exists. */
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

/** The time in an id, in ms. */
function readBuiltAt(id: string): number {
  const [date, time] = [id.slice(0, 8), id.slice(9, 18)];
  const [day, clock] = [date.replace(/(....)(..)(..)/, '$1-$2-$3'), time.replace(/(..)(..)(..)(...)/, '$1:$2:$3.$4')];
  return Date.parse(`${day}T${clock}Z`);
}

/** Ids of the builds in a directory, oldest first. */
export function listReleaseIds(directory: string): readonly string[] {
  if (!existsSync(directory)) return [];
  return readdirSync(directory)
    .filter((name) => RELEASE_ID.test(name))
    .toSorted();
}

/** Records that a process uses the release. Does nothing for a user who may not write there. */
export function recordUse({ assetsDirectory }: Release, now = new Date()): void {
  try {
    utimesSync(assetsDirectory, now, now);
  } catch {
    // Then its assets stay a day after the next build.
  }
}

/** The builds of one code folder for one renderer. Only the holder of the lock of builds may change them. */
export class Releases {
  readonly #bundles: string;
  readonly #assetsRoot: string;
  readonly #pointer: string;

  constructor(buildDirectory: string, assetsRoot: string) {
    this.#bundles = path.resolve(buildDirectory, 'releases');
    this.#pointer = path.resolve(buildDirectory, 'current');
    this.#assetsRoot = path.resolve(assetsRoot);
  }

  static of(renderer: PageRenderer, assetsRoot: string): Releases {
    return new Releases(BUILD_DIRECTORIES[renderer], assetsRoot);
  }

  /** Where a build is written before it is published. */
  getPartialDirectory(id: string): string {
    return path.join(this.#bundles, PARTIAL + id);
  }

  /** The complete builds, newest first. */
  list(): readonly Release[] {
    return listReleaseIds(this.#bundles)
      .flatMap((id) => this.#find(id) ?? [])
      .toReversed();
  }

  /** The build that the next process uses; null if there is none or its assets are missing. */
  readCurrent(): Release | null {
    const id = this.#readPointer();
    return id === null ? null : this.#find(id);
  }

  #readPointer(): string | null {
    const id = existsSync(this.#pointer) ? readFileSync(this.#pointer, 'utf8').trim() : '';
    return RELEASE_ID.test(id) ? id : null;
  }

  /**
   * Copies the assets of the current build to this root if they are in another one only, as in an image that was built
   * without the volume that it runs with. Needs no lock.
   */
  adoptAssets(from: string, nowMs = Date.now()): void {
    const id = this.#readPointer();
    if (id === null || existsSync(path.join(this.#assetsRoot, id)) || !existsSync(path.join(from, id))) return;
    mkdirSync(this.#assetsRoot, { recursive: true });
    this.#removeOldAssets(nowMs);
    const partial = `${toPartial(path.join(this.#assetsRoot, id))}.${process.pid}`;
    cpSync(path.join(from, id), partial, { recursive: true });
    try {
      renameSync(partial, path.join(this.#assetsRoot, id));
    } catch {
      // Another process was first.
      rmSync(partial, { recursive: true, force: true });
    }
  }

  /** Makes a complete build the current one, atomically. */
  setCurrent(id: string): void {
    const partial = `${this.#pointer}.${process.pid}`;
    writeFileSync(partial, `${id}\n`);
    renameSync(partial, this.#pointer);
  }

  /** Moves a finished build to its place and makes it the current one. The bundle comes last: then it is complete. */
  publish(id: string): void {
    const partial = this.getPartialDirectory(id);
    mkdirSync(this.#assetsRoot, { recursive: true });
    moveDirectory(path.join(partial, 'client', 'assets'), path.join(this.#assetsRoot, id));
    renameSync(partial, path.join(this.#bundles, id));
    this.setCurrent(id);
  }

  /**
   * Removes assets a day after their last use and a day after a newer build exists, and the oldest ones above the maximum;
   * then bundles without assets, and what killed builds left. The current build stays.
   */
  removeOld(nowMs = Date.now()): void {
    this.#removeOldAssets(nowMs);
    const current = this.readCurrent()?.id;
    for (const id of listReleaseIds(this.#bundles)) {
      // Another ASSETS_DIR may have the assets of a recent one.
      const isOld = readBuiltAt(id) + KEPT_MS <= nowMs;
      if (id !== current && isOld && this.#find(id) === null) removeDirectory(path.join(this.#bundles, id));
    }
    removePartials(this.#bundles, Infinity);
  }

  #removeOldAssets(nowMs: number): void {
    const current = this.#readPointer();
    const ids = listReleaseIds(this.#assetsRoot);
    const others = ids.filter((id) => id !== current);
    const surplus = Math.max(0, others.length + 1 - MAX_RELEASES);
    const isExpired = (id: string): boolean => {
      const next = ids[ids.indexOf(id) + 1];
      const usedAt = readMtime(path.join(this.#assetsRoot, id));
      return next !== undefined && Math.max(usedAt, readBuiltAt(next)) + KEPT_MS <= nowMs;
    };
    for (const [index, id] of others.entries()) {
      if (index < surplus || isExpired(id)) removeDirectory(path.join(this.#assetsRoot, id));
    }
    removePartials(this.#assetsRoot, nowMs - KEPT_MS);
  }

  #find(id: string): Release | null {
    const [directory, assetsDirectory] = [path.join(this.#bundles, id), path.join(this.#assetsRoot, id)];
    return existsSync(directory) && existsSync(assetsDirectory) ? { id, directory, assetsDirectory } : null;
  }
}

const readMtime = (file: string): number => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
const toPartial = (directory: string): string => path.join(path.dirname(directory), PARTIAL + path.basename(directory));

/** Atomic, also to another file system. */
function moveDirectory(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error) || error.code !== 'EXDEV') throw error;
    cpSync(from, toPartial(to), { recursive: true });
    renameSync(toPartial(to), to);
    rmSync(from, { recursive: true });
  }
}

/** Renamed first, so that a half-removed folder has no valid name. */
function removeDirectory(directory: string): void {
  try {
    renameSync(directory, toPartial(directory));
  } catch {
    // Another code folder with the same assets has removed it.
    return;
  }
  rmSync(toPartial(directory), { recursive: true, force: true });
}

function removePartials(directory: string, untilMs: number): void {
  if (!existsSync(directory)) return;
  for (const name of readdirSync(directory)) {
    const file = path.join(directory, name);
    if (name.startsWith(PARTIAL) && readMtime(file) < untilMs) rmSync(file, { recursive: true, force: true });
  }
}
