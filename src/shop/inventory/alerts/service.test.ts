import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import type { MailToEnqueue } from '#src/platform/mail/mails.ts';
import { openOrderShop, WINDOW_MINUTES } from '../../../../tests/support/order-shop.ts';
import type { OrderShop } from '../../../../tests/support/order-shop.ts';
import { StockAlerts } from './service.ts';

let shop: OrderShop;
let alerts: StockAlerts;
let enqueued: MailToEnqueue[];
let confirmed: boolean;
beforeEach(async () => {
  shop = await openOrderShop();
  enqueued = [];
  confirmed = true;
  alerts = new StockAlerts({
    db: shop.db,
    clock: { now: () => shop.now },
    mails: {
      enqueue: async (tx, mails) => {
        assert.ok(tx.isTransaction);
        enqueued.push(...mails);
      },
    },
    // The only variant of a product has its id.
    findVariantId: async (productId) => productId,
    describeVariants: async (ids) =>
      new Map(ids.map((id) => [id, { productId: id, valueIds: [], name: 'iPhone 17', slug: 'iphone-17' }])),
    hasConfirmedAddress: async () => confirmed,
  });
  await shop.setStock(0);
});

const open = (userId: string) => alerts.open(userId, shop.productId, []);
async function drain(): Promise<void> {
  while (await alerts.relayNext());
}
async function relayAll(): Promise<MailToEnqueue[]> {
  enqueued = [];
  await drain();
  return enqueued;
}
const readMail = ({ data }: MailToEnqueue) => alerts.readMail(data['id'] ?? '', Number(data['attempt']));
const createUsers = (count: number) => Promise.all(Array.from({ length: count }, () => shop.createBuyer(0)));

test('[OPS-10] requesting a mail twice opens one alert', async () => {
  const [user = ''] = await createUsers(1);
  const opened = await Promise.all(Array.from({ length: 10 }, () => open(user)));
  const ids = new Set(opened.map((result) => (result.ok ? result.alert.id : result.reason)));
  assert.equal(ids.size, 1);
  assert.equal((await alerts.list(user)).length, 1);
});

test('[OPS-10] refuses what is in stock, unknown, or asked by an unconfirmed address', async () => {
  const [user = ''] = await createUsers(1);
  confirmed = false;
  assert.deepEqual(await open(user), { ok: false, reason: 'email-unconfirmed' });
  confirmed = true;
  await shop.setStock(1);
  assert.deepEqual(await open(user), { ok: false, reason: 'in-stock' });
  assert.deepEqual(await alerts.open(user, shop.otherProductId, []), { ok: false, reason: 'in-stock' }, 'untracked');
  const unknown = await alerts.open(user, '019a0000-0000-7000-8000-000000000000', []);
  assert.deepEqual(unknown, { ok: false, reason: 'not-found' });
});

test('[OPS-10] an account waits for at most 50 variants, also in parallel', async () => {
  const [user = ''] = await createUsers(1);
  const { rows } = await sql<{ id: string }>`
    insert into product_variants (id, product_id, property_value_ids, sku)
    select gen_random_uuid(), ${shop.productId}, array[gen_random_uuid()], 'S' || number
    from generate_series(1, 60) number returning id
  `.execute(shop.db);
  await sql`insert into variant_stock (variant_id, available) select id, 0 from product_variants
    on conflict do nothing`.execute(shop.db);
  const results = await Promise.all(rows.map(({ id }) => alerts.open(user, id, [])));
  assert.equal(results.filter(({ ok }) => ok).length, 50);
  for (const result of results) assert.ok(result.ok || result.reason === 'too-many');
  const [first] = await alerts.list(user);
  assert.ok(first);
  assert.equal(await alerts.withdraw('019a0000-0000-7000-8000-000000000000', first.id), false, 'a foreign alert');
  assert.equal(await alerts.withdraw(user, first.id), true);
  assert.ok((await open(user)).ok);
});

for (const [how, restock] of [
  ['an adjustment', (): Promise<void> => shop.setStock(1)],
  [
    'a released reservation',
    async (): Promise<void> => {
      shop.advanceMinutes(WINDOW_MINUTES);
      await shop.orderStatus.expireDue(shop.now);
    },
  ],
] as const) {
  test(`[OPS-10] ${how} makes the mail due once`, async () => {
    await shop.setStock(1);
    await shop.placeOrder(await shop.createBuyer(1));
    const [user = ''] = await createUsers(1);
    assert.ok((await open(user)).ok);
    assert.deepEqual(await relayAll(), []);
    await restock();
    const [mail, ...more] = await relayAll();
    assert.ok(mail && more.length === 0);
    const read = await readMail(mail);
    assert.deepEqual([read?.userId, read?.name], [user, 'iPhone 17']);
    await shop.setStock(0);
    await shop.setStock(5);
    assert.deepEqual(await relayAll(), []);
    assert.deepEqual(await alerts.list(user), []);
  });
}

test('[OPS-10] the mail waits if the variant is sold out before it is written', async () => {
  const [user = ''] = await createUsers(1);
  await open(user);
  await shop.setStock(1);
  const [mail] = await relayAll();
  assert.ok(mail);
  await shop.setStock(0);
  assert.equal(await readMail(mail), null);
  assert.equal((await alerts.list(user)).length, 1);
  await shop.setStock(1);
  assert.equal(await readMail(mail), null, 'a retry of the first job');
  const [second] = await relayAll();
  assert.ok(second && second.event !== mail.event);
  assert.notEqual(await readMail(second), null);
});

test('[OPS-10] several processes mail each of 1,000 customers once', async () => {
  const users = await createUsers(20);
  await sql`
    insert into users (id, username, username_key, email, email_key, password_hash, created_at)
    select gen_random_uuid(), name, name, name, name, 'x', now()
    from (select 'waiting-' || number as name from generate_series(1, 980) number) named
  `.execute(shop.db);
  for (const user of users) await open(user);
  await sql`
    insert into stock_alerts (id, user_id, variant_id, slot, created_at)
    select gen_random_uuid(), id, ${shop.productId}, 1, now() from users where username like 'waiting-%'
  `.execute(shop.db);
  await shop.setStock(1);
  enqueued = [];
  await Promise.all([drain(), drain(), drain()]);
  assert.equal(enqueued.length, 1000);
  assert.equal(new Set(enqueued.map(({ event }) => event)).size, 1000);
});

test('[OPS-10] a mailed alert is deleted after a day, an open one stays', async () => {
  const [user = '', other = ''] = await createUsers(2);
  await open(user);
  await shop.setStock(1);
  await relayAll();
  await shop.setStock(0);
  await open(other);
  shop.advanceMinutes(25 * 60);
  await alerts.deleteOld();
  assert.equal(await shop.countRows('stock_alerts'), 1);
  assert.equal(await shop.countRows('stock_alerts', other), 1);
});

test('[OPS-10] asking again after the mail opens the alert again', async () => {
  const [user = ''] = await createUsers(1);
  await open(user);
  await shop.setStock(1);
  const [first] = await relayAll();
  await shop.setStock(0);
  assert.ok((await open(user)).ok);
  await shop.setStock(1);
  const [second] = await relayAll();
  assert.ok(first && second && first.event !== second.event);
});
