/** The only entry: reads the settings once, opens the database, wires the slices, listens. */
import { resolve } from 'node:path';
import type { PoolConfig } from 'pg';
import { seedCatalogue } from '../db/seed/catalogue.ts';
import { DEMO_PASSWORD, demoUsers } from '../db/seed/demo-users.ts';
import { seedFaq } from '../db/seed/faq.ts';
import { seedPromotions } from '../db/seed/promotions.ts';
import { seedReviews } from '../db/seed/reviews.ts';
import { AdjustableClock } from './platform/process/clock.ts';
import { DatabaseRefusedError } from './platform/database/database-refused-error.ts';
import { openDatabase } from './platform/database/database.ts';
import { startEmbeddedPostgres } from './platform/database/embedded-postgres.ts';
import type { EmbeddedPostgres } from './platform/database/embedded-postgres.ts';
import { migrate } from './platform/database/migrate.ts';
import { WriteProbe } from './platform/database/write-probe.ts';
import { formatErrorMessage } from './platform/process/error-message.ts';
import type { Readiness } from './platform/http/health.ts';
import { startHourlyTasks } from './platform/jobs/hourly.ts';
import { openLog } from './platform/process/log.ts';
import type { Log } from './platform/process/log.ts';
import { openPasswords } from './platform/security/passwords.ts';
import { LiveRate } from './platform/rates/live-rate.ts';
import { loadDotEnv, readSettings, SettingsError } from './platform/settings.ts';
import type { Settings } from './platform/settings.ts';
import { Shutdown } from './platform/process/shutdown.ts';
import { isStartedByNpm, onStopRequest } from './platform/process/stop-requests.ts';
import { createRetentionTasks } from './app/retention.ts';
import { openShopServer } from './app/http.ts';
import { hasDemoAccounts, seedDemoUsers } from './shop/accounts/service.ts';
import { OutboxRelay } from './shop/notifications/worker.ts';
import { parseConfirmationSteps } from './shop/payments/ledger/required-confirmations.ts';
import { composeShop } from './app/compose.ts';
import type { ShopResources, Shop } from './app/compose.ts';

const MIGRATIONS = resolve('db/migrations');
/** What was asked by then is still answered. */
const CLOSE_TIMEOUT_MS = 4_000;
/** A shop that still runs then is ended as it is. */
const FORCED_EXIT_MS = 9_800;
/** Connections that wait to be accepted. Beyond it a client's first packet is dropped, and comes again after a second. */
const LISTEN_BACKLOG = 4_096;
/** What a process that hangs has locked is free again after so long: another one waits for it to take its work over. */
const IDLE_IN_TRANSACTION_MS = 8_000;

export interface RunningShop {
  readonly url: string;
  /** Answers what has begun, then ends everything; safe to call twice. */
  stop(): Promise<void>;
}

const printLine = (line: string): void => void process.stdout.write(`${line}\n`);

interface DatabaseServer {
  readonly connection: PoolConfig;
  readonly location: string;
  readonly embedded: EmbeddedPostgres | null;
}

async function resolveDatabaseServer(settings: Settings, log: Log, signal: AbortSignal): Promise<DatabaseServer> {
  if (settings.databaseUrl !== null) {
    const connection = { connectionString: settings.databaseUrl };
    return { connection, location: 'the PostgreSQL that DATABASE_URL names', embedded: null };
  }
  const { dataDir, isDataDirExplicit } = settings;
  const embedded = await startEmbeddedPostgres({ dataDir, isDataDirExplicit, log, progress: printLine, signal });
  for (const notice of embedded.notices) printLine(notice);
  return { connection: { ...embedded.connection }, location: embedded.location, embedded };
}

async function seedDemo({ database: { db }, clock, passwords }: ShopResources): Promise<void> {
  const now = clock.now();
  await seedCatalogue(db, now);
  await seedFaq(db);
  await seedReviews(db, now);
  await seedPromotions(db, now);
  const users = demoUsers.map((user) => ({ ...user, password: DEMO_PASSWORD }));
  await seedDemoUsers({ db, passwords }, users, now);
}

/** @throws DatabaseRefusedError when everybody could sign in to this shop. */
async function refuseDemoAccounts({ database: { db } }: ShopResources): Promise<void> {
  if (!(await hasDemoAccounts(db))) return;
  throw new DatabaseRefusedError(
    'This database holds the demo accounts: live mode needs one of its own. Set DATA_DIR or DATABASE_URL to another one.',
  );
}

async function startRates({ rates }: Shop, shutdown: Shutdown): Promise<void> {
  if (!(rates instanceof LiveRate)) return;
  shutdown.add('rates', async () => rates.stop());
  await rates.start();
}

function createReadinessCheck(
  { database, settings }: ShopResources,
  { embedded }: DatabaseServer,
  { payments, rates }: Pick<Shop, 'payments' | 'rates'>,
): () => Promise<Readiness> {
  const probe = new WriteProbe(database.db);
  return async () => {
    const state = embedded?.state() ?? 'ready';
    const parts = {
      database: state === 'ready' ? await probe.check() : state,
      // Of a database of somebody else's nothing is known before a write fails.
      disk: embedded?.disk() ?? 'unknown',
      // Told, not fatal: browsing goes on, payments say that they are being checked.
      chain: payments.isUp() ? 'up' : 'down',
      rate: rates.state(),
      network: settings.network,
      // Settings of the node that hide payments.
      ...(payments.limitations.length > 0 && { chain_limits: payments.limitations.join(', ') }),
    };
    return { isReady: parts.database === 'ready' && parts.disk !== 'full', parts };
  };
}

