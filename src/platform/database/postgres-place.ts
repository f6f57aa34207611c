import { createHash } from 'node:crypto';
import { chmod, chown, mkdir, readFile, readdir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { DatabaseRefusedError } from './database-refused-error.ts';

/** The operating system's user that PostgreSQL runs as. */
export interface PostgresUser {
  readonly uid: number;
  readonly gid: number;
}

/** Where the embedded database lives and who runs it. */
export interface PostgresPlace {
  /** Holds the cluster, its log and, where node_modules will not do, a copy of the binaries. */
  readonly home: string;
  /** PostgreSQL's own data directory. */
  readonly cluster: string;
  /** Null: run as we are. Only root has to change, because PostgreSQL refuses to run as root. */
  readonly user: PostgresUser | null;
  readonly notices: readonly string[];
}

export interface PlaceOptions {
  /** Absolute path of the shop's data directory. */
  readonly dataDir: string;
  /** Somebody chose it by hand: it is used or refused, never replaced. */
  readonly isDataDirExplicit: boolean;
  /** Where root's databases go when the project lies in a directory that only root may enter. */
  readonly rootHome?: string | undefined;
}

const defaultRootHome = '/var/lib/crypto-market';

/**
 * Chooses the place of the embedded database and makes its directory.
 * @throws DatabaseRefusedError when the user PostgreSQL must run as cannot enter a directory that was chosen by hand.
 */
export async function choosePostgresPlace(options: PlaceOptions): Promise<PostgresPlace> {
  const dataDir = path.resolve(options.dataDir);
  if (process.getuid?.() !== 0) {
    await mkdir(dataDir, { recursive: true });
    return { ...at(await realpath(dataDir)), user: null, notices: [] };
  }
  const fallback = path.join(
    options.rootHome ?? defaultRootHome,
    createHash('sha256').update(path.dirname(dataDir)).digest('hex').slice(0, 16),
  );
  const isEarlierHome = !options.isDataDirExplicit && (await exists(at(fallback).cluster));
  await makeDirectory(dataDir);
  const wanted = at(await realpath(dataDir));
  const wantedExists = await exists(wanted.cluster);
  const user = await postgresUserFor(wantedExists ? wanted.cluster : at(fallback).cluster);
  if (options.isDataDirExplicit) await grantAccess(wanted.home, user);
  if ((await canEnter(user, wanted.home)) && (wantedExists || !isEarlierHome)) return { ...wanted, user, notices: [] };
  if (options.isDataDirExplicit || (wantedExists && !isEarlierHome)) {
    throw new DatabaseRefusedError(
      `PostgreSQL cannot run as root, and the user it runs as instead (uid ${user.uid}) may not enter ${wanted.home}: ` +
        'open the directories above it (chmod o+x) or set DATA_DIR to another place.',
    );
  }
  await makeDirectory(path.dirname(fallback));
  await makeDirectory(fallback);
  const reason = isEarlierHome ? 'it was set up there' : `it cannot run as root, and only root may enter ${dataDir}`;
  const notice = `The database is in ${fallback}: ${reason}.`;
  return { ...at(await realpath(fallback)), user, notices: [notice] };
}

function at(home: string): { home: string; cluster: string } {
  return { home, cluster: path.join(home, 'postgres') };
}

async function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}

/** Makes a directory that others may pass through, whatever the umask; one that is there stays as it is. */
async function makeDirectory(directory: string): Promise<void> {
  const created = await mkdir(directory, { recursive: true });
  if (created === undefined) return;
  // mkdir answers the first directory it made; everything from there down to `directory` is ours.
  for (let made = directory; made.length >= created.length; made = path.dirname(made)) {
    await chmod(made, 0o755);
    if (made === path.dirname(made)) break;
  }
}

/** What lies in a data directory of ours; anything else in it belongs to somebody. */
const ownFiles = /^(?:postgres|postgres\.log(?:\.1)?|postgresql-.+|postgres\.unfinished-.+)$/;

/**
 * Lets PostgreSQL's user pass through a data directory that only root may enter, as `mktemp -d` makes it. Only when the
 * directory is root's and holds nothing but the database, so that nothing of somebody else's is opened.
 */
async function grantAccess(home: string, user: PostgresUser): Promise<void> {
  const found = await stat(home);
  if (found.uid !== 0 || isAllowed(user, found, 1) || !(await canEnter(user, path.dirname(home)))) return;
  if (!(await readdir(home)).every((name) => ownFiles.test(name))) return;
  await chown(home, 0, user.gid);
  await chmod(home, 0o710);
}

/** The owner of an existing cluster, else `nobody`; PostgreSQL wants a uid that has an entry in the user database. */
async function postgresUserFor(cluster: string): Promise<PostgresUser> {
  const users = await readUsers();
  const owner = await stat(cluster).then(
    (found) => found.uid,
    () => 0,
  );
  const ofOwner = owner === 0 ? undefined : users.find((user) => user.uid === owner);
  const user =
    ofOwner ?? users.find((candidate) => candidate.name === 'nobody') ?? users.find(({ uid }) => uid === 65534);
  if (user === undefined || user.uid === 0) {
    throw new DatabaseRefusedError(
      'PostgreSQL cannot run as root and there is no user "nobody" to run it as: start the shop as an ordinary user, or set DATABASE_URL.',
    );
  }
  return { uid: user.uid, gid: user.gid };
}

async function readUsers(): Promise<{ name: string; uid: number; gid: number }[]> {
  const text = await readFile('/etc/passwd', 'utf8').catch(() => '');
  return text.split('\n').flatMap((line) => {
    const [name, , uid, gid] = line.split(':');
    if (name === undefined || uid === undefined || gid === undefined) return [];
    // `nobody` is -2 on macOS; the kernel counts unsigned.
    return [{ name, uid: Number(uid) >>> 0, gid: Number(gid) >>> 0 }];
  });
}

/** Whether a user (null: we ourselves) may pass through every directory down to this one, by owner, group and others. */
export async function canEnter(user: PostgresUser | null, directory: string): Promise<boolean> {
  if (user === null) return true;
  for (let current = await realpath(directory); ; current = path.dirname(current)) {
    if (!isAllowed(user, await stat(current), 1)) return false;
    if (current === path.dirname(current)) return true;
  }
}

/** Whether a user may read (4) or execute (1) by owner, group and others; access lists are not looked at. */
export function isAllowed(
  user: PostgresUser,
  file: { uid: number; gid: number; mode: number },
  right: 1 | 4 | 5,
): boolean {
  const ofOthers = file.gid === user.gid ? file.mode >> 3 : file.mode;
  const granted = file.uid === user.uid ? file.mode >> 6 : ofOthers;
  return (granted & right) === right;
}
