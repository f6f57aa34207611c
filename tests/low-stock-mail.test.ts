/** The daily mail about low stock. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { listAt, textAt } from './support/read-json.ts';
import { startTestShop } from './support/shop.ts';
import type { TestShop } from './support/shop.ts';
import { runWithShopDatabase, setStock } from './support/stock-stress.ts';
import { waitUntil } from './support/wait-until.ts';

const SUPPORT = 'support@shop.example';
let shop: TestShop;
before(async () => {
  shop = await startTestShop();
});
after(() => shop.stop());

const listLowStockMails = async (): Promise<string[]> =>
  listAt((await shop.api('GET', `/dev/mail?to=${SUPPORT}`)).body)
    .filter((mail) => /low in stock/.test(textAt(mail, 'subject')))
    .map((mail) => textAt(mail, 'text'));

test('[OPS-10] low stock is mailed to the support address', async () => {
  const { body } = await shop.api('GET', '/products/airtag');
  // In one change: an hour may begin at any time, and a second mail is not sent on the same day.
  await setStock(shop, textAt(body, 'id'), 0);
  // The hourly tasks run at a start; those of this hour may have run.
  await runWithShopDatabase(shop, (db) => sql`delete from pgboss.job where name = 'hourly'`.execute(db));
  await shop.restart();
  await waitUntil(async () => (await listLowStockMails()).length === 1);
  const [mail = ''] = await listLowStockMails();
  assert.match(mail, /AirTag \(Single\) \(CM-ACC-02-1\): Sold out/);
  assert.ok(mail.includes('/admin/inventory?show=low'), mail);
});
