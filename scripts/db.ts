/**
 * `npm run db status|seed|reset`: shows the state of the database, inserts the demo data, or deletes
 * everything. A live shop gets the catalogue and the FAQ, but no accounts. `status` and `seed` work
 * while the shop runs; `reset` needs `--yes` and a stopped shop.
 * `npm run db seed -- --products 100000` adds generated products, to test a large catalogue.
 * `npm run db -- backup FILE` writes a consistent backup, also while the shop runs; `restore FILE`
 * restores it, also one that was downloaded and encrypted, into an empty database before the shop starts. `backup-done` records that another tool
 * has written a backup. `move DATABASE_URL` moves the embedded database into an external one.
 */
import path from 'node:path';
import process from 'node:process';
import { sql } from 'kysely';
import { openDatabase } from '#src/platform/database/database.ts';
import type { Database, Db } from '#src/platform/database/database.ts';
import { isSetUp } from '#src/platform/database/embedded-postgres.ts';
import { recordBackup } from '#src/platform/database/backup-record.ts';
import { migrate, readSchemaStatus } from '#src/platform/database/migrate.ts';
import { clearDatabase, restore } from '#src/platform/database/restore.ts';
import { openPasswords } from '#src/platform/security/passwords.ts';
import { findAccountKey } from '#src/app/find-account-key.ts';
import { loadDotEnv } from '#src/app/environment.ts';
import { readSettings } from '#src/app/settings.ts';
import type { Settings } from '#src/app/settings.ts';
import { seedDemoUsers } from '#src/shop/accounts/demo-users.service.ts';
import { skipOrderNumbers } from '#src/shop/orders/checkout/order-numbers.store.ts';
import { skipIndexes } from '#src/shop/payments/addresses/store.ts';
import { recordRestore } from '#src/shop/refunds/manual/store.ts';
import { seedCatalogue } from '../db/seed/catalogue.ts';
import { DEMO_PASSWORD, demoUsers } from '../db/seed/demo-users.ts';
import { seedFaq } from '../db/seed/faq.ts';
import { seedTexts } from '../db/seed/texts.ts';
import { seedManyProducts } from '../db/seed/many-products.ts';
import { askPassphrase } from './operate/ask-passphrase.ts';
import { readBackup, writeBackup } from './operate/backup-file.ts';
import { Refused, runCommand, WrongUsage } from './operate/command.ts';
import { moveDatabase, undoMove } from './operate/move-database.ts';
import { reachDatabase, silentLog } from './operate/reach-database.ts';

const usage =
  'Usage: npm run db -- status | seed [--products NUMBER] | reset --yes | backup FILE | restore FILE | backup-done | move DATABASE_URL | move --undo';
const LIVE_SEEDED =
  'The products and the FAQ of db/seed are in the database. Existing rows were not changed. Restart the shop.';
const NO_DATABASE = 'There is no database yet. Run "npm start" to create it.';
const MOST_PRODUCTS = 1_000_000;
const migrations = path.resolve(import.meta.dirname, '../db/migrations');
const printLine = (line: string): void => void process.stdout.write(`${line}\n`);

