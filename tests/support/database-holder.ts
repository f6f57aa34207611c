/**
 * A process that starts the embedded database, reports it as a line of JSON, and holds it until
 * SIGTERM or a kill, like a shop. Arguments: the data directory; and, unless that was set
 * explicitly, the directory for root's data.
 */
import { startEmbeddedPostgres } from '#src/platform/database/embedded-postgres.ts';

const log = { debug() {}, info() {}, warn() {}, error() {} };
const [dataDir = '', rootHome] = process.argv.slice(2);
const say = (line: object): void => void process.stdout.write(`${JSON.stringify(line)}\n`);
try {
  const isDataDirExplicit = rootHome === undefined;
  const postgres = await startEmbeddedPostgres({ dataDir, isDataDirExplicit, rootHome, isDurable: false, log });
  const { connection, location, notices } = postgres;
  say({ connection, location, notices });
  process.once('SIGTERM', () => void postgres.stop());
} catch (error) {
  say({ refused: String(error) });
}
