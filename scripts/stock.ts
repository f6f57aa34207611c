/**
 * `npm run stock -- list | set SLUG NUMBER | unlimited SLUG`: the available stock of products. SLUG is the last
 * part of a product page's address. The shop may be running: a change takes effect at the next checkout.
 */
import process from 'node:process';
import { sql } from 'kysely';
import { openDatabase } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import { isSetUp } from '#src/platform/database/embedded-postgres.ts';
import { loadDotEnv, readSettings } from '#src/app/settings.ts';
import { Inventory } from '#src/shop/inventory/service.ts';
import { Refused, runCommand, WrongUsage } from './command.ts';
import { reachDatabase, silentLog } from './reach-database.ts';

const usage = 'Usage: npm run stock -- list | set SLUG NUMBER | unlimited SLUG';
const MOST_UNITS = 1_000_000;
const print = (line: string): void => void process.stdout.write(`${line}\n`);

interface Arguments {
  /** Null for all products. */
  readonly slug: string | null;
  /** Null without a limit. */
  readonly units: number | null;
}

function readArguments([command, slug, units, ...more]: readonly string[]): Arguments {
  if (command === 'list' && slug === undefined) return { slug: null, units: null };
  if (slug === undefined || more.length > 0) throw new WrongUsage(usage);
  if (command === 'unlimited' && units === undefined) return { slug, units: null };
  const isNumber = /^\d{1,7}$/.test(units ?? '') && Number(units) <= MOST_UNITS;
  if (command !== 'set' || !isNumber) throw new WrongUsage(usage);
  return { slug, units: Number(units) };
}

const inventory = new Inventory();

async function list(db: Db): Promise<void> {
  const { rows } = await sql<{ id: string; slug: string }>`select id, slug from products order by slug`.execute(db);
  const stock = new Map((await inventory.list(db)).map((level) => [level.productId, level]));
  if (stock.size === 0) print('No product has limited stock.');
  for (const { id, slug } of rows) {
    const level = stock.get(id);
    if (level) print(`${String(level.available).padStart(7)}  ${slug}, ${level.reserved} reserved by orders`);
  }
}

async function setStock(db: Db, slug: string, available: number | null): Promise<void> {
  const { rows } = await sql<{ id: string }>`select id from products where slug = ${slug}`.execute(db);
  const id = rows[0]?.id;
  if (id === undefined) throw new Refused(`There is no product ${slug}. Use the last part of its page's address.`);
  if (available === null) {
    await inventory.removeLimit(db, id);
    return print(`${slug} has unlimited stock.`);
  }
  await inventory.setAvailable(db, id, available);
  print(`${slug} has ${available} available.`);
}

async function run(args: readonly string[]): Promise<void> {
  const { slug, units } = readArguments(args);
  loadDotEnv();
  const settings = readSettings(process.env);
  if (settings.databaseUrl === null && !(await isSetUp(settings))) {
    throw new Refused('There is no database yet. Run "npm start" to create it.');
  }
  const access = await reachDatabase(settings);
  const database = openDatabase({ connection: access.connection, log: silentLog });
  try {
    await (slug === null ? list(database.db) : setStock(database.db, slug, units));
  } finally {
    await database.close();
    await access.stop();
  }
}

await runCommand(() => run(process.argv.slice(2)));
