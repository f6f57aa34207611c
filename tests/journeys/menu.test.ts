/** The mobile menu, with the content of the header rows of wider screens. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Page } from '@playwright/test';
import { assertAccessible } from '../support/axe.ts';
import { openPage } from '../support/browser.ts';
import { listAt, textAt } from '../support/read-json.ts';
import { shareTestShop } from '../support/shared-shop.ts';
import type { TestShop } from '../support/shop.ts';

const PHONE = { width: 390, height: 844 };
let shop: TestShop;
before(async () => {
  shop = await shareTestShop();
});

const getMenu = (page: Page) => page.getByRole('navigation', { name: 'Shop', exact: true });

test('[LAY-16] contains links, categories and location on a phone', async () => {
  const { page, close } = await openPage(shop, PHONE);
  await page.goto('/');
  await page.getByRole('button', { name: 'Menu', exact: true }).click();
  const categories = listAt((await shop.api('GET', '/categories')).body).map((row) => textAt(row, 'name'));
  const links = (await getMenu(page).getByRole('link').allInnerTexts()).map((text) => text.trim());
  assert.deepEqual(links, ['Home', 'Free shipping', 'How to buy', ...categories]);
  await assertAccessible(page);
  await getMenu(page).getByRole('button', { name: '45 Elm Street' }).click();
  const dialog = page.getByRole('dialog', { name: 'Location' });
  await dialog.getByLabel('Region').selectOption('Oceania');
  await dialog.getByLabel('Country').selectOption('NZ');
  await dialog.getByRole('button', { name: 'Apply' }).click();
  await getMenu(page).getByRole('button', { name: 'New Zealand' }).waitFor();
  await getMenu(page).getByRole('link', { name: 'Free shipping' }).click();
  await page.waitForURL('**/free-shipping');
  await getMenu(page).waitFor({ state: 'hidden' });
  await close();
});

test('[LAY-16] closes by cross, Escape and click outside', async () => {
  const { page, close } = await openPage(shop, PHONE);
  await page.goto('/');
  const open = async () => {
    await page.getByRole('button', { name: 'Menu', exact: true }).click();
    await getMenu(page).waitFor();
  };
  await open();
  await getMenu(page).getByRole('button', { name: 'Close menu' }).click();
  await getMenu(page).waitFor({ state: 'hidden' });
  await open();
  await page.keyboard.press('Escape');
  await getMenu(page).waitFor({ state: 'hidden' });
  await open();
  await page.mouse.click(100, 30);
  await getMenu(page).waitFor({ state: 'hidden' });
  await close();
});

test('[LAY-16] opens without JavaScript', async () => {
  const { page, close } = await openPage(shop, { ...PHONE, javaScript: false });
  await page.goto('/');
  await page.getByRole('button', { name: 'Menu', exact: true }).click();
  await getMenu(page).getByRole('link', { name: 'How to buy' }).click();
  await page.waitForURL('**/how-to-buy');
  await close();
});
