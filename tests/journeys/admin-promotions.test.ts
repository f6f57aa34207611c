/** Promotions of the back office, in the browser. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from '@playwright/test';
import { assertAccessible } from '../support/axe.ts';
import { openPage } from '../support/browser.ts';
import { createBuyer, logIn, signIn, visit } from '../support/buyer.ts';
import { createPromotionFields } from '../support/promotion-fields.ts';
import { textAt } from '../support/read-json.ts';
import { startTestShop } from '../support/shop.ts';
import type { TestShop } from '../support/shop.ts';
import { getStaffToken } from '../support/staff-fixtures.ts';

let shop: TestShop;
before(async () => {
  shop = await startTestShop();
});
after(() => shop.stop());

async function openAs(page: Page, username: 'staff' | 'owner', path: string): Promise<void> {
  await signIn(shop, page, username, 'crypto-market');
  await visit(page, path);
}
const getHeading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });
const getPreview = (page: Page) => page.getByRole('region', { name: 'Preview' });

async function addSample(page: Page, query: string, name: string): Promise<void> {
  await getPreview(page).getByLabel('Add a product').fill(query);
  await getPreview(page)
    .getByRole('button', { name: `Add ${name}`, exact: false })
    .first()
    .click();
  await getPreview(page).getByLabel(`Quantity of ${name}`, { exact: true }).waitFor();
}
async function createPromotion(code: string): Promise<string> {
  const body = createPromotionFields({ code });
  const created = await shop.api('POST', '/support/promotions', { token: await getStaffToken(shop), body });
  return textAt(created.body, 'promotion', 'id');
}

test('[OPS-11] staff create a scheduled promotion with a preview, in their time zone', async () => {
  const { page, close } = await openPage(shop, { timeZone: 'America/New_York' });
  await openAs(page, 'staff', '/admin');
  await page.getByRole('link', { name: 'Marketing', exact: true }).first().click();
  await page.getByRole('link', { name: 'Create promotion' }).click();
  await getHeading(page, 'Create promotion').waitFor();
  await page.getByRole('button', { name: 'Create promotion' }).click();
  await page.getByText('Use 2 to 40 letters', { exact: false }).waitFor();
  await page.waitForFunction(() => document.activeElement?.getAttribute('aria-invalid') === 'true');
  await assertAccessible(page);
  await page.getByRole('button', { name: 'Generate random code' }).click();
  assert.match(await page.getByLabel('Code', { exact: true }).inputValue(), /^[A-Z2-7]{10}$/);
  await page.getByLabel('Code', { exact: true }).fill('autumn');
  await page.getByLabel('Discount in percent').fill('12.5');
  await addSample(page, 'iphone air', 'iPhone Air');
  await getPreview(page).getByText('$874.13').waitFor();
  await getPreview(page).getByText('Discount 12.5%').waitFor();
  await getPreview(page).getByLabel('Quantity of iPhone Air').fill('2');
  await getPreview(page).getByText('$1,748.25').waitFor();
  await page.getByLabel('Minimum order in dollars (optional)').fill('5000');
  await getPreview(page).getByText('requires an order of at least $5,000', { exact: false }).waitFor();
  await page.getByLabel('Minimum order in dollars (optional)').fill('');
  await page.getByText('Time zone: America/New_York').first().waitFor();
  await page.getByLabel('Start (optional)').fill('2090-07-01T10:00');
  await getPreview(page).getByText('At its start', { exact: false }).waitFor();
  await page.getByLabel('End (optional)').fill('2090-06-01T10:00');
  await page.getByRole('button', { name: 'Create promotion' }).click();
  await page.getByText('The end must be after the start').waitFor();
  await page.getByLabel('End (optional)').fill('2090-08-01T10:00');
  await page.getByRole('button', { name: 'Create promotion' }).click();
  await getHeading(page, 'AUTUMN').waitFor();
  await page.getByText('Scheduled', { exact: true }).waitFor();
  assert.equal(await page.getByLabel('Start (optional)').inputValue(), '2090-07-01T10:00');
  const { body } = await shop.api('GET', '/support/promotions?q=AUTUMN', { token: await getStaffToken(shop) });
  assert.equal(textAt(body, 'promotions', 0, 'starts_at'), '2090-07-01T14:00:00.000Z');
  await close();
});

test('[OPS-11] an owner edits, disables and deletes a promotion', async () => {
  await createPromotion('EDITED');
  const { page, close } = await openPage(shop);
  await openAs(page, 'owner', '/admin/promotions');
  await page.getByLabel('Code').fill('edit');
  await page.getByLabel('State').selectOption('running');
  await page.getByRole('main').getByRole('button', { name: 'Search' }).click();
  await page.getByRole('link', { name: 'EDITED' }).click();
  await getHeading(page, 'EDITED').waitFor();
  assert.ok(await page.getByRole('button', { name: 'Save changes' }).isDisabled());
  await page.getByLabel('Type').selectOption('free_item');
  await page.getByLabel('Gift product').fill('airtag');
  await page.getByRole('button', { name: 'Choose AirTag' }).first().click();
  await addSample(page, 'iphone air', 'iPhone Air');
  await getPreview(page).getByText('AirTag', { exact: false }).first().waitFor();
  await page.getByRole('button', { name: 'Disable promotion' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Disable promotion' }).click();
  await page.getByText('Disabled: nobody can use the code.').waitFor();
  await getPreview(page).getByText('While it is disabled', { exact: false }).waitFor();
  assert.ok(!(await page.getByRole('button', { name: 'Save changes' }).isDisabled()), 'other changes are kept');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.getByText('Promotion saved').waitFor();
  await page.getByText('Disabled', { exact: true }).waitFor();
  await page.getByText('No order has used this promotion.').waitFor();
  await assertAccessible(page);
  await page.getByRole('button', { name: 'Delete promotion' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete promotion' }).click();
  await getHeading(page, 'Promotions').waitFor();
  assert.equal(await page.getByRole('link', { name: 'EDITED' }).count(), 0);
  await close();
});

test('[OPS-11] unsaved changes are kept until discarded, and a newer version is shown', async () => {
  const id = await createPromotion('SHARED');
  const { page, close } = await openPage(shop, { expectedStatuses: [409] });
  await openAs(page, 'staff', `/admin/promotions/${id}`);
  await page.getByLabel('Discount in percent').fill('20');
  await page.getByRole('link', { name: 'Orders', exact: true }).click();
  await getHeading(page, 'Orders').waitFor();
  await page.goBack();
  await page.getByText('Your changes are here again.', { exact: false }).waitFor();
  assert.equal(await page.getByLabel('Discount in percent').inputValue(), '20');
  const body = { ...createPromotionFields({ code: 'SHARED', discount_value: 30 }), version: 1 };
  await shop.api('PUT', `/support/promotions/${id}`, { token: await getStaffToken(shop), body });
  // It opens by itself: nobody is typing.
  const dialog = page.getByRole('dialog', { name: 'Someone changed this promotion' });
  await dialog.getByText('From 10 to 30, yours is 20').waitFor();
  assert.equal(await page.getByLabel('Discount in percent').inputValue(), '20');
  await dialog.getByRole('button', { name: 'Take theirs' }).click();
  await page.waitForFunction(
    () => document.querySelector<HTMLInputElement>('input[inputmode="decimal"]')?.value === '30',
  );
  await page.getByLabel('Discount in percent').fill('40');
  await page.getByRole('button', { name: 'Discard changes' }).click();
  assert.equal(await page.getByLabel('Discount in percent').inputValue(), '30');
  await page.reload();
  assert.equal(await page.getByLabel('Discount in percent').inputValue(), '30');
  assert.equal(await page.getByText('Your changes are here again.', { exact: false }).count(), 0);
  await close();
});

test('[OPS-11] [OPS-01] customers cannot open the promotions of staff', async () => {
  const id = await createPromotion('HIDDEN');
  const { page, close } = await openPage(shop, { expectedStatuses: [404] });
  await visit(page, '/login');
  await logIn(page, await createBuyer(shop));
  await page.getByRole('heading', { level: 1, name: 'Hello' }).waitFor();
  for (const path of ['/admin/promotions', '/admin/promotions/new', `/admin/promotions/${id}`]) {
    assert.equal((await page.goto(path))?.status(), 404, path);
    assert.ok(!(await page.content()).includes('Back office'), path);
  }
  await close();
});
