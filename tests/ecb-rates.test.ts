/** Invoices at the rates of the European Central Bank, over HTTP, with a local server that has its files. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { z } from 'zod';
import { moveClock } from './support/buyer.ts';
import { GERMAN_TAX, logInAs, putSettings } from './support/charge-settings.ts';
import { createEcbFile, FakeEcb, respondWithDays } from './support/fake-ecb.ts';
import type { EcbBehaviour, EcbDays } from './support/fake-ecb.ts';
import type { ServerResponse } from 'node:http';
import { createOrder } from './support/new-order.ts';
import type { NewOrder } from './support/new-order.ts';
import { listAt, numberAt, textAt, valueAt } from './support/read-json.ts';
import { startTestShop } from './support/shop.ts';
import type { TestShop } from './support/shop.ts';
import { runWithShopDatabase } from './support/stock-stress.ts';
import { readErrorCode } from './support/support-fixtures.ts';
import { waitUntil } from './support/wait-until.ts';

const DAY_MS = 86_400_000;
const toDay = (moment: number): string => new Date(moment).toISOString().slice(0, 10);
/** Noon of the next Sunday. */
const SUNDAY_NOON = (() => {
  const noon = new Date(`${toDay(Date.now())}T12:00:00Z`).getTime() + DAY_MS;
  return noon + ((7 - new Date(noon).getUTCDay()) % 7) * DAY_MS;
})();
/** A day of that week and the next one: 0 is the Sunday. */
const dayOf = (days: number): string => toDay(SUNDAY_NOON + days * DAY_MS);
const [THURSDAY, FRIDAY, MONDAY] = [dayOf(-3), dayOf(-2), dayOf(1)];
const RATES = { USD: '1.1575', JPY: '180.94', SEK: '10.9520', GBP: '0.8776' };
const LAST_WEEK: EcbDays = { [FRIDAY]: RATES, [THURSDAY]: { ...RATES, SEK: '10.9000' } };
/** Longer than a busy machine needs for a local file; one test waits for it. */
const TIMEOUT_MS = 10_000;

const national = z.object({
  currency: z.string(),
  rate: z.string(),
  rateDay: z.string(),
  source: z.string(),
  euro: z.object({ dollars: z.string(), national: z.string() }).optional(),
  taxCents: z.string(),
});
const content = z.object({ taxCents: z.string(), national: national.optional() });

const ecb = new FakeEcb();
let shop: TestShop;
let owner: string;
let buyers = 0;
before(async () => {
  await ecb.open();
  ecb.history = respondWithDays(LAST_WEEK);
  ecb.daily = respondWithDays({ [FRIDAY]: RATES });
  shop = await startTestShop({
    settings: { ECB_RATES_URL: ecb.url, ECB_RATES_TIMEOUT_MS: String(TIMEOUT_MS), LOG_LEVEL: 'info' },
  });
  await moveTo(0, 12);
  const rates = [{ country: 'GB', tax_class: 'standard', basis_points: 2000 }];
  const tax = { ...GERMAN_TAX, home_country: 'GB', has_reverse_charge: false, rates };
  assert.equal((await putSettings(shop, 'tax', tax, owner)).status, 200);
});
after(async () => {
  await shop.stop();
  ecb.close();
});

/** Moves the clock of the shop to a day and hour of UTC, and logs in. */
async function moveTo(days: number, hour: number): Promise<void> {
  const moment = SUNDAY_NOON + days * DAY_MS + (hour - 12) * 3_600_000;
  await moveClock(shop, Math.round((moment - Date.now()) / 1000));
  owner = await logInAs(shop, 'owner');
}
const read = async () => (await shop.api('GET', '/tax/national-currency', { token: owner })).body;
const readEcb = async () => valueAt(await read(), 'ecb');
const readTodo = async () => (await shop.api('GET', '/support/todo', { token: owner })).body;
async function choose(currency: string, source: 'table' | 'ecb'): Promise<void> {
  const body = { currency, valid_days: 4, rates_from: source, version: numberAt(await read(), 'version') };
  assert.equal((await shop.api('PUT', '/tax/national-currency', { token: owner, body })).status, 200);
}
const query = (statement: ReturnType<typeof sql>) =>
  runWithShopDatabase(shop, async (db) => (await statement.execute(db)).rows);