async function printStatus({ db }: Database, location: string): Promise<void> {
  const { rows: versions } = await sql<{ version: string; size: string }>`
    select current_setting('server_version') as version, pg_size_pretty(pg_database_size(current_database())) as size
  `.execute(db);
  const { applied, pending, problem } = await readSchemaStatus(db, migrations);
  const newest = applied.at(-1);
  const lines = [
    `Where       ${location}`,
    `PostgreSQL  ${versions[0]?.version ?? '?'}, ${versions[0]?.size ?? '?'}`,
    `Migrations  ${applied.length} applied${newest === undefined ? '' : `, the newest is ${newest.name}`}`,
  ];
  if (pending.length > 0) lines.push(`            pending: ${pending.map(({ name }) => name).join(', ')}`);
  if (problem !== null) lines.push(`            ${problem}`);
  const { rows: tables } = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = 'public' and tablename <> 'schema_migrations' order by 1
  `.execute(db);
  for (const { name } of tables) {
    const { rows } = await sql<{ count: bigint }>`select count(*) from ${sql.id('public', name)}`.execute(db);
    lines.push(`${String(rows[0]?.count ?? '?').padStart(10)}  ${name}`);
  }
  printLine(lines.join('\n'));
}

/** Live mode gets no demo accounts, since their password is public. */
async function seed({ db }: Database, { isLive, many }: { isLive: boolean; many: number }): Promise<void> {
  const now = new Date();
  await migrate(db, migrations);
  await seedCatalogue(db, now, { hasDemoSales: !isLive });
  await seedFaq(db);
  if (isLive) return printLine(LIVE_SEEDED);
  await seedTexts(db, now);
  const users = demoUsers.map((user) => ({ ...user, password: DEMO_PASSWORD }));
  await seedDemoUsers({ db, passwords: openPasswords() }, users, now);
  printLine('The demo catalogue, the FAQ and the demo accounts are in the database. Existing rows were not changed.');
  if (many === 0) return;
  await seedManyProducts(db, many, (count) => printLine(`${count} of ${many} generated products`));
  printLine('A running shop shows them after a restart.');
}

async function refuseBesideShop({ db }: Pick<Database, 'db'>): Promise<void> {
  const { rows: others } = await sql<{ count: bigint }>`
    select count(*) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and application_name like 'crypto-market%'
  `.execute(db);
  if (others[0]?.count !== 0n) throw new Refused('A shop uses this database. Stop it first.');
}

async function reset(database: Database): Promise<void> {
  const { db } = database;
  await refuseBesideShop(database);
  await clearDatabase(db);
  printLine('The database is empty. The next "npm start" creates its tables again.');
}

async function createBackup({ db }: Database, file: string): Promise<void> {
  const { rows, bytes } = await writeBackup(db, file);
  // The backup is complete, even if a full disk or a standby refuses the record.
  const isRecorded = await recordBackup(db, new Date(), 'command').catch(() => false);
  printLine(`Wrote ${rows} rows to ${file}, ${Math.ceil(bytes / 1024)} KB. Store it where only you can read it.`);
  if (!isRecorded) printLine('Its time could not be recorded: the back office goes on showing the backup before it.');
}

async function reportBackup({ db }: Database): Promise<void> {
  if (!(await recordBackup(db, new Date(), 'other')))
    throw new Refused('Run "npm start" first: it updates the tables.');
  printLine('Recorded a backup that another tool wrote now.');
}

async function restoreBackup(database: Database, file: string, settings: Settings): Promise<void> {
  await refuseBesideShop(database);
  let isRecorded = false;
  const complete = async (tx: Db, backupAt: string): Promise<void> => {
    await skipIndexes(tx, (await findAccountKey(settings, tx)).account);
    await skipOrderNumbers(tx);
    isRecorded = await recordRestore(tx, new Date(backupAt));
  };
  const { at, rows } = await restore(database.db, migrations, readBackup(file, askPassphrase), complete);
  if (!isRecorded) await recordRestore(database.db, new Date(at));
  printLine(
    `Restored ${rows} rows of ${at}. Addresses and order numbers issued after that are skipped. Start the shop.`,
  );
  printLine('Refunds made after that are missing. The shop asks you to check the wallet before it makes one again.');
}

const move = (settings: Settings, to: string): Promise<void> =>
  to === '--undo'
    ? undoMove({
        settings,
        refuseBesideShop: (db) => refuseBesideShop({ db }),
        printLine,
        skipIssued: async (tx, movedAt) => {
          await skipIndexes(tx, (await findAccountKey(settings, tx)).account);
          await skipOrderNumbers(tx);
          await recordRestore(tx, movedAt);
        },
      })
    : moveDatabase(to, { settings, migrations, refuseBesideShop: (db) => refuseBesideShop({ db }), printLine });

const commands = ['status', 'seed', 'reset', 'backup', 'restore', 'backup-done', 'move'] as const;

interface Arguments {
  readonly command: (typeof commands)[number];
  readonly isSure: boolean;
  readonly products: number;
  /** Path of the backup, or where to move to. */
  readonly file: string;
}

function readArguments(args: readonly string[]): Arguments {
  const [command, ...options] = args;
  const known = commands.find((name) => name === command);
  if (known === undefined) throw new WrongUsage(usage);
  const defaults = { command: known, isSure: false, products: 0, file: '' };
  const [only = '', ...others] = options;
  if (known === 'backup' || known === 'restore' || known === 'move') {
    if (only === '' || others.length > 0) throw new WrongUsage(usage);
    return { ...defaults, file: only };
  }
  if (options.length === 0) return defaults;
  if (command === 'reset' && options.join() === '--yes') return { ...defaults, isSure: true };
  const count = /^--products[ =](\d{1,7})$/.exec(options.join(' '))?.[1];
  if (command !== 'seed' || count === undefined || Number(count) > MOST_PRODUCTS) throw new WrongUsage(usage);
  return { ...defaults, products: Number(count) };
}

async function run(args: readonly string[]): Promise<void> {
  const { command, isSure, products, file } = readArguments(args);
  loadDotEnv();
  const settings = readSettings(process.env);
  const isLive = settings.mode === 'live';
  if (isLive && (command === 'reset' || products > 0)) {
    throw new Refused(`"${command}${products > 0 ? ' --products' : ''}" is for demo mode only.`);
  }
  if (command === 'reset' && !isSure) {
    throw new Refused('"reset" deletes every order, customer and product. Confirm with "npm run db -- reset --yes".');
  }
  if (command === 'move') return move(settings, file);
  const isReading = command === 'status' || command === 'backup' || command === 'backup-done';
  if (isReading && settings.databaseUrl === null && !(await isSetUp(settings))) {
    // Without a database, a backup must fail.
    if (command !== 'status') throw new Refused(NO_DATABASE);
    return printLine(NO_DATABASE);
  }
  const isAlone = command === 'reset' || command === 'restore';
  const access = await reachDatabase(settings, { isAlone, progress: printLine });
  const database = openDatabase({ connection: access.connection, log: silentLog });
  try {
    await {
      status: () => printStatus(database, access.location),
      seed: () => seed(database, { isLive, many: products }),
      reset: () => reset(database),
      backup: () => createBackup(database, file),
      restore: () => restoreBackup(database, file, settings),
      'backup-done': () => reportBackup(database),
    }[command]();
  } finally {
    await database.close();
    await access.stop();
  }
}

await runCommand(() => run(process.argv.slice(2)));
