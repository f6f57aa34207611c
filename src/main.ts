/** The only entry: reads the settings once, opens the database, wires the slices, listens. */
import { resolve } from 'node:path';
import type { PoolConfig } from 'pg';
import { seedCatalogue } from '../db/seed/catalogue.ts';
import { DEMO_PASSWORD, demoUsers } from '../db/seed/demo-users.ts';
import { seedFaq } from '../db/seed/faq.ts';
import { seedPromotions } from '../db/seed/promotions.ts';
import { seedReviews } from '../db/seed/reviews.ts';
import { AdjustableClock } from './platform/clock.ts';
import { DatabaseRefusedError } from './platform/database/database-refused-error.ts';
import { openDatabase } from './platform/database/database.ts';
import { startEmbeddedPostgres } from './platform/database/embedded-postgres.ts';
import type { EmbeddedPostgres } from './platform/database/embedded-postgres.ts';
import { migrate } from './platform/database/migrate.ts';
import { faultWords } from './platform/fault-words.ts';
import type { Readiness } from './platform/http/health.ts';
import { startHourly } from './platform/jobs/hourly.ts';
import { openLog } from './platform/log.ts';
import type { Log } from './platform/log.ts';
import { openPasswords } from './platform/passwords.ts';
import { LiveRate } from './platform/rates/live-rate.ts';
import { loadDotEnv, readSettings, SettingsError } from './platform/settings.ts';
import type { Settings } from './platform/settings.ts';
import { retentionTasks } from './retention.ts';
import { openShopServer } from './serve.ts';
import { demoAccountsExist, seedDemoUsers } from './shop/accounts/service.ts';
import { Teller } from './shop/notifications/worker.ts';
import { parseConfirmationSteps } from './shop/payments/required-confirmations.ts';
import { wireShop } from './wiring.ts';
import type { Parts, Shop } from './wiring.ts';

const MIGRATIONS = resolve('db/migrations');
const CLOSE_TIMEOUT_MS = 8_000;

export interface RunningShop {
  readonly url: string;
  /** Answers what has begun, then ends everything; safe to call twice. */
  stop(): Promise<void>;
}

const say = (line: string): void => void process.stdout.write(`${line}\n`);

interface Store {
  readonly connection: PoolConfig;
  readonly location: string;
  readonly embedded: EmbeddedPostgres | null;
}

async function openStore(settings: Settings, log: Log): Promise<Store> {
  if (settings.databaseUrl !== null) {
    const connection = { connectionString: settings.databaseUrl };
    return { connection, location: 'the PostgreSQL that DATABASE_URL names', embedded: null };
  }
  const { dataDir, isDataDirExplicit } = settings;
  const embedded = await startEmbeddedPostgres({ dataDir, isDataDirExplicit, log, progress: say });
  for (const notice of embedded.notices) say(notice);
  return { connection: { ...embedded.connection }, location: embedded.location, embedded };
}

async function seedDemo({ database: { db }, clock, passwords }: Parts): Promise<void> {
  const now = clock.now();
  await seedCatalogue(db, now);
  await seedFaq(db);
  await seedReviews(db, now);
  await seedPromotions(db, now);
  const users = demoUsers.map((user) => ({ ...user, password: DEMO_PASSWORD }));
  await seedDemoUsers({ db, passwords }, users, now);
}

/** @throws DatabaseRefusedError when everybody could sign in to this shop. */
async function refuseDemoAccounts({ database: { db } }: Parts): Promise<void> {
  if (!(await demoAccountsExist(db))) return;
  throw new DatabaseRefusedError(
    'This database holds the demo accounts: live mode needs one of its own. Set DATA_DIR or DATABASE_URL to another one.',
  );
}

async function startRates({ rates }: Shop, ending: (() => Promise<unknown>)[]): Promise<void> {
  if (!(rates instanceof LiveRate)) return;
  ending.push(async () => rates.stop());
  await rates.start();
}