/** Runs the shop in this process. The settings are those of the environment given and of `.env`. */
export async function startShop(environment: NodeJS.ProcessEnv): Promise<RunningShop> {
  try {
    return await open(environment);
  } catch (error) {
    const isTold = error instanceof SettingsError || error instanceof DatabaseRefusedError;
    const words = isTold ? error.message : formatErrorMessage(error);
    if (words === null) throw error;
    process.stderr.write(`${words}\n`);
    return process.exit(1);
  }
}

function confirmationsProblem(text: string): string | null {
  const read = parseConfirmationSteps(text);
  return read.ok ? null : read.reason;
}

async function open(environment: NodeJS.ProcessEnv): Promise<RunningShop> {
  loadDotEnv();
  const settings = readSettings(environment, { confirmations: confirmationsProblem });
  const log = openLog(settings.logLevel);
  const shutdown = new Shutdown(log);
  const starting = new AbortController();
  onStopRequest({ isStartedByNpm: isStartedByNpm(environment) }, () => {
    starting.abort();
    setTimeout(() => process.exit(1), FORCED_EXIT_MS).unref();
    void shutdown.run().then(() => process.exit(0));
  });
  const opening = resolveDatabaseServer(settings, log, starting.signal);
  // Also when it is asked to stop while the database starts.
  shutdown.add('database server', async (withinMs) => (await opening.catch(() => null))?.embedded?.stop(withinMs));
  try {
    return await startOnDatabase(await opening, { environment, settings, log, shutdown });
  } catch (error) {
    await shutdown.run();
    throw error;
  }
}

interface StartOptions {
  readonly environment: NodeJS.ProcessEnv;
  readonly settings: Settings;
  readonly log: Log;
  readonly shutdown: Shutdown;
}

async function startOnDatabase(
  store: DatabaseServer,
  { environment, settings, log, shutdown }: StartOptions,
): Promise<RunningShop> {
  const database = openDatabase({ connection: store.connection, log, idleInTransactionMs: IDLE_IN_TRANSACTION_MS });
  const indexes = openDatabase({ connection: store.connection, log, poolSize: 1 });
  shutdown.add('connections', () => Promise.all([indexes.close(), database.close()]));
  const parts: ShopResources = {
    settings,
    log,
    clock: new AdjustableClock(),
    database,
    connection: store.connection,
    indexDb: indexes.db,
    passwords: openPasswords(),
  };
  await migrate(database.db, MIGRATIONS);
  await (settings.mode === 'demo' ? seedDemo(parts) : refuseDemoAccounts(parts));
  const shop = await composeShop(parts);
  shutdown.add('devchain', async () => shop.devchain?.stop());

  await shop.jobs.start();
  shutdown.add('jobs', () => shop.jobs.stop());
  await shop.mails.start(shop.jobs, { ...shop.notifications.writers, ...shop.staffMails.writers });
  const onError = (error: unknown): void => log.warn({ err: error }, 'the hourly tasks were not enqueued');
  const hourly = { db: database.db, clock: parts.clock, jobs: shop.jobs, onError };
  const stopHourly = await startHourlyTasks(hourly, createRetentionTasks(parts, shop));
  shutdown.add('hourly tasks', async () => stopHourly());
  const teller = new OutboxRelay({ notifications: shop.notifications, log });
  teller.start();
  shutdown.add('notifications', () => teller.stop());
  // Before the first order is shown: what happened while the shop was down is known.
  await Promise.all([shop.watcher.start(), startRates(shop, shutdown)]);
  shutdown.add('chain', () => shop.watcher.stop());

  await shop.pubSub.start();
  shutdown.add('news', () => shop.pubSub.stop());
  const isDevelopment = environment['NODE_ENV'] === 'development';
  const readiness = createReadinessCheck(parts, store, shop);
  const isDiskFull = (): boolean => ['full', 'exhausted'].includes(store.embedded?.disk() ?? 'ok');
  const server = await openShopServer({
    settings,
    log,
    clock: parts.clock,
    shop,
    isDevelopment,
    readiness,
    isDiskFull,
  });
  await server.listen({ host: settings.host, port: settings.port, backlog: LISTEN_BACKLOG });
  shutdown.add('server', () => server.close(), { atMostMs: CLOSE_TIMEOUT_MS });
  const url = settings.publicUrl ?? `http://localhost:${settings.port}`;
  printStartSummary(settings, url, store.location);
  return { url, stop: () => shutdown.run() };
}

function printStartSummary(settings: Settings, url: string, location: string): void {
  printLine('');
  printLine(`Crypto Market is open at ${url}`);
  if (settings.mode === 'demo') {
    printLine(`Log in as ${demoUsers.map(({ username }) => username).join(', ')} with the password ${DEMO_PASSWORD}`);
    if (settings.chain.source === 'devchain') printLine(`Pay without a wallet at ${url}/dev/wallet`);
    printLine(`Read the shop's mails at ${url}/dev/mail`);
  }
  printLine(`Data: ${location}`);
}
