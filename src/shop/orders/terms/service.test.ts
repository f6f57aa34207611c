import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { sql } from 'kysely';
import { EMPTY_SHOP_SETTINGS } from '../../../../tests/support/empty-shop-settings.ts';
import { silentLog } from '../../../../tests/support/database-server.ts';
import { openOrderShop } from '../../../../tests/support/order-shop.ts';
import type { OrderShop } from '../../../../tests/support/order-shop.ts';
import { OrderTerms } from './service.ts';
import type { OrderTermsOptions } from './service.ts';

let shop: OrderShop;
before(async () => {
  shop = await openOrderShop();
  await sql`insert into legal_versions (kind, number, summary, markdown, published_at)
    values ('terms', 1, 'Terms', 'Hello', now())`.execute(shop.db);
});

function openTerms(options: Partial<OrderTermsOptions> = {}): OrderTerms {
  return new OrderTerms({
    db: shop.db,
    clock: { now: () => shop.now },
    log: silentLog,
    pdf: { render: () => Promise.reject(new Error('busy')) },
    shopSettings: { current: EMPTY_SHOP_SETTINGS, sellsToEuConsumers: true },
    shopUrl: 'https://shop.example',
    readTerms: async () => ({ number: 1, intro: [{ tag: 'p' }, 'Hello', null], sections: [] }),
    ...options,
  });
}
const countRows = async (): Promise<number> =>
  (await sql<{ digest: Buffer }>`select digest from order_terms`.execute(shop.db)).rows.length;

async function placeOrder(digest: Buffer | null): Promise<string> {
  const { id } = await shop.placeOrder(await shop.createBuyer());
  await sql`update orders set terms_digest = ${digest} where id = ${id}`.execute(shop.db);
  return id;
}

test('[RET-09] equal texts share a row, which never changes', async () => {
  const terms = openTerms();
  const [first, second] = await Promise.all([terms.prepare(), openTerms().prepare()]);
  assert.deepEqual(first, second);
  assert.equal(await countRows(), 2, 'for consumers and for businesses');
  await assert.rejects(sql`update order_terms set content = '{}'`.execute(shop.db), /never change/);
  await placeOrder(first.ofConsumer);
  await assert.rejects(sql`delete from order_terms`.execute(shop.db), /foreign key/);
});

test('[RET-09] a shop with nothing to give has no texts', async () => {
  const shopSettings = { current: EMPTY_SHOP_SETTINGS, sellsToEuConsumers: false };
  const terms = openTerms({ shopSettings, readTerms: async () => null });
  assert.deepEqual(await terms.prepare(), { ofConsumer: null, ofBusiness: null });
  const id = await placeOrder(null);
  assert.deepEqual(await terms.describe(id, null), { terms: null });
  assert.equal(await terms.readForMail(id), null);
  assert.equal(await terms.print(id, null, 'client'), null);
});

test('[RET-09] without published terms consumers still get the texts of the law', async () => {
  const { ofBusiness, ofConsumer } = await openTerms({ readTerms: async () => null }).prepare();
  assert.equal(ofBusiness, null);
  const described = await openTerms().describe(await placeOrder(ofConsumer), null);
  assert.deepEqual([described?.terms?.version, described?.terms?.titles.length], [null, 3]);
});

test('[RET-09] a PDF that fails does not hold up the mail, and is tried again', async () => {
  let [rendered, fails] = [0, true];
  const render = async (): Promise<Uint8Array> => {
    rendered += 1;
    if (fails) throw new Error('busy');
    return new Uint8Array([1]);
  };
  const terms = openTerms({ pdf: { render } });
  const id = await placeOrder((await terms.prepare()).ofConsumer);
  const without = await terms.readForMail(id);
  assert.equal(without?.pdf, null);
  assert.equal(without.documents.length, 4);
  await assert.rejects(terms.print(id, null, 'client'), /busy/);
  fails = false;
  const all = await Promise.all([terms.readForMail(id), terms.print(id, null, 'a'), terms.print(id, null, 'b')]);
  assert.ok(all.every((one) => one !== null));
  assert.equal(rendered, 3, 'once after two failures');
});
