import { attachEmbeddedPostgres } from '#src/platform/database/embedded-postgres.ts';
import type { EmbeddedConnection } from '#src/platform/database/embedded-postgres.ts';

/** Connects to the embedded database of a running shop. @throws if none runs */
export async function findConnection(dataDir: string): Promise<EmbeddedConnection> {
  const attached = await attachEmbeddedPostgres({ dataDir, isDataDirExplicit: true });
  if (attached === null) throw new Error(`no database runs in ${dataDir}`);
  return attached.connection;
}
