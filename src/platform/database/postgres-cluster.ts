import { randomBytes } from 'node:crypto';
import { chmod, chown, lchown, lstat, mkdtemp, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { DatabaseRefusedError, DatabaseStartError } from './database-refused-error.ts';
import { isErrno } from './errno.ts';
import type { PostgresBinaries } from './postgres-binaries.ts';
import type { PostgresPlace } from './postgres-place.ts';
import { runProgram } from './postgres-process.ts';
import { BACKUP_SECTION } from '#src/platform/process/error-message.ts';
import { describeStartFailure } from './start-failure.ts';

/** The superuser, for the supervisor. The shop connects as `shopRole`, which owns only its database. */
export const adminRole = 'postgres';
export const shopRole = 'crypto_market';

const passwordFile = 'crypto-market.password';
const unfinishedPrefix = 'postgres.unfinished-';

/**
 * Creates the cluster if it is missing and gives it to the user of the place. A complete cluster is
 * renamed into place, so an interrupted start leaves no partial one.
 * @param isDurable false skips fsync; for tests
 * @returns the password of both roles, which is stored inside the cluster
 */
export async function prepareCluster(
  place: PostgresPlace,
  binaries: PostgresBinaries,
  isDurable: boolean,
  progress: (line: string) => void,
): Promise<string> {
  const existing = await lstat(place.cluster).catch(() => null);
  if (existing === null) {
    progress(`Setting up the database in ${place.home} (a few seconds, once) …`);
    await initialise(place, binaries, isDurable);
  } else if (place.user !== null && existing.uid !== place.user.uid) {
    // For example, root has restored the files from a backup.
    await changeOwner(place.cluster, place.user.uid, place.user.gid);
  }
  return readPassword(place, binaries);
}

/** @throws DatabaseRefusedError if the cluster is unusable or of another major version */
export async function readPassword(place: PostgresPlace, binaries: PostgresBinaries): Promise<string> {
  try {
    const version = (await readFile(path.join(place.cluster, 'PG_VERSION'), 'utf8')).trim();
    if (!/^\d+(?:\.\d+)?$/.test(version)) {
      throw new DatabaseRefusedError(`${place.cluster} is damaged (PG_VERSION): restore a backup, ${BACKUP_SECTION}.`);
    }
    if (version !== binaries.majorVersion) {
      throw new DatabaseRefusedError(
        `${place.cluster} was created by PostgreSQL ${version}, but this program uses ${binaries.majorVersion}: ` +
          'back it up with the release that created it and restore it into a new data directory.',
      );
    }
    return (await readFile(path.join(place.cluster, passwordFile), 'utf8')).trim();
  } catch (cause) {
    if (cause instanceof DatabaseRefusedError) throw cause;
    const lost = isErrno(cause, 'ENOENT') && String(cause).includes('PG_VERSION') ? 'PG_VERSION' : passwordFile;
    const reason = isErrno(cause, 'EACCES', 'EPERM')
      ? 'belongs to another user of this machine: start the shop as that user, or as root'
      : `is not a database of this shop, or is damaged (${lost} is missing): restore a backup, ${BACKUP_SECTION}`;
    throw new DatabaseRefusedError(`${place.cluster} ${reason}.`, { cause });
  }
}

/** Retries, because an orphaned initdb or another start may still write or remove the same files. */
const REMOVE = { recursive: true, force: true, maxRetries: 20, retryDelay: 20 } as const;

/** Removes the files of interrupted initializations. Call it only while holding the lock of the shop. */
export async function removeUnfinishedClusters(place: PostgresPlace): Promise<void> {
  for (const name of await readdir(place.home)) {
    if (name.startsWith(unfinishedPrefix)) await rm(path.join(place.home, name), REMOVE);
  }
}

async function initialise(place: PostgresPlace, binaries: PostgresBinaries, isDurable: boolean): Promise<void> {
  const unfinished = await mkdtemp(path.join(place.home, unfinishedPrefix));
  try {
    const cluster = path.join(unfinished, 'cluster');
    const password = path.join(unfinished, 'password');
    await writeFile(password, randomBytes(24).toString('base64url') + '\n', { mode: 0o600 });
    if (place.user !== null) {
      await chown(unfinished, place.user.uid, place.user.gid);
      await chown(password, place.user.uid, place.user.gid);
    }
    await runProgram(
      binaries.initdb,
      [
        `--pgdata=${cluster}`,
        `--username=${adminRole}`,
        `--pwfile=${password}`,
        '--auth=scram-sha-256',
        '--encoding=UTF8',
        // Independent of the machine's locales and of the old ICU that comes with the binaries.
        '--locale=C',
        '--locale-provider=builtin',
        '--builtin-locale=C.UTF-8',
        '--no-instructions',
        ...(isDurable ? [] : ['--no-sync']),
      ],
      place.user,
    );
    await rename(password, path.join(cluster, passwordFile));
    await chmod(cluster, 0o700);
    await rename(cluster, place.cluster);
  } catch (error) {
    // Another start was faster. The lock decides later which of the two continues.
    if ((await lstat(place.cluster).catch(() => null)) === null) {
      throw new DatabaseStartError(describeStartFailure(String(error), place), { cause: error });
    }
  } finally {
    await rm(unfinished, REMOVE);
  }
}

/** Changes the owner of a tree. Does not follow links. */
async function changeOwner(file: string, uid: number, gid: number): Promise<void> {
  if ((await lstat(file)).isDirectory()) {
    for (const name of await readdir(file)) await changeOwner(path.join(file, name), uid, gid);
  }
  await lchown(file, uid, gid);
}
