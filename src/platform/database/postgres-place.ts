import { createHash } from 'node:crypto';
import { chmod, chown, mkdir, readFile, readdir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { DatabaseRefusedError } from './database-refused-error.ts';

/** The operating system user that PostgreSQL runs as. */
export interface PostgresUser {
  readonly uid: number;
  readonly gid: number;
}

/** Directories and user of the embedded database. */
export interface PostgresPlace {
  /** Contains the cluster, its log and, if node_modules is not usable, a copy of the binaries. */
  readonly home: string;
  /** PostgreSQL's own data directory. */
  readonly cluster: string;
  /** Null: the present user. PostgreSQL refuses to run as root, so root needs another user. */
  readonly user: PostgresUser | null;
  readonly notices: readonly string[];
}

export interface PlaceOptions {
  /** Absolute path of the shop's data directory. */
  readonly dataDir: string;
  /** Set by the operator: it is used or refused, never replaced. */
  readonly isDataDirExplicit: boolean;
  /** Parent of root's databases if only root may enter the project directory. */
  readonly rootHome?: string | undefined;
}

const defaultRootHome = '/var/lib/crypto-market';

/**
 * Chooses the place of the embedded database and creates its directory.
 * @throws DatabaseRefusedError if PostgreSQL's user cannot enter an explicit data directory
 */
export async function choosePostgresPlace(options: PlaceOptions): Promise<PostgresPlace> {
  const dataDir = path.resolve(options.dataDir);
  if (process.getuid?.() !== 0) {
    await mkdir(dataDir, { recursive: true });
    return { ...createPlace(await realpath(dataDir)), user: null, notices: [] };
  }
  const fallback = path.join(
    options.rootHome ?? defaultRootHome,
    createHash('sha256').update(path.dirname(dataDir)).digest('hex').slice(0, 16),
  );
  const isEarlierHome = !options.isDataDirExplicit && (await isPresent(createPlace(fallback).cluster));
  await makeDirectory(dataDir);
  const wanted = createPlace(await realpath(dataDir));
  const wantedExists = await isPresent(wanted.cluster);
  const user = await choosePostgresUser(wantedExists ? wanted.cluster : createPlace(fallback).cluster);
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
  return { ...createPlace(await realpath(fallback)), user, notices: [notice] };
}

function createPlace(home: string): { home: string; cluster: string } {
  return { home, cluster: path.join(home, 'postgres') };
}

async function isPresent(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}

/** Creates a directory with mode 0755, whatever the umask. Does not change an existing one. */
async function makeDirectory(directory: string): Promise<void> {
  const created = await mkdir(directory, { recursive: true });
  if (created === undefined) return;
  // mkdir returns the topmost directory that it created.
  for (let current = directory; current.length >= created.length; current = path.dirname(current)) {
    await chmod(current, 0o755);
    if (current === path.dirname(current)) break;
  }
}

/** File names that the shop creates in a data directory. */
const ownFiles = /^(?:postgres|postgres\.moved|postgres\.log(?:\.1)?|postgresql-.+|postgres\.unfinished-.+)$/;

/**
 * Lets PostgreSQL's user enter a data directory that only root may enter, as `mktemp -d` creates it.
 * Only if root owns it and it contains nothing but the database, so that no other files are exposed.
 */
async function grantAccess(home: string, user: PostgresUser): Promise<void> {
  const status = await stat(home);
  if (status.uid !== 0 || isAllowed(user, status, 1) || !(await canEnter(user, path.dirname(home)))) return;
  if (!(await readdir(home)).every((name) => ownFiles.test(name))) return;
  await chown(home, 0, user.gid);
  await chmod(home, 0o710);
}

/** The owner of an existing cluster, or `nobody`. PostgreSQL requires an entry in the user database. */
async function choosePostgresUser(cluster: string): Promise<PostgresUser> {
  const users = await readUsers();
  const owner = await stat(cluster).then(
    (status) => status.uid,
    () => 0,
  );
  const ownerEntry = owner === 0 ? undefined : users.find((user) => user.uid === owner);
  const user =
    ownerEntry ?? users.find((candidate) => candidate.name === 'nobody') ?? users.find(({ uid }) => uid === 65534);
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
    // `nobody` is -2 on macOS; the kernel's ids are unsigned.
    return [{ name, uid: Number(uid) >>> 0, gid: Number(gid) >>> 0 }];
  });
}

/** Whether a user (null: the present one) may enter this directory and all above it, by mode bits. */
export async function canEnter(user: PostgresUser | null, directory: string): Promise<boolean> {
  if (user === null) return true;
  for (let current = await realpath(directory); ; current = path.dirname(current)) {
    if (!isAllowed(user, await stat(current), 1)) return false;
    if (current === path.dirname(current)) return true;
  }
}

/** Whether a user may read (4) or execute (1), by mode bits. Access control lists are ignored. */
export function isAllowed(
  user: PostgresUser,
  file: { uid: number; gid: number; mode: number },
  right: 1 | 4 | 5,
): boolean {
  const groupOrOther = file.gid === user.gid ? file.mode >> 3 : file.mode;
  const granted = file.uid === user.uid ? file.mode >> 6 : groupOrOther;
  return (granted & right) === right;
}
