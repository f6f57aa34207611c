/**
 * `npm run stock -- list | set SLUG NUMBER | unlimited SLUG`: how many of a product may still be ordered. A product is the
 * last part of its page's address. Beside a running shop or without one: a number counts from the next checkout on.
 */
import process from 'node:process';
import { sql } from 'kysely';
import { openDatabase } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import { isSetUp } from '#src/platform/database/embedded-postgres.ts';
import { loadDotEnv, readSettings } from '#src/app/settings.ts';
import { Refused, runCommand, WrongUsage } from './command.ts';
import { reachDatabase, silentLog } from './reach-database.ts';

const usage = 'Usage: npm run stock -- list | set SLUG NUMBER | unlimited SLUG';
const MOST_UNITS = 1_000_000;
const say = (line: string): void => void process.stdout.write(`${line}\n`);

interface Asked {
  /** Null for all products. */
  readonly slug: string | null;
  /** Null without a limit. */
  readonly units: number | null;
}

function readArguments([command, slug, units, ...more]: readonly string[]): Asked {
  if (command === 'list' && slug === undefined) return { slug: null, units: null };
  if (slug === undefined || more.length > 0) throw new WrongUsage(usage);
  if (command === 'unlimited' && units === undefined) return { slug, units: null };
  const isNumber = /^\d{1,7}$/.test(units ?? '') && Number(units) <= MOST_UNITS;
  if (command !== 'set' || !isNumber) throw new WrongUsage(usage);
  return { slug, units: Number(units) };
}

async function list(db: Db): Promise<void> {
  const { rows } = await sql<{ slug: string; available: number; held: number }>`
    select product.slug, stock.available,
      (select coalesce(sum(quantity), 0)::integer from stock_holds hold where hold.product_id = product.id) as held
    from products product join product_stock stock on stock.product_id = product.id order by product.slug
  `.execute(db);
  if (rows.length === 0) say('No product has a limit: every one may be ordered.');
  for (const { slug, available, held } of rows)
    say(`${String(available).padStart(7)}  ${slug}, ${held} held by orders`);
}

async function setStock(db: Db, slug: string, units: number | null): Promise<void> {
  const { rows } = await sql<{ id: string }>`select id from products where slug = ${slug}`.execute(db);
  const id = rows[0]?.id;
  if (id === undefined) throw new Refused(`There is no product ${slug}: take the last part of its page's address.`);
  if (units === null) {
    await sql`delete from product_stock where product_id = ${id}`.execute(db);
    return say(`${slug} has no limit.`);
  }
  await sql`
    insert into product_stock (product_id, available) values (${id}, ${units})
    on conflict (product_id) do update set available = excluded.available
  `.execute(db);
  say(`${units} of ${slug} may be ordered.`);
}

async function run(args: readonly string[]): Promise<void> {
  const { slug, units } = readArguments(args);
  loadDotEnv();
  const settings = readSettings(process.env);
  if (settings.databaseUrl === null && !(await isSetUp(settings))) {
    throw new Refused('There is no database yet; "npm start" sets it up.');
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
