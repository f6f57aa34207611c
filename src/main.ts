/** The process: reads the settings, opens the database, composes the shop, listens. */
import { resolve } from 'node:path';
import { AdjustableClock } from './platform/process/clock.ts';
import { DatabaseRefusedError } from './platform/database/database-refused-error.ts';
import { openDatabase } from './platform/database/database.ts';
import { readDatabaseUrl } from './platform/database/database-url.ts';
import type { DatabaseConnection } from './platform/database/database-url.ts';
import { startEmbeddedPostgres } from './platform/database/embedded-postgres.ts';
import type { EmbeddedPostgres } from './platform/database/embedded-postgres.ts';
import { migrate } from './platform/database/migrate.ts';
import { refuseUnfinishedMove } from './platform/database/moved-mark.ts';
import { formatErrorMessage } from './platform/process/error-message.ts';
import { startHourlyTasks } from './platform/jobs/hourly.ts';
import { Drain } from './platform/process/drain.ts';
import { openLog } from './platform/process/log.ts';
import type { Log } from './platform/process/log.ts';
import { openTelemetry } from './platform/telemetry/open-telemetry.ts';
import { openPasswords } from './platform/security/passwords.ts';
import { LiveRate } from './platform/rates/live-rate.ts';
import { loadDotEnv } from './app/environment.ts';
import { readSettings, resolveShopUrl, SettingsError } from './app/settings.ts';
import type { Settings } from './app/settings.ts';
import { Shutdown } from './platform/process/shutdown.ts';
import { isStartedByNpm, onStopRequest } from './platform/process/stop-requests.ts';
import { listMetricSources } from './app/process-metrics.ts';
import { createReadinessCheck } from './app/readiness.ts';
import { createRetentionTasks } from './app/retention.ts';
import { openShopServer } from './app/http.ts';
import { hasDemoAccounts } from './shop/accounts/service.ts';
import { HealthRecorder } from './shop/admin/settings/worker.ts';
import { startImports } from './shop/catalogue/imports/worker.ts';
import { createInvoiceWorker } from './shop/invoices/worker.ts';
import { OutboxRelay } from './shop/notifications/worker.ts';
import { createStockAlertRelay } from './shop/inventory/alerts/worker.ts';
import { WebhookWorker } from './shop/webhooks/deliveries/worker.ts';
import { PromotionUsesWorker } from './shop/promotions/worker.ts';
import { composeShop } from './app/compose.ts';
import type { ShopResources, Shop } from './app/compose.ts';
import type * as DemoSeedModule from './app/seed-demo.ts';

const MIGRATIONS = resolve('db/migrations');
/** How long requests in progress may take after a stop request. */
const CLOSE_TIMEOUT_MS = 4_000;
/** The process exits after this time even if the shutdown has not finished. */
const FORCED_EXIT_MS = 9_800;
/** How long the last traces may take to be sent. */
const TELEMETRY_TIMEOUT_MS = 1_000;
/** Connections waiting to be accepted. The kernel drops further ones, and clients retry after a second. */
const LISTEN_BACKLOG = 4_096;
/**
 * PostgreSQL ends an idle transaction after this time, so that a hung process frees its locks before the
 * lock timeout of other processes.
 */
const IDLE_IN_TRANSACTION_MS = 3_000;

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

/** @throws DatabaseRefusedError if the database holds demo accounts, whose password is public */
async function refuseDemoAccounts({ database: { db } }: ShopResources): Promise<void> {
  if (!(await hasDemoAccounts(db))) return;
  throw new DatabaseRefusedError(
    'This database contains demo accounts. Live mode requires a separate database: set another DATA_DIR or DATABASE_URL.',
  );
}

async function startRates({ rates, revisions }: Shop, shutdown: Shutdown): Promise<void> {
  if (!(rates instanceof LiveRate)) return;
  revisions.addCheck(() => rates.refresh());
  shutdown.add('rates', async () => rates.stop());
  await rates.start();
}

/** Runs the shop in this process. Settings come from `environment` and `.env`. */
export async function startShop(environment: NodeJS.ProcessEnv): Promise<RunningShop> {
  try {
    return await open(environment);
  } catch (error) {
    const isExpected = error instanceof SettingsError || error instanceof DatabaseRefusedError;
    const message = isExpected ? error.message : formatErrorMessage(error);
    if (message === null) throw error;
    process.stderr.write(`${message}\n`);
    return process.exit(1);
  }
}

async function open(environment: NodeJS.ProcessEnv): Promise<RunningShop> {
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
    return await startOnDatabase(databaseServer, { environment, settings, log, shutdown, drain, demoSeed });
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
  readonly drain: Drain;
  /** Null in live mode. */
  readonly demoSeed: typeof DemoSeedModule | null;
}

