import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { assertAccessible } from '../support/axe.ts';
import { openPage } from '../support/browser.ts';
import { openCartAsBuyer, visit } from '../support/buyer.ts';
import { shareTestShop } from '../support/shared-shop.ts';
import type { TestShop } from '../support/shop.ts';

let shop: TestShop;
before(async () => {
  shop = await shareTestShop();
});

const ADDRESS = '45 Elm Street, Kensington, London, UK';

test('[PAGE-01] [LAY-01] shows one delivery time in header, product page, /free-shipping', async () => {
  const { page, close } = await openPage(shop, { width: 1440 });
  const getPromises = (text: string) => [
    page.getByRole('banner').getByText(text, { exact: true }),
    page.getByRole('main').getByRole('listitem').filter({ hasText: text }),
  ];
  const onEach = async (text: string) => {
    for (const place of getPromises(text)) await place.waitFor();
  };
  await visit(page, '/catalog/product/iphone-air');
  await onEach('Delivery today in 24 hours');
  await page.getByRole('banner').getByRole('button', { name: ADDRESS }).click();
  const dialog = page.getByRole('dialog', { name: 'Location' });
  await dialog.getByLabel('Region').selectOption('Oceania');
  await dialog.getByLabel('Country').selectOption({ label: 'New Zealand' });
  await dialog.getByRole('button', { name: 'Apply' }).click();
  await onEach('Delivery 4–8 business days after dispatch');
  await page.getByRole('main').getByRole('link', { name: 'Delivery times' }).click();
  await page.waitForURL('**/free-shipping');
  const times = page.getByRole('region', { name: 'Delivery times' });
  await times.getByText('4–8 business days after dispatch').waitFor();
  await times.getByText('today in 24 hours', { exact: false }).waitFor();
  assert.doesNotMatch(await page.getByRole('main').innerText(), /working day/);
  await close();
});

test('[LAY-02] stores the delivery country and preselects it in Billing', async () => {
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

  await openCartAsBuyer(shop, page);
  await page.getByRole('button', { name: 'Continue to Checkout' }).click();
  assert.equal(await page.getByLabel('Region').inputValue(), 'Oceania');
  assert.equal(await page.getByLabel('Country').inputValue(), 'NZ');

  // The checkout has a frame of its own.
  await visit(page, '/catalog');
  await page.getByRole('banner').getByRole('button', { name: 'New Zealand' }).click();
  await dialog.getByRole('button', { name: 'Reset' }).click();
  await page.getByRole('banner').getByRole('button', { name: ADDRESS }).waitFor();
  await page.keyboard.press('Escape');
  await close();
});
