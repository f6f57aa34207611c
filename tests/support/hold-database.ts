/**
 * A process that starts the embedded database, says so in one line of JSON, and holds it until SIGTERM or a kill: what a
 * shop is to its database. Arguments: the options of startEmbeddedPostgres as JSON.
 */
import { startEmbeddedPostgres } from '#src/platform/database/embedded-postgres.ts';
import type { PlaceOptions } from '#src/platform/database/postgres-place.ts';

const log = { debug() {}, info() {}, warn() {}, error() {} };
const options: PlaceOptions = JSON.parse(process.argv[2] ?? '');
try {
  const postgres = await startEmbeddedPostgres({ isDurable: false, ...options, log });
  const { connection, location, notices } = postgres;
  process.stdout.write(`${JSON.stringify({ connection, location, notices })}\n`);
  process.once('SIGTERM', () => void postgres.stop());
} catch (error) {
  process.stdout.write(
    `${JSON.stringify({ refused: error instanceof Error ? `${error.name}: ${error.message}` : '' })}\n`,
  );
}
