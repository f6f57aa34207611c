/** How long data are kept, in the browser: an owner looks at what would go with other years, then saves them. */
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { assertAccessible } from '../support/axe.ts';
import { openPage } from '../support/browser.ts';
import { signIn, visit } from '../support/buyer.ts';
import { saveScreenshots } from '../support/screenshots.ts';
import { startTestShop } from '../support/shop.ts';
import type { TestShop } from '../support/shop.ts';
import { runWithShopDatabase } from '../support/stock-stress.ts';

let shop: TestShop;
before(async () => {
  shop = await startTestShop();
});
after(() => shop.stop());

test('[OPS-26] an owner sees what other years would erase before saving them', async () => {
  await runWithShopDatabase(shop, (db) =>
    sql`insert into tickets (id, user_id, title, theme, description, status, created_at, closed_at, last_message_at)
      select gen_random_uuid(), id, 'Old question', 't', 'd', 'closed', now() - interval '2 years',
        now() - interval '2 years', now() - interval '2 years' from users where username = 'alice'`.execute(db),
  );
  const { page, close } = await openPage(shop);
  await signIn(shop, page, 'owner', 'crypto-market');
  await visit(page, '/admin/settings/retention');
  const preview = page.getByRole('region', { name: 'What would be erased' });
  await preview.getByText('With the saved years.').waitFor();
  const tickets = preview.getByText('Closed tickets').locator('..');
  await tickets.getByText('0', { exact: true }).waitFor();
  await preview.getByLabel('Years for messages').fill('1');
  await preview.getByRole('button', { name: 'Show what would go' }).click();
  await preview.getByText('which are not saved').waitFor();
  await tickets.getByText('1', { exact: true }).waitFor();
  await assertAccessible(page);
  await saveScreenshots(page, 'retention');
  const main = page.getByRole('main');
  await main.getByLabel('Years for orders').first().fill('7');
  await main.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Retention saved').first().waitFor();
  await visit(page, '/privacy');
  await page.getByText('seven years after the end of the calendar year in which the order ended').waitFor();
  await close();
});
