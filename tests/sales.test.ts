/** Sales figures, what needs staff, and the record of backups, over HTTP. */
import { divideTotal } from '#src/shop/money.ts';
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { recordBackup } from '#src/platform/database/backup-record.ts';
import { fillSales } from './support/fill-sales.ts';
import { createOrder } from './support/new-order.ts';
import { listAt, numberAt, textAt, valueAt } from './support/read-json.ts';
import { startTestShop } from './support/shop.ts';
import type { TestShop } from './support/shop.ts';
import { payInBlocks } from './support/staff-fixtures.ts';
import { runWithShopDatabase } from './support/stock-stress.ts';
import { waitUntil } from './support/wait-until.ts';

const ORDERS = 600;
let shop: TestShop;
let staff: string;
before(async () => {
  shop = await startTestShop();
  await runWithShopDatabase(shop, (db) => fillSales(db, ORDERS, new Date()));
  const { body } = await shop.api('POST', '/users/login', { body: { username: 'staff', password: 'crypto-market' } });
  staff = textAt(body, 'tokens', 'accessToken');
});
after(() => shop.stop());

const read = async (path: string): Promise<unknown> => (await shop.api('GET', path, { token: staff })).body;
const toMinor = (amount: number, decimals: number): bigint => BigInt(Math.round(amount * 10 ** decimals));
const addUp = (parts: readonly bigint[]): bigint => parts.reduce((sum, part) => sum + part, 0n);
const sumAt = (rows: readonly unknown[], field: string, decimals: number): bigint =>
  addUp(rows.map((row) => toMinor(numberAt(row, field), decimals)));

interface SaleRow {
  readonly id: string;
  readonly cents: bigint;
  readonly sats: bigint;
  readonly is_refunded: boolean;
  readonly weights: readonly string[];
  readonly debits: readonly string[];
}
/** Every sale of the last twelve months with its lines and refunds, by other queries than those of the shop. */
const readSales = (from: string) =>
  runWithShopDatabase(shop, async (db) => {
    const { rows } = await sql<SaleRow>`
      select id, total_after_cents as cents, due_sats as sats, payment_status = 'refunded' as is_refunded,
        array(select (price_cents * quantity)::text from order_lines where order_id = orders.id order by position) as weights,
        array(select debit_sats::text from refunds where order_id = orders.id and made_at >= ${from}::timestamptz) as debits
      from orders where payment_status in ('paid', 'refunded') and paid_at >= ${from}::timestamptz
    `.execute(db);
    return rows;
  });

test('[OPS-05] orders and revenue equal those of an oracle', async () => {
  const year = await read('/support/sales?period=12m');
  const expected = await readSales(`${textAt(year, 'from')}T00:00:00Z`);
  assert.ok(expected.length > 400);
  const points = listAt(year, 'points');
  assert.equal(numberAt(year, 'totals', 'orders'), expected.length);
  assert.equal(toMinor(numberAt(year, 'totals', 'sold_usd'), 2), addUp(expected.map(({ cents }) => cents)));
  assert.equal(toMinor(numberAt(year, 'totals', 'sold_btc'), 8), addUp(expected.map(({ sats }) => sats)));
  for (const [currency, decimals] of [
    ['usd', 2],
    ['btc', 8],
  ] as const) {
    const readTotal = (name: string): bigint => toMinor(numberAt(year, 'totals', `${name}_${currency}`), decimals);
    assert.equal(readTotal('revenue'), readTotal('sold') - readTotal('refunded'), 'revenue is net of refunds');
  }
  for (const [field, decimals] of [
    ['orders', 0],
    ['sold_usd', 2],
    ['sold_btc', 8],
    ['waived_usd', 2],
    ['revenue_usd', 2],
    ['revenue_btc', 8],
    ['refunded_usd', 2],
    ['refunded_btc', 8],
  ] as const)
    assert.equal(sumAt(points, field, decimals), toMinor(numberAt(year, 'totals', field), decimals), field);
});

test('[OPS-05] refunds of whole orders are their revenue, shown separately', async () => {
  const all = await read('/support/sales?from=2020-01-01&to=2029-12-31');
  const sales = await readSales('2020-01-01T00:00:00Z');
  const refunded = sales.filter(({ debits }) => debits.length > 0);
  assert.ok(refunded.length > 3);
  assert.equal(numberAt(all, 'totals', 'refunds'), refunded.length);
  assert.equal(toMinor(numberAt(all, 'totals', 'refunded_usd'), 2), addUp(refunded.map(({ cents }) => cents)));
  assert.equal(toMinor(numberAt(all, 'totals', 'refunded_btc'), 8), addUp(refunded.map(({ sats }) => sats)));
});

