/** The shop's database for a command: the one of a shop that runs, or one that is started for as long as it takes. */
import process from 'node:process';
import type { PoolConfig } from 'pg';
import { attachEmbeddedPostgres, startEmbeddedPostgres } from '#src/platform/database/embedded-postgres.ts';
import type { Settings } from '#src/app/settings.ts';

export const silentLog = { debug() {}, info() {}, warn() {}, error() {} };

export interface Access {
  readonly connection: PoolConfig;
  readonly location: string;
  stop(): Promise<void>;
}

interface Reached {
  /** The database must be no shop's at the moment. */
  readonly isAlone: boolean;
  /** Hears what takes long. */
  readonly progress: (line: string) => void;
}

const onStandardError = (line: string): void => void process.stderr.write(`${line}\n`);

export async function reachDatabase(
  settings: Pick<Settings, 'databaseUrl' | 'dataDir' | 'isDataDirExplicit'>,
  { isAlone, progress }: Reached = { isAlone: false, progress: onStandardError },
): Promise<Access> {
  if (settings.databaseUrl !== null) {
    const connection = { connectionString: settings.databaseUrl };
    return { connection, location: 'the PostgreSQL that DATABASE_URL names', stop: async () => {} };
  }
  const { dataDir, isDataDirExplicit } = settings;
  const attached = isAlone ? null : await attachEmbeddedPostgres({ dataDir, isDataDirExplicit });
  if (attached !== null) {
    return { connection: { ...attached.connection }, location: `${attached.location} (running)`, stop: async () => {} };
  }
  const embedded = await startEmbeddedPostgres({ dataDir, isDataDirExplicit, log: silentLog, progress });
  return { connection: { ...embedded.connection }, location: embedded.location, stop: () => embedded.stop() };
}
