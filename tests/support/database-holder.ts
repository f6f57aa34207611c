/**
 * A process that starts the embedded database, says so in one line of JSON, and holds it until SIGTERM or a kill: what a
 * shop is to its database. Arguments: the data directory; and, unless that was chosen by hand, where root's data may go.
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