test('[OPS-05] the revenue of lines follows the rule and adds up', async () => {
  const sales = await readSales('2020-01-01T00:00:00Z');
  const stored = await runWithShopDatabase(shop, async (db) => {
    const { rows } = await sql<{ order_id: string; cents: bigint; sats: bigint }>`
      select order_id, revenue_cents as cents, revenue_sats as sats from sale_lines order by order_id, position
    `.execute(db);
    return Map.groupBy(rows, (row) => row.order_id);
  });
  assert.equal(stored.size, sales.length);
  for (const { id, cents, sats, weights } of sales) {
    const shares = weights.map(BigInt);
    assert.deepEqual(
      stored.get(id)?.map((line) => line.cents),
      divideTotal(cents, shares),
    );
    assert.deepEqual(
      stored.get(id)?.map((line) => line.sats),
      divideTotal(sats, shares),
    );
  }
});

test('[OPS-05] days of sales and refunds are those of the shop’s time zone', async () => {
  const login = await shop.api('POST', '/users/login', { body: { username: 'owner', password: 'crypto-market' } });
  const token = textAt(login.body, 'tokens', 'accessToken');
  const setTimeZone = async (zone: string): Promise<void> => {
    const version = numberAt((await shop.api('GET', '/shop/settings', { token })).body, 'time', 'version');
    const body = { time_zone: zone, version };
    assert.equal((await shop.api('PUT', '/shop/settings/time', { token, body })).status, 200);
  };
  const zone = 'America/New_York';
  await setTimeZone(zone);
  const year = await read('/support/sales?period=12m&by=day');
  assert.equal(textAt(year, 'time_zone'), zone);
  const day = new Intl.DateTimeFormat('en-CA', { timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit' });
  const { sold, refunded } = await runWithShopDatabase(shop, async (db) => ({
    sold: (
      await sql<{ at: Date }>`select paid_at as at from orders where payment_status in ('paid', 'refunded')`.execute(db)
    ).rows,
    refunded: (
      await sql<{ at: Date }>`
      select made_at as at from refunds where state = 'confirmed' and covers <> 'surplus'`.execute(db)
    ).rows,
  }));
  const count = (rows: readonly { readonly at: Date }[]) => Map.groupBy(rows, ({ at }) => day.format(at));
  const [soldOn, refundedOn] = [count(sold), count(refunded)];
  for (const point of listAt(year, 'points')) {
    const start = textAt(point, 'start');
    assert.equal(numberAt(point, 'orders'), soldOn.get(start)?.length ?? 0, start);
    assert.equal(numberAt(point, 'refunds'), refundedOn.get(start)?.length ?? 0, start);
  }
  await setTimeZone('UTC');
});

test('[OPS-05] the last days and the same weekdays before equal an oracle', async () => {
  for (const days of ['1', '7', '28']) {
    const found = await read(`/support/sales/comparison?days=${days}`);
    for (const span of ['current', 'before']) {
      const [from, until] = [textAt(found, span, 'from'), textAt(found, span, 'until')];
      const { rows } = await runWithShopDatabase(shop, (db) =>
        sql<{ orders: number; cents: bigint }>`
          select count(*)::integer as orders, coalesce(sum(total_after_cents), 0)::bigint as cents from orders
          where payment_status in ('paid', 'refunded') and paid_at >= ${from}::date at time zone 'UTC' and paid_at < ${until}::timestamptz
        `.execute(db),
      );
      assert.equal(numberAt(found, span, 'totals', 'orders'), rows[0]?.orders, `${days} ${span}`);
      assert.equal(toMinor(numberAt(found, span, 'totals', 'sold_usd'), 2), rows[0]?.cents);
    }
  }
  assert.equal((await shop.api('GET', '/support/sales/comparison?days=2', { token: staff })).status, 400);
});

test('[OPS-05] recent orders are the newest, without their buyers', async () => {
  const recent = await read('/support/recent-orders');
  const all = listAt(await read('/support/orders'), 'orders');
  assert.deepEqual(
    listAt(recent, 'orders').map((one) => textAt(one, 'number')),
    all.slice(0, 6).map((one) => textAt(one, 'number')),
  );
  assert.ok(!JSON.stringify(recent).includes('alice'));
});

for (const group of ['product', 'category', 'country', 'promotion']) {
  test(`[OPS-05] figures by ${group} add up to the totals`, async () => {
    const year = await read('/support/sales?period=12m');
    const found = await read(`/support/sales/groups?period=12m&group=${group}`);
    const others = valueAt(found, 'others') === null ? [] : [valueAt(found, 'others')];
    const rows = [...listAt(found, 'groups'), ...others];
    assert.equal(sumAt(rows, 'sold_usd', 2), toMinor(numberAt(year, 'totals', 'sold_usd'), 2));
    assert.equal(sumAt(rows, 'sold_btc', 8), toMinor(numberAt(year, 'totals', 'sold_btc'), 8));
    assert.equal(numberAt(found, 'sold_usd'), numberAt(year, 'totals', 'sold_usd'));
  });
}

test('[OPS-05] the CSV has the figures of the screen, exactly', async () => {
  const year = await read('/support/sales?period=12m');
  const response = await fetch(`${shop.url}/api/exports/sales?period=12m`, {
    headers: { authorization: `Bearer ${staff}` },
  });
  assert.match(response.headers.get('content-type') ?? '', /^text\/csv/);
  const [head = '', ...lines] = (await response.text()).trimEnd().split('\r\n');
  assert.equal(
    head,
    'month,orders,sold_with_tax_and_shipping_usd,sold_with_tax_and_shipping_btc,average_usd,waived_usd,refunded_usd,refunded_btc,revenue_net_of_refunds_usd,revenue_net_of_refunds_btc',
  );
  assert.deepEqual(
    lines.map((line) => line.split(',').slice(0, 4)),
    listAt(year, 'points').map((point) => [
      textAt(point, 'start'),
      String(numberAt(point, 'orders')),
      numberAt(point, 'sold_usd').toFixed(2),
      numberAt(point, 'sold_btc').toFixed(8),
    ]),
  );
});

test('[OPS-05] a name that starts a formula is escaped in the CSV', async () => {
  await runWithShopDatabase(shop, (db) =>
    sql`update orders set promo = '{"code": "=HYPERLINK(1)"}' where id = (
      select id from orders where payment_status = 'paid' order by paid_at desc limit 1)`.execute(db),
  );
  const response = await fetch(`${shop.url}/api/exports/sales?period=7d&group=promotion`, {
    headers: { authorization: `Bearer ${staff}` },
  });
  assert.match(await response.text(), /^'=HYPERLINK\(1\),'=HYPERLINK\(1\),1,,/m);
});

test('[OPS-05] a bad period is refused', async () => {
  for (const query of ['from=2026-02-02&to=2026-02-01', 'from=2026-02-02', 'from=2001-01-01&to=2026-01-01'])
    assert.equal(textAt(await read(`/support/sales?${query}`), 'error', 'code'), 'bad-period', query);
  for (const path of ['/support/sales?from=2026-02-30&to=2026-03-01', '/support/sales/groups?group=colour'])
    assert.equal((await shop.api('GET', path, { token: staff })).status, 400, path);
});

test('[OPS-05] an order is a sale once it is paid, not before', async () => {
  const earlier = await read('/support/sales?period=7d');
  const order = await createOrder(shop, 'sale-buyer');
  const unpaid = await read('/support/sales?period=7d');
  assert.equal(numberAt(unpaid, 'totals', 'orders'), numberAt(earlier, 'totals', 'orders'));
  await payInBlocks(shop, order, 0);
  await waitUntil(async () => {
    const now = await read('/support/sales?period=7d');
    return numberAt(now, 'totals', 'orders') === numberAt(earlier, 'totals', 'orders') + 1;
  });
  const { rows } = await runWithShopDatabase(shop, (db) =>
    sql<{ isWhole: boolean }>`
      select sum(revenue_cents) = max(total_after_cents) and sum(revenue_sats) = max(coalesce(settled_sats, due_sats)) as "isWhole"
      from orders join sale_lines on order_id = id where id = ${order.id}
    `.execute(db),
  );
  assert.deepEqual(rows, [{ isWhole: true }]);
});

test('[OPS-05] counts what needs staff now', async () => {
  const earlier = await read('/support/todo');
  await runWithShopDatabase(shop, async (db) => {
    await sql`insert into reviews (id, name, text, rating, created_at) values (gen_random_uuid(), 'Ann', 'Good', 5, now())`.execute(
      db,
    );
    await sql`
      insert into tickets (id, user_id, slot, title, theme, description, created_at, last_message_at, waiting_since)
      select gen_random_uuid(), id, 1, 'Where?', 'Delivery', 'Where is it?', now(), now(), now() from users where username = 'bob'
    `.execute(db);
  });
  await shop.api('POST', '/contact', {
    body: { firstName: 'Ann', lastName: 'Lee', email: 'ann@example.com', message: 'Do you deliver on Sundays?' },
  });
  const now = await read('/support/todo');
  for (const kind of ['reviews', 'tickets', 'new_messages'])
    assert.equal(numberAt(now, kind), numberAt(earlier, kind) + 1, kind);
  const ready = await runWithShopDatabase(shop, (db) =>
    sql<{ count: number }>`
      select count(*)::integer as count from orders where payment_status = 'paid' and refund_state is null
        and fulfilment_status in ('unfulfilled', 'partly_shipped')
    `.execute(db),
  );
  assert.equal(numberAt(now, 'to_ship'), ready.rows[0]?.count);
});

test('[OPS-05] shows when the last recorded backup was written', async () => {
  assert.equal(valueAt(await read('/support/todo'), 'backup', 'at'), null);
  const at = new Date('2026-01-02T03:04:05.000Z');
  await runWithShopDatabase(shop, (db) => recordBackup(db, at, 'other'));
  assert.equal(textAt(await read('/support/todo'), 'backup', 'at'), at.toISOString());
});

const readSince = async (): Promise<unknown[]> =>
  listAt(await read('/support/health'), 'parts').map((part) => valueAt(part, 'since'));

test('[OPS-05] the state of each part has a start, kept while it lasts', async () => {
  await waitUntil(async () => (await readSince()).every((since) => typeof since === 'string'));
  const since = await readSince();
  assert.deepEqual(await readSince(), since);
});
