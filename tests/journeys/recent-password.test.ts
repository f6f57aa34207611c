/** Settings and exports of a session whose password was entered long ago. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from '@playwright/test';
import { assertAccessibleInBothSchemes } from '../support/axe.ts';
import { openPage } from '../support/browser.ts';
import { signIn, visit } from '../support/buyer.ts';
import { CatalogueEditor } from '../support/catalogue-editor.ts';
import { numberAt } from '../support/read-json.ts';
import { startTestShop } from '../support/shop.ts';
import type { TestShop } from '../support/shop.ts';

const PASSWORD = 'crypto-market';
const MINUTES = 16;

let shop: TestShop;
before(async () => {
  shop = await startTestShop();
});
after(() => shop.stop());

let minutes = 0;
/** Makes the last entered password too old. */
async function passTime(): Promise<void> {
  minutes += MINUTES;
  await shop.api('POST', '/dev/clock', { body: { offset_s: minutes * 60 } });
}

const getDialog = (page: Page) => page.getByRole('dialog', { name: 'Enter your password' });

async function enterPassword(page: Page): Promise<void> {
  await getDialog(page).getByLabel('Current password').fill(PASSWORD);
  await getDialog(page).getByRole('button', { name: 'Continue' }).click();
}

async function save(page: Page, button: string, done: string): Promise<void> {
  await passTime();
  await page.getByRole('button', { name: button }).click();
  await enterPassword(page);
  await page.getByText(done).first().waitFor();
}

test('[OPS-17] settings ask for the password and keep what was typed', async () => {
  const { page, close } = await openPage(shop, { expectedStatuses: [401, 403] });
  await signIn(shop, page, 'owner', PASSWORD);
  await visit(page, '/admin/settings');
  const identity = page.getByRole('main').getByRole('region', { name: 'Identity', exact: true });
  await identity.getByLabel('Name of the shop').fill('Late Shop');
  await passTime();
  await page.getByRole('main').getByRole('button', { name: 'Save' }).click();
  await getDialog(page).getByLabel('Current password').waitFor();
  await assertAccessibleInBothSchemes(page);
  await page.keyboard.press('Escape');
  await page.getByRole('main').getByText('Enter your password again').waitFor();
  assert.equal(await identity.getByLabel('Name of the shop').inputValue(), 'Late Shop');
  await page.getByRole('main').getByRole('button', { name: 'Save' }).click();
  await getDialog(page).getByLabel('Current password').fill('wrong');
  await page.keyboard.press('Enter');
  await getDialog(page).getByText('Incorrect password').waitFor();
  await enterPassword(page);
  await page.getByText('General saved').first().waitFor();

  await visit(page, '/admin/tax');
  await page.getByLabel('Name of the tax').fill('GST');
  await save(page, 'Save tax', 'Tax saved');
  await visit(page, '/admin/shipping');
  await page.getByLabel('Not delivered to').selectOption({ label: 'Japan' });
  await save(page, 'Save shipping', 'Shipping saved');
  await close();
});

test('[OPS-17] changes and exports ask for the password', async () => {
  const { page, close } = await openPage(shop, { expectedStatuses: [401] });
  await signIn(shop, page, 'owner', PASSWORD);
  await visit(page, '/admin/carriers');
  const main = page.getByRole('main');
  await main.getByLabel('Name').last().fill('Late Parcels');
  await passTime();
  await main.getByRole('button', { name: 'Add carrier' }).click();
  await enterPassword(page);
  await main.getByText('Late Parcels').first().waitFor();

  await visit(page, '/admin/sales');
  await passTime();
  const download = page.waitForEvent('download');
  await main.getByRole('button', { name: /CSV/ }).first().click();
  await enterPassword(page);
  assert.match((await download).suggestedFilename(), /^sales-\d{4}-.*\.csv$/);
  await close();
});

test('[OPS-17] large reductions ask for the password and keep what was typed', async () => {
  const editor = await CatalogueEditor.open(shop);
  const content = await editor.createContent({ base_price_usd: 100 });
  const { id } = await editor.publish(content);
  const { page, close } = await openPage(shop, { expectedStatuses: [401] });
  await signIn(shop, page, 'staff', PASSWORD);
  await visit(page, `/admin/products/${id}`);
  await page.getByLabel('Base price in USD').fill('20');
  await passTime();
  await page.getByRole('button', { name: 'Publish changes' }).click();
  await page.getByRole('button', { name: 'Save these prices' }).click();
  await enterPassword(page);
  await page.getByText('Published').first().waitFor();
  const stored = await shop.api('GET', `/products/${content.slug}`);
  assert.equal(numberAt(stored.body, 'base_price_in_usd'), 20);

  await visit(page, '/admin/promotions/new');
  await page.getByLabel('Code', { exact: true }).fill('DEEPLY');
  await page.getByLabel('Discount in percent').fill('80');
  await save(page, 'Create promotion', 'Promotion created');
  await close();
});