/** As if the time of the next fetch had come. */
const makeDue = () => query(sql`update ecb_fetches set next_at = null`);
const isFetched = async () => valueAt(await readEcb(), 'next_at') !== null;
async function fetchAgain(): Promise<unknown> {
  await makeDue();
  await waitUntil(isFetched);
  return readEcb();
}
async function createPaidOrder(): Promise<NewOrder> {
  const order = await createOrder(shop, `ecb-${(buyers += 1)}`);
  await shop.api('POST', '/dev/pay', { body: { order_id: order.id } });
  await shop.api('POST', '/dev/mine', { body: { blocks: 6 } });
  return order;
}
async function waitForInvoice({ id }: NewOrder) {
  const readContents = () => query(sql`select content from invoices where order_id = ${id}`);
  await waitUntil(async () => (await readContents()).length > 0);
  const [row] = await readContents();
  return content.parse(z.object({ content: z.unknown() }).parse(row).content);
}
const readDay = async (order: NewOrder) => (await waitForInvoice(order)).national?.rateDay;

test('[OPS-16] without the setting no file is requested, and no currency refuses the bank', async () => {
  assert.equal((await waitForInvoice(await createPaidOrder())).national, undefined);
  await choose('SEK', 'table');
  assert.equal(valueAt(await read(), 'ecb'), null);
  const body = { currency: '', valid_days: 4, rates_from: 'ecb', version: numberAt(await read(), 'version') };
  const refused = await shop.api('PUT', '/tax/national-currency', { token: owner, body });
  assert.match(textAt(refused.body, 'error', 'fields', 'rates_from'), /must be table/);
  await choose('', 'table');
  assert.deepEqual(ecb.requested, []);
});

test('[OPS-16] an invoice of a Sunday has the rate of Friday, through the euro', async () => {
  await choose('SEK', 'ecb');
  const invoice = await waitForInvoice(await createPaidOrder());
  const tax = BigInt(invoice.taxCents);
  assert.ok(tax > 0n);
  assert.deepEqual(invoice.national, {
    currency: 'SEK',
    // 10.9520 / 1.1575
    rate: '9.46177106',
    rateDay: FRIDAY,
    source: 'European Central Bank',
    euro: { dollars: '1.1575', national: '10.9520' },
    taxCents: String((tax * 946_177_106n * 2n + 100_000_000n) / 200_000_000n),
  });
  assert.deepEqual(ecb.requested, ['hist-90d']);
  const shown = await readEcb();
  assert.equal(textAt(shown, 'newest_day'), FRIDAY);
  assert.equal(valueAt(shown, 'failure'), null);
  // After the publication of Monday, in winter or summer.
  assert.match(textAt(shown, 'next_at'), new RegExp(`^${MONDAY}T1[45]:15:00`));
  assert.equal(listAt(await read(), 'rates').length, 2);
});

test('[OPS-16] the euro needs the rate of the dollar only', async () => {
  await choose('EUR', 'ecb');
  const invoice = await waitForInvoice(await createPaidOrder());
  assert.deepEqual(invoice.national?.euro, { dollars: '1.1575', national: '1.0000' });
  assert.equal(invoice.national?.rate, '0.86393089');
  await choose('SEK', 'ecb');
  await waitUntil(isFetched);
});

