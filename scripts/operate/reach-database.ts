/** Connects a command to the database of a running shop, or starts the database for its duration. */
import process from 'node:process';
import { readDatabaseUrl } from '#src/platform/database/database-url.ts';
import type { DatabaseConnection } from '#src/platform/database/database-url.ts';
import { attachEmbeddedPostgres, startEmbeddedPostgres } from '#src/platform/database/embedded-postgres.ts';
import type { Settings } from '#src/app/settings.ts';

export const silentLog = { debug() {}, info() {}, warn() {}, error() {} };

export interface Access {
  readonly connection: DatabaseConnection;
  readonly location: string;
  stop(): Promise<void>;
}

interface Reached {
  /** Whether no shop may use the database. */
  readonly isAlone: boolean;
  /** Whether an embedded database may be used although its data was moved. */
  readonly isMovedAllowed?: boolean;
  /** Called before a step that takes seconds. */
  readonly progress: (line: string) => void;
}

const onStandardError = (line: string): void => void process.stderr.write(`${line}\n`);

export async function reachDatabase(
  settings: Pick<Settings, 'databaseUrl' | 'dataDir' | 'isDataDirExplicit'>,
  { isAlone, isMovedAllowed, progress }: Reached = { isAlone: false, progress: onStandardError },
): Promise<Access> {
  if (settings.databaseUrl !== null) {
    const connection = readDatabaseUrl(settings.databaseUrl);
    return { connection, location: 'the PostgreSQL that DATABASE_URL names', stop: async () => {} };
  }
  const { dataDir, isDataDirExplicit } = settings;
  const attached = isAlone ? null : await attachEmbeddedPostgres({ dataDir, isDataDirExplicit });
  if (attached !== null) {
    return { connection: { ...attached.connection }, location: `${attached.location} (running)`, stop: async () => {} };
  }
  const embedded = await startEmbeddedPostgres({
    dataDir,
    isDataDirExplicit,
    isMovedAllowed,
    log: silentLog,
    progress,
  });
  return { connection: { ...embedded.connection }, location: embedded.location, stop: () => embedded.stop() };
}