function readinessOf(
  { database, settings }: Parts,
  store: Store,
  { payments, rates }: Pick<Shop, 'payments' | 'rates'>,
): () => Promise<Readiness> {
  return async () => {
    const isAnswering = await database.ping();
    const parts = {
      database: isAnswering ? (store.embedded?.state() ?? 'ready') : 'away',
      // Told, not fatal: browsing goes on, payments say that they are being checked.
      chain: payments.isUp() ? 'up' : 'down',
      rate: rates.state(),
      network: settings.network,
    };
    return { isReady: isAnswering && parts.database === 'ready', parts };
  };
}

/** Runs the shop in this process. The settings are those of the environment given and of `.env`. */
export async function startShop(environment: NodeJS.ProcessEnv): Promise<RunningShop> {
  try {
    return await open(environment);
  } catch (error) {
    const isTold = error instanceof SettingsError || error instanceof DatabaseRefusedError;
    const words = isTold ? error.message : faultWords(error);
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
  const store = await openStore(settings, log);
  const database = openDatabase({ connection: store.connection, log });
  const indexes = openDatabase({ connection: store.connection, log, poolSize: 1 });
  const ending: (() => Promise<unknown>)[] = [
    () => Promise.resolve(store.embedded?.stop()),
    () => indexes.close(),
    () => database.close(),
  ];
  const endAll = async (): Promise<void> => {
    for (const end of ending.splice(0).toReversed()) {
      await end().catch((error: unknown) => log.error({ err: error }, 'while stopping'));
    }
  };
  try {
    const parts: Parts = {
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
    const shop = await wireShop(parts);
    ending.push(async () => shop.devchain?.stop());

    await shop.jobs.start();
    ending.push(() => shop.jobs.stop());
    await shop.mails.start(shop.jobs, { ...shop.notifications.writers, ...shop.staffMails.writers });
    const onFault = (error: unknown): void => log.warn({ err: error }, 'the hourly tasks were not enqueued');
    const hourly = { db: database.db, clock: parts.clock, jobs: shop.jobs, onFault };
    const stopHourly = await startHourly(hourly, retentionTasks(parts, shop));
    ending.push(async () => stopHourly());
    const teller = new Teller({ notifications: shop.notifications, log });
    teller.start();
    ending.push(() => teller.stop());
    // Before the first order is shown: what happened while the shop was down is known.
    await Promise.all([shop.watcher.start(), startRates(shop, ending)]);
    ending.push(() => shop.watcher.stop());

    await shop.news.start();
    ending.push(() => shop.news.stop());
    const isDevelopment = environment['NODE_ENV'] === 'development';
    const readiness = readinessOf(parts, store, shop);
    const server = await openShopServer({ settings, log, clock: parts.clock, shop, isDevelopment, readiness });
    await server.listen({ host: settings.host, port: settings.port });
    ending.push(() =>
      Promise.race([server.close(), new Promise((done) => setTimeout(done, CLOSE_TIMEOUT_MS).unref())]),
    );
    const url = settings.publicUrl ?? `http://localhost:${settings.port}`;
    greet(settings, url, store.location);
    stopOnSignals(endAll);
    return { url, stop: endAll };
  } catch (error) {
    await endAll();
    throw error;
  }
}

function stopOnSignals(endAll: () => Promise<void>): void {
  let isStopping = false;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      // Who asks twice does not want to wait.
      if (isStopping) process.exit(1);
      isStopping = true;
      void endAll().then(() => process.exit(0));
    });
  }
}

function greet(settings: Settings, url: string, location: string): void {
  say('');
  say(`Crypto Market is open at ${url}`);
  if (settings.mode === 'demo') {
    say(`Log in as ${demoUsers.map(({ username }) => username).join(', ')} with the password ${DEMO_PASSWORD}`);
    if (settings.chain.source === 'devchain') say(`Pay without a wallet at ${url}/dev/wallet`);
    say(`Read the shop's mails at ${url}/dev/mail`);
  }
  say(`Data: ${location}`);
}