test('[OPS-16] a file that was requested for another currency does not count', async () => {
  const held = Promise.withResolvers<ServerResponse>();
  ecb.daily = held.resolve;
  await makeDue();
  const response = await held.promise;
  // A member of staff chooses another currency meanwhile.
  ecb.history = respondWithDays({ [FRIDAY]: { ...RATES, NOK: '11.6' } });
  await choose('NOK', 'ecb');
  respondWithDays({ [FRIDAY]: RATES })(response);
  await waitUntil(async () => valueAt(await readEcb(), 'newest_day') === FRIDAY);
  assert.equal(listAt(await read(), 'rates').length, 1);
  ecb.history = respondWithDays(LAST_WEEK);
  await choose('SEK', 'ecb');
  ecb.daily = respondWithDays({ [FRIDAY]: RATES });
  await waitUntil(isFetched);
});

const good = createEcbFile({ [FRIDAY]: RATES });
const FAULTS: readonly (readonly [name: string, failure: string, behaviour: EcbBehaviour])[] = [
  ['is no XML', 'format', (response) => response.end('<html>Maintenance</html>')],
  ['ends early', 'format', (response) => response.end(good.slice(0, -30))],
  ['is no UTF-8', 'format', (response) => response.end(Buffer.from([0xff, 0xfe, 0x00]))],
  ['is huge', 'too-long', (response) => response.end(good.padEnd(2_000_000))],
  ['comes too slowly', 'timeout', (response) => void response.write(good.slice(0, 100))],
  ['has a day of the future', 'future-day', respondWithDays({ [MONDAY]: RATES })],
  ['is a copy of last week', 'outdated', respondWithDays({ [dayOf(-6)]: RATES })],
  ['lacks the currency', 'currency-missing', respondWithDays({ [FRIDAY]: { USD: '1.1575' } })],
  ['has a rate ten times too high', 'implausible-rate', respondWithDays({ [FRIDAY]: { ...RATES, SEK: '109.52' } })],
  ['is an error', 'status', (response) => response.writeHead(503).end()],
  ['is elsewhere', 'status', (response) => response.writeHead(302, { location: `${ecb.url}/elsewhere` }).end()],
  ['breaks off', 'unreachable', (response) => response.destroy()],
];
for (const [name, failure, behaviour] of FAULTS) {
  test(`[OPS-16] a file that ${name} changes nothing and is reported`, async () => {
    const rates = valueAt(await read(), 'rates');
    const failures = numberAt(await readEcb(), 'failures');
    ecb.daily = behaviour;
    const shown = await fetchAgain();
    assert.equal(textAt(shown, 'failure'), failure);
    assert.equal(numberAt(shown, 'failures'), failures + 1);
    assert.equal(numberAt(await readTodo(), 'failed_rate_fetches'), failures + 1);
    assert.deepEqual(valueAt(await read(), 'rates'), rates);
    assert.match(shop.readOutput(), new RegExp(`"failure":"${failure}"`));
    // Documents of rates that are known go on.
    if (failures === 0) assert.equal(await readDay(await createPaidOrder()), FRIDAY);
  });
}

test('[OPS-16] a later file does not change a stored rate, and ends the report', async () => {
  const rates = valueAt(await read(), 'rates');
  ecb.daily = respondWithDays({ [FRIDAY]: { ...RATES, SEK: '10.9999' } });
  const shown = await fetchAgain();
  assert.deepEqual([valueAt(shown, 'failure'), numberAt(shown, 'failures')], [null, 0]);
  assert.equal(numberAt(await readTodo(), 'failed_rate_fetches'), 0);
  assert.deepEqual(valueAt(await read(), 'rates'), rates);
  await assert.rejects(query(sql`update ecb_rates set rate_e8 = 1`), /ecb_rates rows never change/);
});

