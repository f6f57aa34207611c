/**
 * `npm run accounting > books.csv`: exports the payments of the shop as CSV, one line per outpoint.
 * Works with and without a running shop. `-- --from 2026-01-01 --to 2026-12-31` limits it to payments
 * first seen in these days of the shop's time zone.
 */
import process from 'node:process';
import { parseArgs } from 'node:util';
import { openDatabase } from '#src/platform/database/database.ts';
import { isSetUp } from '#src/platform/database/embedded-postgres.ts';
import { loadDotEnv } from '#src/app/environment.ts';
import { readSettings } from '#src/app/settings.ts';
import { writeAccountingExport } from '#src/shop/accounting-export/service.ts';
import { toPeriod } from '#src/shop/shop-days.ts';
import type { ShopDays } from '#src/shop/shop-days.ts';
import { readShopSettings } from '#src/shop/shop-settings/service.ts';
import { formatDecimalBtc } from '#src/shop/money.ts';
import { Refused, runCommand, WrongUsage } from './operate/command.ts';
import { reachDatabase, silentLog } from './operate/reach-database.ts';

const usage = 'Usage: npm run -s accounting [-- --from YYYY-MM-DD --to YYYY-MM-DD] > books.csv';

function checkDay(text: string | undefined): void {
  if (text === undefined) return;
  if (!/^\d{4}-\d\d-\d\d$/.test(text) || Number.isNaN(Date.parse(`${text}T00:00:00Z`))) throw new WrongUsage(usage);
}

function parseDays(args: string[]): ShopDays {
  try {
    const { values } = parseArgs({ args, options: { from: { type: 'string' }, to: { type: 'string' } } });
    for (const day of [values.from, values.to]) checkDay(day);
    return values;
  } catch {
    throw new WrongUsage(usage);
  }
}

const write = (text: string): Promise<void> =>
  new Promise((resolve, reject) => {
    process.stdout.write(text, (error) => (error ? reject(error) : resolve()));
  });

async function run(): Promise<void> {
  const days = parseDays(process.argv.slice(2));
  loadDotEnv();
  const settings = readSettings(process.env);
  if (settings.databaseUrl === null && !(await isSetUp(settings)))
    throw new Refused('There is no database yet. Run "npm start" to create it.');
  const access = await reachDatabase(settings);
  const database = openDatabase({ connection: access.connection, log: silentLog });
  try {
    const { time } = await readShopSettings(database.db);
    const { lines, sats, cents, refundSats, refundGainCents, unclaimedSats, lossSats } = await writeAccountingExport(
      database.db,
      toPeriod(days, time.time_zone),
      write,
    );
    const dollars = `${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`;
    const back = refundSats > 0n ? `, of which ${formatDecimalBtc(refundSats)} BTC were refunded` : '';
    const gain = refundGainCents < 0n ? -refundGainCents : refundGainCents;
    const gained =
      gain === 0n
        ? ''
        : ` at a ${refundGainCents < 0n ? 'loss' : 'gain'} of $${gain / 100n}.${String(gain % 100n).padStart(2, '0')}`;
    const unclaimed = unclaimedSats > 0n ? `, and ${formatDecimalBtc(unclaimedSats)} BTC were not claimed` : '';
    const lost = lossSats > 0n ? `; ${formatDecimalBtc(lossSats)} BTC were lost` : '';
    process.stderr.write(
      `${lines} ${lines === 1 ? 'payment' : 'payments'}, ${formatDecimalBtc(sats)} BTC, $${dollars} at the rates of their quotes${back}${gained}${unclaimed}${lost}\n`,
    );
  } finally {
    await database.close();
    await access.stop();
  }
}

await runCommand(run);
