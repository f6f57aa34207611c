/** The daily mail with the newest hash of the audit log. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { verifyAuditLog } from '#src/shop/audit-log/service.ts';
import { logInAs } from './support/catalogue-editor.ts';
import { createPromotionFields } from './support/promotion-fields.ts';
import { listAt, textAt } from './support/read-json.ts';
import { startTestShop } from './support/shop.ts';
import type { TestShop } from './support/shop.ts';
import { runWithShopDatabase } from './support/stock-stress.ts';
import { waitUntil } from './support/wait-until.ts';

let shop: TestShop;
before(async () => {
  shop = await startTestShop({ settings: { LOG_LEVEL: 'info' } });
});
after(() => shop.stop());

test('[OPS-06] owners get the newest hash of the audit log by mail', async () => {
  const owner = await logInAs(shop, 'owner');
  const { body } = await shop.api('GET', '/users/user', { token: owner });
  const listMails = async (): Promise<string[]> =>
    listAt((await shop.api('GET', `/dev/mail?to=${encodeURIComponent(textAt(body, 'email'))}`)).body)
      .filter((mail) => textAt(mail, 'subject').startsWith('Audit log: '))
      .map((mail) => textAt(mail, 'text'));
  const promotion = createPromotionFields({ code: 'HASHED' });
  assert.equal((await shop.api('POST', '/support/promotions', { token: owner, body: promotion })).status, 201);
  // The hourly tasks run at a start; those of this hour may have run.
  await runWithShopDatabase(shop, (db) => sql`delete from pgboss.job where name = 'hourly'`.execute(db));
  await shop.restart();
  await waitUntil(async () => (await listMails()).length === 1);
  const [mail = ''] = await listMails();
  const check = await runWithShopDatabase(shop, (db) => verifyAuditLog(db));
  assert.ok(check.ok);
  assert.ok(mail.includes(`npm run audit -- verify --expect ${check.hash}`), mail);
  const isLogged = (line: string) => line.includes('newest hash of the audit log') && line.includes(check.hash);
  await waitUntil(() => Promise.resolve(shop.readOutput().split('\n').some(isLogged)));
});
