/** The process: reads the settings, opens the database, runs the shop, stops on request. */
import { DatabaseRefusedError } from './platform/database/database-refused-error.ts';
import { readDatabaseUrl } from './platform/database/database-url.ts';
import type { DatabaseConnection } from './platform/database/database-url.ts';
import { startEmbeddedPostgres } from './platform/database/embedded-postgres.ts';
import type { EmbeddedPostgres } from './platform/database/embedded-postgres.ts';
import type { OpenPages } from './platform/pages/page-source.ts';
import { formatErrorMessage } from './platform/process/error-message.ts';
import { Drain } from './platform/process/drain.ts';
import { openLog } from './platform/process/log.ts';
import type { Log } from './platform/process/log.ts';
import { loadDotEnv } from './app/environment.ts';
import { runShop } from './app/run-shop.ts';
import { readSettings, resolveShopUrl, SettingsError } from './app/settings.ts';
import type { Settings } from './app/settings.ts';
import { Shutdown } from './platform/process/shutdown.ts';
import { isStartedByNpm, onStopRequest } from './platform/process/stop-requests.ts';
import type { FirstOwner } from './shop/accounts/first-owner/service.ts';
import type * as DemoSeedModule from './app/seed-demo.ts';

/** The process exits after this time even if the shutdown has not finished. */
const FORCED_EXIT_MS = 9_800;

export interface RunningShop {
  readonly url: string;
  /** Finishes requests in progress, then stops every part. Idempotent. */
  stop(): Promise<void>;
}

const printLine = (line: string): void => void process.stdout.write(`${line}\n`);

interface DatabaseServer {
  readonly connection: DatabaseConnection;
  readonly location: string;
  readonly embedded: EmbeddedPostgres | null;
}

async function resolveDatabaseServer(settings: Settings, log: Log, signal: AbortSignal): Promise<DatabaseServer> {
  if (settings.databaseUrl !== null) {
    const connection = readDatabaseUrl(settings.databaseUrl);
    return { connection, location: 'the PostgreSQL that DATABASE_URL names', embedded: null };
  }
  const { dataDir, isDataDirExplicit } = settings;
  const embedded = await startEmbeddedPostgres({ dataDir, isDataDirExplicit, log, progress: printLine, signal });
  for (const notice of embedded.notices) printLine(notice);
  return { connection: { ...embedded.connection }, location: embedded.location, embedded };
}

/**
 * Runs the shop in this process. Settings come from `environment` and `.env`.
 * @param openDevelopmentPages absent: the pages of the build
 */
export async function startShop(
  environment: NodeJS.ProcessEnv,
  openDevelopmentPages?: OpenPages,
): Promise<RunningShop> {
  try {
    return await open(environment, openDevelopmentPages);
  } catch (error) {
    const isExpected = error instanceof SettingsError || error instanceof DatabaseRefusedError;
    const message = isExpected ? error.message : formatErrorMessage(error);
    if (message === null) throw error;
    process.stderr.write(`${message}\n`);
    return process.exit(1);
  }
}

async function open(environment: NodeJS.ProcessEnv, openDevelopmentPages: OpenPages | undefined): Promise<RunningShop> {
  loadDotEnv();
  const settings = readSettings(environment);
  const log = openLog(settings.logLevel);
  const shutdown = new Shutdown(log);
  const drain = new Drain(settings.drainSeconds);
  const starting = new AbortController();
  onStopRequest({ isStartedByNpm: isStartedByNpm(environment) }, () => {
    starting.abort();
    setTimeout(() => process.exit(1), settings.drainSeconds * 1000 + FORCED_EXIT_MS).unref();
    void drain
      .run()
      .then(() => shutdown.run())
      .then(() => process.exit(0));
  });
  const opening = resolveDatabaseServer(settings, log, starting.signal);
  // Imported here and not above: a live shop does not load the seed. Loads while the database starts.
  const loadingSeed = settings.mode === 'demo' ? import('./app/seed-demo.ts') : Promise.resolve(null);
  // A stop request may arrive while the database starts.
  shutdown.add('database server', async (withinMs) => (await opening.catch(() => null))?.embedded?.stop(withinMs));
  try {
    const [databaseServer, demoSeed] = await Promise.all([opening, loadingSeed]);
    return await startOnDatabase(databaseServer, { openDevelopmentPages, settings, log, shutdown, drain, demoSeed });
  } catch (error) {
    await shutdown.run();
    throw error;
  }
}

interface StartOptions {
  readonly openDevelopmentPages: OpenPages | undefined;
  readonly settings: Settings;
  readonly log: Log;
  readonly shutdown: Shutdown;
  readonly drain: Drain;
  /** Null in live mode. */
  readonly demoSeed: typeof DemoSeedModule | null;
}

async function startOnDatabase(
  databaseServer: DatabaseServer,
  { openDevelopmentPages, settings, log, shutdown, drain, demoSeed }: StartOptions,
): Promise<RunningShop> {
  const { connection, embedded, location } = databaseServer;
  const shop = await runShop({ settings, log, connection, embedded, shutdown, drain, openDevelopmentPages, demoSeed });
  const url = resolveShopUrl(settings);
  const { name } = shop.shopSettings.current.identity;
  printStartSummary(name || 'The shop', settings, url, location, demoSeed);
  if (demoSeed === null) await printFirstOwnerLink(shop.firstOwner, url);
  return { url, stop: () => shutdown.run() };
}

/** Printed, and never logged: whoever has the link owns the shop. */
async function printFirstOwnerLink(firstOwner: Pick<FirstOwner, 'issueToken'>, url: string): Promise<void> {
  const token = await firstOwner.issueToken();
  if (token === null) return;
  printLine('');
  printLine('The shop has no owner yet. Create the account of its owner with this link:');
  printLine(`${url}/first-owner/${token}`);
  printLine('It works once, within 24 hours, until the next start of the shop, in any process, prints a new one.');
}

function printStartSummary(
  name: string,
  settings: Settings,
  url: string,
  location: string,
  demoSeed: typeof DemoSeedModule | null,
): void {
  printLine('');
  printLine(`${name} is open at ${url}`);
  if (demoSeed !== null) {
    printLine(demoSeed.describeLogins());
    if (settings.chain.source === 'devchain') printLine(`Pay without a wallet at ${url}/dev/wallet`);
    printLine(`Read the shop's mails at ${url}/dev/mail`);
  }
  printLine(`Data: ${location}`);
}
