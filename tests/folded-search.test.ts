/** Search in lists of the back office ignores accents and forms of letters, over HTTP. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { foldText } from '#src/shop/fold-text.ts';
import { createOrder, findFirstProduct } from './support/new-order.ts';
import type { NewOrder } from './support/new-order.ts';
import { listAt, numberAt, textAt } from './support/read-json.ts';
import { startTestShop } from './support/shop.ts';
import type { TestShop } from './support/shop.ts';
import { runWithShopDatabase } from './support/stock-stress.ts';
import { BILLING } from './support/stress-buyer.ts';
import { createTicket, signIn } from './support/support-fixtures.ts';
import { waitUntil } from './support/wait-until.ts';

let shop: TestShop;
let owner: string;
let order: NewOrder;
before(async () => {
  shop = await startTestShop();
  owner = textAt((await signIn(shop, 'owner')).body, 'tokens', 'accessToken');
  // The name is decomposed, the city is composed.
  const billing = { ...BILLING, firstName: 'Łukasz', lastName: 'Mu\u0308ller', city: 'Zürich' };
  order = await createOrder(shop, 'Søren-Đorđe', billing);
  await createTicket(shop, order.token, 'Größe für Kraków');
  const message = { firstName: 'Zoë', lastName: 'Ærø', email: 'm@contact.example', message: 'Straße in Łódź' };
  await shop.api('POST', '/contact', { body: message });
  await shop.api('POST', '/dev/pay', { body: { order_id: order.id } });
  await shop.api('POST', '/dev/mine', { body: { blocks: 6 } });
  const productId = await findFirstProduct(shop);
  await runWithShopDatabase(shop, (db) =>
    sql`update products set name = 'Étui de Gdańsk' where id = ${productId}`.execute(db),
  );
});
after(() => shop.stop());

const get = async (path: string): Promise<unknown> => {
  const { body, status } = await shop.api('GET', path, { token: owner });
  assert.equal(status, 200, `${path}: ${JSON.stringify(body)}`);
  return body;
};

/** Paths of lists, the list in the response, and texts that find one row. */
const LISTS: readonly (readonly [path: string, list: string, texts: readonly string[]])[] = [
  ['/support/orders', 'orders', ['zurich', 'ZÜRICH', 'zu\u0308ri', 'lukasz', 'Łuka', 'muller', 'soren', 'dorde']],
  ['/support/customers', 'customers', ['soren', 'SØREN-DORDE', 'so\u0308ren']],
  ['/support/tickets', 'tickets', ['krakow', 'grosse fur', 'KRAKÓW', 'soren']],
  ['/support/contact-messages', 'messages', ['lodz', 'zoe', 'aero', 'strasse', 'Ło\u0301dz\u0301']],
  ['/support/invoices', 'invoices', ['lukasz', 'müller', 'MULLER']],
  ['/catalogue/products', 'products', ['etui', 'gdansk', 'Gdan\u0301sk']],
];

test('[OPS-13] finds names in each list without accents', async () => {
  await waitUntil(async () => listAt(await get('/support/invoices'), 'invoices').length > 0);
  for (const [path, list, texts] of LISTS) {
    for (const text of texts) {
      const body = await get(`${path}?q=${encodeURIComponent(text)}`);
      assert.equal(listAt(body, list).length, 1, `${path} ${text}`);
    }
  }
});

test('[OPS-13] finds stock and exported products without accents', async () => {
  for (const text of ['etui', 'GDANSK', 'étui de gdan\u0301']) {
    const q = encodeURIComponent(text);
    assert.ok(numberAt(await get(`/inventory?q=${q}`), 'total') > 0, text);
    const file = await fetch(`${shop.url}/api/exports/products?q=${q}`, {
      headers: { authorization: `Bearer ${owner}` },
    });
    assert.match(await file.text(), /Étui de Gdańsk/);
  }
});

test('[OPS-13] database and shop fold each character alike', async () => {
  const last = 0x2_ff_ff;
  const rows = await runWithShopDatabase(shop, (db) =>
    sql<{ code: number; folded: string }>`
      select code, fold_text(chr(code)) as folded from generate_series(1, ${last}) code
      where code not between 55296 and 57343`.execute(db),
  );
  const different = rows.rows.filter(({ code, folded }) => foldText(String.fromCodePoint(code)) !== folded);
  // Letters that Unicode added after the release of the database.
  const known = different.filter(({ code }) => code < 0xa7_ce);
  assert.deepEqual(
    known.map(({ code }) => code.toString(16)),
    [],
  );
  assert.ok(different.length < 100, String(different.length));
});
