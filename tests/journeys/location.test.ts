import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { assertAccessible } from '../support/axe.ts';
import { openPage } from '../support/browser.ts';
import { buyerAtCart, visit } from '../support/buyer.ts';
import { startTestShop } from '../support/shop.ts';
import type { TestShop } from '../support/shop.ts';

let shop: TestShop;
before(async () => {
  shop = await startTestShop();
});
after(() => shop.stop());

const ADDRESS = '45 Elm Street, Kensington, London, UK';

test('[LAY-02] the delivery country is chosen, kept, shown, filled in in Billing, and reset', async () => {
  const { page, close } = await openPage(shop, { width: 1440 });
  await visit(page, '/');
  await page.getByRole('banner').getByRole('button', { name: ADDRESS }).click();
  const dialog = page.getByRole('dialog', { name: 'Location' });
  await dialog.getByText(ADDRESS).waitFor();
  await assertAccessible(page);
  await dialog.getByLabel('Region').selectOption('Oceania');
  await dialog.getByLabel('Country').selectOption({ label: 'New Zealand' });
  await dialog.getByRole('button', { name: 'Apply' }).click();
  await page.getByRole('banner').getByRole('button', { name: 'New Zealand' }).waitFor();

  await buyerAtCart(shop, page);
  await page.getByRole('button', { name: 'Continue to Checkout' }).click();
  assert.equal(await page.getByLabel('Region').inputValue(), 'Oceania');
  assert.equal(await page.getByLabel('Country').inputValue(), 'NZ');

  await page.getByRole('banner').getByRole('button', { name: 'New Zealand' }).click();
  await dialog.getByRole('button', { name: 'Reset' }).click();
  await page.getByRole('banner').getByRole('button', { name: ADDRESS }).waitFor();
  await page.keyboard.press('Escape');
  await close();
});
