/** Delivery times and the text about how to buy in the back office, as staff. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { assertAccessibleInBothSchemes } from '../support/axe.ts';
import { openPage } from '../support/browser.ts';
import { signIn, visit } from '../support/buyer.ts';
import { startTestShop } from '../support/shop.ts';
import type { TestShop } from '../support/shop.ts';
import { saveScreenshots } from '../support/screenshots.ts';

let shop: TestShop;
before(async () => {
  shop = await startTestShop();
});
after(() => shop.stop());

async function openAsStaff(path: string) {
  const opened = await openPage(shop, { width: 1440, height: 900, expectedStatuses: [400] });
  await signIn(shop, opened.page, 'staff', 'crypto-market');
  await visit(opened.page, path);
  return opened;
}
test('[OPS-07] staff add an area, and its visitors see the delivery time', async () => {
  const { page, close } = await openAsStaff('/admin/content?part=delivery');
  const save = page.getByRole('button', { name: 'Save delivery' });
  await page.getByRole('button', { name: 'Add area' }).click();
  const area = page.getByRole('group', { name: 'Area 5', exact: true });
  await area.getByLabel('From').fill('9');
  await area.getByLabel('To').fill('7');
  await area.getByLabel('Unit').selectOption('days');
  await area.getByLabel('Single countries').selectOption('JP');
  await area.getByRole('button', { name: 'Remove Japan' }).waitFor();
  await save.click();
  await page.getByRole('alert').filter({ hasText: 'Correct the marked fields' }).waitFor();
  await area.getByText('Must not be less than the first number').waitFor();
  await saveScreenshots(page, 'content-delivery');
  await assertAccessibleInBothSchemes(page);
  await area.getByLabel('To').fill('12');
  await area.getByLabel('Name').fill('Japan');
  for (let at = 5; at > 1; at -= 1) await page.getByRole('button', { name: `Move up Area ${at}` }).click();
  await save.click();
  await page.getByText('Delivery saved').waitFor();
  await visit(page, '/free-shipping');
  await page.getByRole('term').filter({ hasText: 'Japan' }).waitFor();
  await page.getByRole('definition').filter({ hasText: '9–12 days after dispatch' }).waitFor();
  await close();
});

test('[OPS-07] staff replace how to buy and go back to the standard text', async () => {
  const { page, close } = await openAsStaff('/admin/content?part=guide');
  await page.getByText('The standard text is shown.').waitFor();
  const text = page.getByLabel('Text', { exact: true });
  await text.fill('## Pay\n\nWithin {payment_window}.');
  await page.getByText('Within two hours.').waitFor();
  await saveScreenshots(page, 'content-guide');
  await assertAccessibleInBothSchemes(page);
  await page.getByRole('button', { name: 'Save how to buy' }).click();
  await page.getByText('Your own text is shown.').waitFor();
  assert.match(await (await fetch(`${shop.url}/how-to-buy`)).text(), /Within two hours\./);
  await page.getByRole('button', { name: 'Use the standard text' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Use the standard text' }).click();
  await page.getByText('The standard text is shown.').first().waitFor();
  await page.waitForFunction(() => document.querySelector('textarea')?.value.includes('## 1. Get a wallet'));
  await close();
});
