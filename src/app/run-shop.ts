/** One running shop on an open database: its slices, workers and HTTP server. A process may run several. */
import { resolve } from 'node:path';
import { AdjustableClock } from '#src/platform/process/clock.ts';
import type { Drain } from '#src/platform/process/drain.ts';
import type { Log } from '#src/platform/process/log.ts';
import type { Shutdown } from '#src/platform/process/shutdown.ts';
import { DatabaseRefusedError } from '#src/platform/database/database-refused-error.ts';
import { openDatabase } from '#src/platform/database/database.ts';
import type { DatabaseOptions } from '#src/platform/database/database.ts';
import type { DatabaseConnection } from '#src/platform/database/database-url.ts';
import type { EmbeddedPostgres } from '#src/platform/database/embedded-postgres.ts';
import { migrate } from '#src/platform/database/migrate.ts';
import { refuseUnfinishedMove } from '#src/platform/database/moved-mark.ts';
import { startHourlyTasks } from '#src/platform/jobs/hourly.ts';
import type { OpenPages } from '#src/platform/pages/page-source.ts';
import { reportReadiness } from '#src/platform/telemetry/health.ts';
import { openTelemetry } from '#src/platform/telemetry/open-telemetry.ts';
import type { OpenTelemetry } from '#src/platform/telemetry/open-telemetry.ts';
import { openPasswords } from '#src/platform/security/passwords.ts';
import { LiveRate } from '#src/platform/rates/live-rate.ts';
import { hasDemoAccounts } from '#src/shop/accounts/demo-users.service.ts';
import { createFactorChangeWorker } from '#src/shop/accounts/second-factor/worker.ts';
import { HealthRecorder } from '#src/shop/admin/settings/worker.ts';
import { startReturnFileRemovals } from '#src/shop/returns/files/worker.ts';
import { startWithdrawals } from '#src/shop/returns/withdrawal/worker.ts';
import { startImports } from '#src/shop/catalogue/imports/worker.ts';
import { createEcbRatesWorker } from '#src/shop/invoices/currency/worker.ts';
import { createInvoiceWorker } from '#src/shop/invoices/worker.ts';
import { OutboxRelay } from '#src/shop/notifications/worker.ts';
import { createStockAlertRelay } from '#src/shop/inventory/alerts/worker.ts';
import { WebhookWorker } from '#src/shop/webhooks/deliveries/worker.ts';
import { PromotionUsesWorker } from '#src/shop/promotions/worker.ts';
import { composeShop } from './compose.ts';
import type { Shop } from './compose.ts';
import type { ShopResources } from './open-foundation.ts';
import type { LoadShedder } from '#src/platform/http/load-shedder.ts';
import { openShopServer } from './http.ts';
import { listMetricSources } from './process-metrics.ts';
import { createReadinessCheck } from './readiness.ts';
import { createRetentionTasks } from './retention.ts';
import type { Settings } from './settings.ts';
import type * as DemoSeedModule from './seed-demo.ts';

const MIGRATIONS = resolve('db/migrations');
/** How long requests in progress may take after a stop request. */
const CLOSE_TIMEOUT_MS = 4_000;
/** How long the last traces may take to be sent. */
const TELEMETRY_TIMEOUT_MS = 1_000;
/** Connections waiting to be accepted. The kernel drops further ones, and clients retry after a second. */
const LISTEN_BACKLOG = 4_096;
/**
 * PostgreSQL ends an idle transaction after this time, so that a hung process frees its locks before the
 * lock timeout of other processes.
 */
const IDLE_IN_TRANSACTION_MS = 3_000;

type DatabaseWaits = Pick<
  DatabaseOptions,
  'connectionWaitMs' | 'lockTimeoutMs' | 'statementTimeoutMs' | 'idleInTransactionMs'
>;

