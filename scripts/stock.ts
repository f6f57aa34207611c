/**
 * `npm run stock -- list | set NAME NUMBER | unlimited NAME`: the available stock of variants. NAME is a SKU, or
 * the last part of a product page's address for all variants of the product. The shop may be running: a change
 * takes effect at the next checkout, and the history of the variant shows it.
 */
import process from 'node:process';
import { sql } from 'kysely';
import { openDatabase } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import { isSetUp } from '#src/platform/database/embedded-postgres.ts';
import { loadDotEnv } from '#src/app/environment.ts';
import { readSettings } from '#src/app/settings.ts';
import { StockAdjustments } from '#src/shop/inventory/adjustments/service.ts';
import { Inventory } from '#src/shop/inventory/service.ts';
import { lockOpenOrdersWith } from '#src/shop/orders/open-orders.store.ts';
import { Refused, runCommand, WrongUsage } from './operate/command.ts';
import { reachDatabase, silentLog } from './operate/reach-database.ts';

const usage = 'Usage: npm run stock -- list | set NAME NUMBER | unlimited NAME';
const MOST_UNITS = 1_000_000;
const print = (line: string): void => void process.stdout.write(`${line}\n`);

interface Arguments {
  /** Slug of a product or a SKU; null for everything. */
  readonly name: string | null;
  /** Null without a limit. */
  readonly units: number | null;
}

function readArguments([command, name, units, ...more]: readonly string[]): Arguments {
  if (command === 'list' && name === undefined) return { name: null, units: null };
  if (name === undefined || more.length > 0) throw new WrongUsage(usage);
  if (command === 'unlimited' && units === undefined) return { name, units: null };
  const isNumber = /^\d{1,7}$/.test(units ?? '') && Number(units) <= MOST_UNITS;
  if (command !== 'set' || !isNumber) throw new WrongUsage(usage);
  return { name, units: Number(units) };
}

const inventory = new Inventory();
const adjustments = new StockAdjustments({
  clock: { now: () => new Date() },
  isTrackedByDefault: false,
  lockOpenOrders: lockOpenOrdersWith,
});

interface VariantRow {
  readonly id: string;
  readonly sku: string;
  readonly slug: string;
}

/** The variants of a product by its slug, or one by its SKU; all of them for null. */
async function findVariants(db: Db, name: string | null): Promise<readonly VariantRow[]> {
  const { rows } = await sql<VariantRow>`
    select variant.id, sku, slug
    from product_variants variant join products on products.id = product_id
    where ${name}::text is null or sku = ${name} or slug = ${name}
    order by slug, variant.position, sku
  `.execute(db);
  return rows;
}

async function list(db: Db): Promise<void> {
  const variants = await findVariants(db, null);
  const stock = new Map((await inventory.list(db)).map((level) => [level.variantId, level]));
  if (stock.size === 0) print('No product has limited stock.');
  for (const { id, slug, sku } of variants) {
    const level = stock.get(id);
    if (level)
      print(`${String(level.available).padStart(7)}  ${slug}, SKU ${sku}, ${level.reserved} reserved by orders`);
  }
}

async function setStock(db: Db, name: string, available: number | null): Promise<void> {
  const variants = await findVariants(db, name);
  if (variants.length === 0) {
    throw new Refused(`There is no product or SKU ${name}. Use the last part of a product page's address, or a SKU.`);
  }
  const change =
    available === null
      ? ({ kind: 'stop-tracking' } as const)
      : ({ kind: 'set', of: 'available', quantity: available, seen: undefined } as const);
  await adjustments.changeAll(
    db,
    variants.map(({ id }) => id),
    { change, reason: 'correction', by: { kind: 'command', name: 'stock' } },
  );
  const subject = variants.length === 1 ? name : `Each of the ${variants.length} variants of ${name}`;
  print(available === null ? `${subject} has unlimited stock.` : `${subject} has ${available} available.`);
}

async function run(args: readonly string[]): Promise<void> {
  const { name, units } = readArguments(args);
  loadDotEnv();
  const settings = readSettings(process.env);
  if (settings.databaseUrl === null && !(await isSetUp(settings))) {
    throw new Refused('There is no database yet. Run "npm start" to create it.');
  }
  const access = await reachDatabase(settings);
  const database = openDatabase({ connection: access.connection, log: silentLog });
  try {
    await (name === null ? list(database.db) : setStock(database.db, name, units));
  } finally {
    await database.close();
    await access.stop();
  }
}

await runCommand(() => run(process.argv.slice(2)));