/** Starts what sends mails, documents, webhooks and notices about stock after the change that causes them. */
function startSenders(shop: Shop, log: Log, shutdown: Shutdown): void {
  const outboxRelay = new OutboxRelay({ notifications: shop.notifications, log });
  outboxRelay.start();
  shutdown.add('outbox relay', () => outboxRelay.stop());
  shutdown.add('PDF renderer', () => shop.pdf.stop());
  const invoiceWorker = createInvoiceWorker({ invoices: shop.invoices, log });
  invoiceWorker.start();
  shutdown.add('invoices', () => invoiceWorker.stop());
  const webhookWorker = new WebhookWorker({ ...shop, log });
  webhookWorker.start();
  shutdown.add('webhooks', () => webhookWorker.stop());
  const stockAlertRelay = createStockAlertRelay({ alerts: shop.stockAlerts, log });
  stockAlertRelay.start();
  shutdown.add('stock alerts', () => stockAlertRelay.stop());
}

async function startOnDatabase(
  databaseServer: DatabaseServer,
  { environment, settings, log, shutdown, drain, demoSeed }: StartOptions,
): Promise<RunningShop> {
  const telemetry = await openTelemetry(settings.telemetry, log);
  shutdown.add('telemetry', () => telemetry.stop(), { atMostMs: TELEMETRY_TIMEOUT_MS });
  const { connection } = databaseServer;
  const options = { connection, log, idleInTransactionMs: IDLE_IN_TRANSACTION_MS, telemetry };
  const database = openDatabase(options);
  const indexes = openDatabase({ ...options, poolSize: 1 });
  shutdown.add('connections', () => Promise.all([indexes.close(), database.close()]));
  const resources: ShopResources = {
    settings,
    log,
    clock: new AdjustableClock(),
    database,
    connection,
    indexDb: indexes.db,
    passwords: openPasswords(),
    telemetry,
  };
  await refuseUnfinishedMove(database.db);
  await migrate(database.db, MIGRATIONS);
  await (demoSeed?.seedDemo(resources) ?? refuseDemoAccounts(resources));
  const shop = await composeShop(resources);
  shutdown.add('devchain', async () => shop.devchain?.stop());

  await shop.jobs.start();
  shutdown.add('jobs', () => shop.jobs.stop());
  await shop.mails.start(shop.jobs, { ...shop.notifications.writers, ...shop.staffMails.writers });
  await startImports(shop.jobs, shop.imports);
  const onError = (error: unknown): void => log.warn({ err: error }, 'the hourly tasks could not be enqueued');
  const hourly = { db: database.db, clock: resources.clock, jobs: shop.jobs, onError };
  const stopHourly = await startHourlyTasks(hourly, createRetentionTasks(resources, shop));
  shutdown.add('hourly tasks', async () => stopHourly());
  startSenders(shop, log, shutdown);
  // Catches up with the chain before the first order is shown.
  await Promise.all([shop.chainSync.start(), startRates(shop, shutdown)]);
  shutdown.add('chain sync', () => shop.chainSync.stop());

  shop.revisions.start();
  shutdown.add('revisions', () => shop.revisions.stop());
  const promotionUses = new PromotionUsesWorker({ promotions: shop.promotions, log });
  promotionUses.start();
  shutdown.add('promotion uses', () => promotionUses.stop());
  await shop.pubSub.start();
  shutdown.add('pub/sub', () => shop.pubSub.stop());
  const isDevelopment = environment['NODE_ENV'] === 'development';
  const checkReadiness = createReadinessCheck(resources, databaseServer.embedded, shop);
  const healthRecorder = new HealthRecorder({ ...shop, checkReadiness, log });
  healthRecorder.start();
  shutdown.add('health recorder', () => healthRecorder.stop());
  const isDiskFull = (): boolean => ['full', 'exhausted'].includes(databaseServer.embedded?.getDiskLevel() ?? 'ok');
  const server = await openShopServer({
    settings,
    log,
    clock: resources.clock,
    shop,
    isDevelopment,
    checkReadiness,
    isDiskFull,
    isDraining: drain.isDraining,
    telemetry,
  });
  await server.listen({ host: settings.host, port: settings.port, backlog: LISTEN_BACKLOG });
  drain.begin();
  shutdown.add('server', () => server.close(), { atMostMs: CLOSE_TIMEOUT_MS });
  for (const source of listMetricSources(resources, shop, checkReadiness)) telemetry.addSource(source);
  await telemetry.start();
  const url = resolveShopUrl(settings);
  const { name } = shop.shopSettings.current.identity;
  printStartSummary(name || 'The shop', settings, url, databaseServer.location, demoSeed);
  return { url, stop: () => shutdown.run() };
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