export interface RunOptions {
  readonly settings: Settings;
  readonly log: Log;
  readonly connection: DatabaseConnection;
  /** Null: the database server belongs to someone else. */
  readonly embedded: EmbeddedPostgres | null;
  /** Stops the parts of the shop; has no part of it yet. */
  readonly shutdown: Shutdown;
  readonly drain: Drain;
  /** The pages in development. Absent: those of the build. */
  readonly openDevelopmentPages?: OpenPages | undefined;
  /** Absent: refuses calls while the process is late. A test does other work in the process of its shop. */
  readonly shedder?: LoadShedder | undefined;
  /** Absent: what a visitor waits for. On a busy machine the process of a test is idle in a transaction for longer. */
  readonly databaseWaits?: DatabaseWaits | undefined;
  /** Null in live mode. */
  readonly demoSeed: typeof DemoSeedModule | null;
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

/** Starts what sends mails, documents, webhooks and notices about stock after the change that causes them. */
function startSenders(shop: Shop, log: Log, shutdown: Shutdown): void {
  const outboxRelay = new OutboxRelay({ notifications: shop.notifications, log });
  outboxRelay.start();
  shutdown.add('outbox relay', () => outboxRelay.stop());
  shutdown.add('PDF renderer', () => shop.pdf.stop());
  shutdown.add('Markdown parser', () => shop.markdown.stop());
  const factorChangeWorker = createFactorChangeWorker({ factorChanges: shop.factorChanges, log });
  factorChangeWorker.start();
  shutdown.add('changes of second factors', () => factorChangeWorker.stop());
  const invoiceWorker = createInvoiceWorker({ invoices: shop.invoices, log });
  invoiceWorker.start();
  shutdown.add('invoices', () => invoiceWorker.stop());
  const ecbRatesWorker = createEcbRatesWorker({ ecbRates: shop.ecbRates, log });
  ecbRatesWorker.start();
  shutdown.add('rates of the European Central Bank', () => ecbRatesWorker.stop());
  const webhookWorker = new WebhookWorker({ ...shop, log });
  webhookWorker.start();
  shutdown.add('webhooks', () => webhookWorker.stop());
  const stockAlertRelay = createStockAlertRelay({ alerts: shop.stockAlerts, log });
  stockAlertRelay.start();
  shutdown.add('stock alerts', () => stockAlertRelay.stop());
}

/** Opens the database, migrates and seeds it. */
async function openResources(options: RunOptions): Promise<ShopResources & { readonly telemetry: OpenTelemetry }> {
  const { settings, log, connection, shutdown, demoSeed, databaseWaits } = options;
  const telemetry = await openTelemetry(settings.telemetry, log);
  shutdown.add('telemetry', () => telemetry.stop(), { atMostMs: TELEMETRY_TIMEOUT_MS });
  const { hasPreparedStatements } = settings;
  const waits = databaseWaits ?? { idleInTransactionMs: IDLE_IN_TRANSACTION_MS };
  const databaseOptions = { connection, log, telemetry, hasPreparedStatements, ...waits };
  const database = openDatabase(databaseOptions);
  const indexes = openDatabase({ ...databaseOptions, poolSize: 1 });
  shutdown.add('connections', () => Promise.all([indexes.close(), database.close()]));
  const resources = {
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
  return resources;
}

/** Starts everything that works without a request. */
async function startWorkers(resources: ShopResources, shop: Shop, shutdown: Shutdown): Promise<void> {
  const { log, clock, database } = resources;
  shutdown.add('devchain', async () => shop.devchain?.stop());
  await shop.jobs.start();
  shutdown.add('jobs', () => shop.jobs.stop());
  await shop.mails.start(shop.jobs, { ...shop.notifications.writers, ...shop.staffMails.writers });
  await startWithdrawals(shop.jobs, shop.withdrawals);
  await startReturnFileRemovals(shop.jobs, shop.returnFiles);
  await startImports(shop.jobs, shop.imports);
  shutdown.add('checks of imports', async () => shop.importChecks.abort());
  const onError = (error: unknown): void => log.warn({ err: error }, 'the hourly tasks could not be enqueued');
  const hourly = { db: database.db, clock, jobs: shop.jobs, onError };
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
}

/**
 * Resolves when the shop listens. `shutdown` stops it, also after a failed start.
 * @throws DatabaseRefusedError if the database may not serve this shop
 */
export async function runShop(options: RunOptions): Promise<Shop> {
  const { settings, log, embedded, shutdown, drain } = options;
  const resources = await openResources(options);
  const { telemetry } = resources;
  const shop = await composeShop(resources);
  await startWorkers(resources, shop, shutdown);
  const checkReadiness = createReadinessCheck(resources, embedded, shop);
  const healthRecorder = new HealthRecorder({ ...shop, checkReadiness, log });
  healthRecorder.start();
  shutdown.add('health recorder', () => healthRecorder.stop());
  const server = await openShopServer({
    settings,
    log,
    clock: resources.clock,
    shop,
    openDevelopmentPages: options.openDevelopmentPages,
    shedder: options.shedder,
    checkReadiness,
    isDiskFull: () => ['full', 'exhausted'].includes(embedded?.getDiskLevel() ?? 'ok'),
    isDraining: drain.isDraining,
    telemetry,
  });
  await server.listen({ host: settings.host, port: settings.port, backlog: LISTEN_BACKLOG });
  drain.begin();
  shutdown.add('server', () => server.close(), { atMostMs: CLOSE_TIMEOUT_MS });
  for (const source of listMetricSources(resources, shop, checkReadiness)) telemetry.addSource(source);
  const describeReadiness = async () => shop.watching.describeReadiness(await checkReadiness());
  const reportOptions = { isDraining: drain.isDraining, showsParts: true };
  await telemetry.start(() => reportReadiness(describeReadiness, reportOptions));
  return shop;
}
