/** The oldest supported PostgreSQL release, if installed. */
import { execFile, execFileSync } from 'node:child_process';
import { chownSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { MIN_POSTGRES_VERSION } from '#src/platform/database/server-version.ts';
import { findFreePort } from './shop-process.ts';
import { makeTemporaryDirectory } from './template.ts';

const NOBODY = 65_534;

/** Directory of its programs: POSTGRES_BIN, else Debian's; null if there is none. */
export function findOldestPostgresPrograms(): string | null {
  const directory = process.env['POSTGRES_BIN'] ?? `/usr/lib/postgresql/${MIN_POSTGRES_VERSION}/bin`;
  return existsSync(join(directory, 'initdb')) ? directory : null;
}

export interface OwnPostgres {
  /** For DATABASE_URL: an empty database. */
  readonly url: string;
  stop(): Promise<void>;
}

/** Creates a server in its own directory and starts it on a loopback port. */
export async function startOwnPostgres(programs: string): Promise<OwnPostgres> {
  const directory = makeTemporaryDirectory();
  // PostgreSQL refuses to run as root.
  const user = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  if (user.uid !== undefined) chownSync(directory, user.uid, user.gid);
  const [data, port] = [join(directory, 'data'), await findFreePort()];
  const run = (program: string, ...args: string[]): Promise<unknown> =>
    promisify(execFile)(join(programs, program), args, { ...user, cwd: directory, env: environment });
  // Unpacked binaries have their libraries beside them.
  const libraries = ['usr/lib', 'lib'].map((lib) => join(programs, '../../../../..', lib, 'x86_64-linux-gnu'));
  const LD_LIBRARY_PATH = libraries.filter((path) => existsSync(path)).join(':');
  const environment = { PATH: process.env['PATH'], LD_LIBRARY_PATH, LC_ALL: 'C' };
  const stop = async (): Promise<void> => {
    process.off('exit', endNow);
    await run('pg_ctl', 'stop', '-D', data, '-m', 'immediate').catch(() => null);
    rmSync(directory, { recursive: true, force: true });
  };
  const endNow = (): void => {
    execFileSync(join(programs, 'pg_ctl'), ['stop', '-D', data, '-m', 'immediate'], {
      ...user,
      env: environment,
      stdio: 'ignore',
    });
  };
  await run('initdb', '-D', data, '-U', 'shop', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync');
  process.once('exit', endNow);
  const settings = `-p ${port} -k ${directory} -c listen_addresses=127.0.0.1 -c fsync=off -c jit=off`;
  await run('pg_ctl', 'start', '-D', data, '-w', '-o', settings, '-l', join(directory, 'log')).catch(
    async (error: unknown) => {
      await stop();
      throw error;
    },
  );
  return { url: `postgres://shop@127.0.0.1:${port}/postgres`, stop };
}