test('[OPS-16] an invoice waits for the rates of its day, and is issued once they are published', async () => {
  ecb.daily = (response) => response.writeHead(503).end();
  await moveTo(1, 16);
  const order = await createPaidOrder();
  await waitUntil(async () => numberAt(await readTodo(), 'waiting_invoices') === 1);
  assert.deepEqual(valueAt(await read(), 'waiting', 'days'), [MONDAY]);
  assert.equal(textAt(await read(), 'waiting', 'orders', 0, 'number'), order.number);
  // A proxy has the file of before.
  ecb.daily = respondWithDays({ [FRIDAY]: RATES });
  await fetchAgain();
  const next = new Date(textAt(await readEcb(), 'next_at')).getTime();
  assert.ok(next < SUNDAY_NOON + DAY_MS + 5 * 3_600_000, 'it is read again soon');
  ecb.daily = respondWithDays({ [MONDAY]: RATES });
  await fetchAgain();
  assert.equal(await readDay(order), MONDAY);
  assert.equal(numberAt(await readTodo(), 'waiting_invoices'), 0);
  assert.equal(ecb.requested.at(-1), 'daily');
});

test('[OPS-16] after missed days the file of ninety days is read, and a holiday has the rate before it', async () => {
  const [tuesday, wednesday, thursday] = [dayOf(2), dayOf(3), dayOf(4)];
  ecb.history = respondWithDays({ [thursday]: RATES, [wednesday]: RATES, [tuesday]: RATES, ...LAST_WEEK });
  await moveTo(4, 19);
  await waitUntil(async () => valueAt(await readEcb(), 'newest_day') === thursday);
  assert.equal(ecb.requested.at(-1), 'hist-90d');
  // Nothing is published on this Friday.
  ecb.daily = respondWithDays({ [thursday]: RATES });
  await moveTo(5, 19);
  assert.equal(await readDay(await createPaidOrder()), thursday);
  assert.equal(ecb.requested.at(-1), 'daily');
});

test('[OPS-16] a daily file that leaves out a day is followed by that of ninety days', async () => {
  const [thursday, friday, monday] = [dayOf(4), dayOf(5), dayOf(8)];
  ecb.history = respondWithDays({ [monday]: RATES, [friday]: RATES, [thursday]: RATES });
  ecb.daily = respondWithDays({ [thursday]: RATES });
  // Before the publication of Monday is expected, only Friday is missing.
  await moveTo(8, 12);
  await fetchAgain();
  const earlier = ecb.requested.length;
  ecb.daily = respondWithDays({ [monday]: RATES });
  await fetchAgain();
  assert.deepEqual(ecb.requested.slice(earlier), ['daily', 'hist-90d']);
  assert.equal(listAt(await read(), 'rates').length, 8);
});

test('[OPS-16] entered rates and those of the bank are kept apart', async () => {
  await choose('SEK', 'table');
  assert.deepEqual(valueAt(await read(), 'rates'), []);
  const order = await createPaidOrder();
  await waitUntil(async () => numberAt(await readTodo(), 'waiting_invoices') === 1);
  const body = { source: 'Riksbank', rates: [{ day: dayOf(8), rate: '9.5' }] };
  assert.equal((await shop.api('PUT', '/tax/national-rates', { token: owner, body })).status, 200);
  const { national: found } = await waitForInvoice(order);
  assert.deepEqual([found?.rate, found?.source, found?.euro], ['9.5000', 'Riksbank', undefined]);
  await choose('SEK', 'ecb');
  assert.equal(listAt(await read(), 'rates').length, 8);
  assert.equal(
    readErrorCode(await shop.api('DELETE', `/tax/national-rates/${dayOf(5)}`, { token: owner })),
    '404 not-found',
  );
});

test('[OPS-16] of two processes only the leader requests the file', async () => {
  const other = new FakeEcb();
  await other.open();
  other.daily = ecb.daily;
  other.history = ecb.history;
  const second = await startTestShop({ beside: shop, settings: { ECB_RATES_URL: other.url } });
  try {
    const earlier = ecb.requested.length;
    for (let round = 0; round < 3; round += 1) await fetchAgain();
    assert.equal(ecb.requested.length, earlier + 3);
    assert.deepEqual(other.requested, []);
  } finally {
    await second.stop();
    other.close();
  }
});
