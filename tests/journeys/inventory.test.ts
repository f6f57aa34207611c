/** The inventory of the merchant, and the mail for customers who wait for a sold-out variant. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from '@playwright/test';
import { assertAccessibleInBothSchemes } from '../support/axe.ts';
import { openPage } from '../support/browser.ts';
import { callAs, signIn, visit } from '../support/buyer.ts';
import { clickWhenEnabledAgain } from '../support/pages/click-when-enabled.ts';
import { listAt, textAt } from '../support/read-json.ts';
import { startTestShop } from '../support/shop.ts';
import type { TestShop } from '../support/shop.ts';
import { setStock } from '../support/stock-stress.ts';
import { waitUntil } from '../support/wait-until.ts';

let shop: TestShop;
let productId: string;
before(async () => {
  shop = await startTestShop();
  productId = textAt((await shop.api('GET', '/products/airtag')).body, 'id');
});
after(() => shop.stop());

const WIDTHS = [
  { width: 390, height: 844 },
  { width: 1440, height: 900 },
];
const openInventory = async (page: Page, role: 'staff' | 'owner', query = ''): Promise<void> => {
  await signIn(shop, page, role, 'crypto-market');
  await visit(page, `/admin/inventory${query}`);
};
const findRow = (page: Page) => page.getByRole('listitem').filter({ has: page.getByRole('link', { name: /^AirTag/ }) });

for (const [index, size] of WIDTHS.entries()) {
  const role = index === 0 ? 'staff' : 'owner';
  test(`[OPS-10] ${role} counts and adjusts stock at ${size.width} pixels`, async () => {
    await setStock(shop, productId, 2);
    const { page, close } = await openPage(shop, { ...size, expectedStatuses: [409] });
    await openInventory(page, role, '?q=airtag');
    const row = findRow(page).first();
    await row.getByRole('button', { name: /^Change stock: AirTag/ }).click();
    await row.getByLabel('Change', { exact: true }).selectOption('Add units');
    await row.getByRole('button', { name: 'Save stock' }).click();
    await row.getByText('Enter a whole number from 1 to 1,000,000').waitFor();
    assert.equal(await row.getByLabel('Units to add').evaluate((field) => field === document.activeElement), true);
    await row.getByLabel('Units to add').fill('5');
    await row.getByText('After saving: 7 on hand, 7 available.').waitFor();
    await assertAccessibleInBothSchemes(page);
    await row.getByRole('button', { name: 'Save stock' }).click();
    await row.getByRole('definition').getByText('7', { exact: true }).first().waitFor();
    // Somebody else changes it: the typed number stays, and the row shows the present ones.
    await row.getByLabel('Change', { exact: true }).selectOption('Set available units');
    await row.getByLabel('Available units').fill('4');
    await setStock(shop, productId, 6);
    await row.getByRole('button', { name: 'Save stock' }).click();
    await row.getByText('The stock has changed: now 6 on hand, 6 available', { exact: false }).waitFor();
    assert.equal(await row.getByLabel('Available units').inputValue(), '4');
    await row.getByRole('button', { name: 'Save stock' }).click();
    await row.getByRole('definition').getByText('4', { exact: true }).first().waitFor();
    await row.getByRole('link', { name: /^AirTag/ }).click();
    await page.getByRole('heading', { name: 'History' }).waitFor();
    await page.getByText('Received: +5').first().waitFor();
    await page.getByText(`by ${role}`).first().waitFor();
    await assertAccessibleInBothSchemes(page);
    await close();
  });
}

for (const size of WIDTHS) {
  test(`[OPS-10] counts of several rows are saved at once at ${size.width} pixels`, async () => {
    await setStock(shop, productId, 2);
    const { page, close } = await openPage(shop, { ...size, expectedStatuses: [409] });
    await openInventory(page, 'staff', '?q=air');
    const counted = String(size.width);
    const airTag = page.getByLabel(/^On hand: AirTag/).first();
    const others = page.getByLabel(/^On hand: (?!AirTag)/);
    await airTag.fill('12');
    await others.first().fill('x');
    await others.nth(1).fill(counted);
    await page.getByText('3 counts', { exact: true }).waitFor();
    // Text beside numbers is marked, and the focus moves to it.
    await airTag.press('Enter');
    await page.getByText('Enter a whole number from 0 to 1,000,000').waitFor();
    assert.equal(await others.first().evaluate((field) => field === document.activeElement), true);
    // The bar covers nothing that has the focus.
    await waitUntil(() =>
      others.first().evaluate((field) => {
        const { x, y, width, height } = field.getBoundingClientRect();
        return document.elementFromPoint(x + width / 2, y + height - 1) === field;
      }),
    );
    await assertAccessibleInBothSchemes(page);
    await others.first().fill('');
    await page.getByText('2 counts', { exact: true }).waitFor();
    // Somebody else changed one of them, so nothing is saved, and what was typed stays.
    await setStock(shop, productId, 5);
    await page.getByRole('button', { name: 'Save counts' }).click();
    await page.getByText('nothing was saved', { exact: false }).waitFor();
    await page.getByText('Now 5').waitFor();
    assert.deepEqual([await airTag.inputValue(), await others.nth(1).inputValue()], ['12', counted]);
    await page.reload();
    assert.equal(await airTag.inputValue(), '12', 'kept in this tab');
    await page.getByText('Now 5').waitFor();
    await airTag.fill('11');
    await page.getByLabel('Reason').selectOption('Received');
    await page.getByRole('button', { name: 'Save counts' }).click();
    await page.getByText('Stock of 2 variants saved').waitFor();
    await page.getByRole('button', { name: 'Save counts' }).waitFor({ state: 'detached' });
    assert.deepEqual([await airTag.inputValue(), await others.nth(1).inputValue()], ['11', counted]);
    await others.nth(1).fill('999');
    await page.getByRole('button', { name: 'Discard' }).click();
    assert.equal(await others.nth(1).inputValue(), counted);
    await close();
  });
}

test('[OPS-10] a save after a conflict sends the numbers now shown', async () => {
  await setStock(shop, productId, 7);
  const { page, close } = await openPage(shop, { expectedStatuses: [409] });
  await openInventory(page, 'staff', '?q=airtag');
  const row = findRow(page).first();
  await row.getByRole('button', { name: /^Change stock: AirTag/ }).click();
  await row.getByLabel('Change', { exact: true }).selectOption('Set available units');
  await row.getByLabel('Available units').fill('4');
  await setStock(shop, productId, 6);
  const save = row.getByRole('button', { name: 'Save stock' });
  await clickWhenEnabledAgain(save);
  await save.click();
  await row.getByRole('definition').getByText('4', { exact: true }).first().waitFor();
  await close();
});

test('[OPS-10] stock is changed by keyboard alone', async () => {
  await setStock(shop, productId, 2);
  const { page, close } = await openPage(shop);
  await openInventory(page, 'staff', '?q=airtag');
  const row = findRow(page).first();
  await row.getByRole('button', { name: /^Change stock: AirTag/ }).focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.type('9');
  await page.keyboard.press('Enter');
  await row.getByRole('definition').getByText('11', { exact: true }).first().waitFor();
  await close();
});

test('[OPS-10] staff set thresholds and switch off the mail', async () => {
  await setStock(shop, productId, 5);
  const { page, close } = await openPage(shop);
  await openInventory(page, 'staff', '?q=airtag');
  const row = findRow(page).first();
  assert.equal(await row.getByText('Low', { exact: true }).count(), 0);
  await row.getByLabel(/^Low at: AirTag/).fill('x');
  await row.getByLabel(/^Low at: AirTag/).press('Enter');
  await page.getByText('Enter a whole number from 0 to 100,000').waitFor();
  await row.getByLabel(/^Low at: AirTag/).fill('5');
  await row.getByLabel(/^On hand: AirTag/).fill('4');
  await page.getByText('1 count, 1 threshold', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.getByText('Stock and thresholds saved').waitFor();
  await row.getByText('Low', { exact: true }).waitFor();
  assert.equal(await row.getByLabel(/^Low at: AirTag/).inputValue(), '5');
  await page.getByText('Low-stock settings').click();
  await page.getByLabel('Low-stock threshold of the shop').fill('4');
  await page.getByLabel(/^Mail what is newly low/).uncheck();
  await page.getByRole('button', { name: 'Save settings' }).click();
  await page.getByText('Settings saved').waitFor();
  await visit(page, '/admin/inventory?q=airtag');
  await page.getByText('Low-stock settings').click();
  assert.equal(await page.getByLabel('Low-stock threshold of the shop').inputValue(), '4');
  assert.equal(await page.getByLabel(/^Mail what is newly low/).isChecked(), false);
  await close();
});

test('[OPS-10] the inventory is 404 for customers', async () => {
  const { page, close } = await openPage(shop, { expectedStatuses: [404] });
  await signIn(shop, page, 'alice', 'crypto-market');
  for (const path of ['/admin/inventory', '/admin/inventory/019a0000-0000-7000-8000-000000000000']) {
    assert.equal((await page.goto(path))?.status(), 404, path);
  }
  await close();
});

test('[OPS-10] a customer gets a mail when a sold-out item is back', async () => {
  await setStock(shop, productId, 1);
  const { page, close } = await openPage(shop, { width: 390, height: 844 });
  const username = `waiting-${Date.now()}`;
  const email = `${username}@stock.example`;
  await shop.api('POST', '/users/register', { body: { username, email, password: 'crypto-market' } });
  await confirmAddress(email);
  await signIn(shop, page, username, 'crypto-market');
  await callAs(shop, page, 'POST', '/cart/add', { product_id: productId, quantity: 1 });
  await setStock(shop, productId, 0);
  await visit(page, '/cart');
  const button = page.getByRole('button', { name: /^Email me when it is back/ });
  await button.click();
  await page.getByText('We will email you once when it is back.').waitFor();
  await assertAccessibleInBothSchemes(page);
  await page.getByRole('button', { name: /^Don’t email me/ }).click();
  await button.click();
  await page.getByText('We will email you once when it is back.').waitFor();
  await setStock(shop, productId, 1);
  const listMails = async () =>
    listAt((await shop.api('GET', `/dev/mail?to=${email}`)).body).filter((mail) =>
      textAt(mail, 'subject').includes('is back in stock'),
    );
  await waitUntil(async () => (await listMails()).length === 1);
  const [mail] = await listMails();
  assert.match(textAt(mail, 'text'), /Stock is limited[\s\S]*\/catalog\/product\/airtag/);
  await close();
});

test('[OPS-10] a guest is asked to log in to wait for an item', async () => {
  await setStock(shop, productId, 1);
  const { page, close } = await openPage(shop);
  await visit(page, '/catalog/product/airtag');
  await page.getByRole('button', { name: 'Add to Cart', exact: true }).click();
  await page.getByRole('group', { name: /^Quantity/ }).waitFor();
  await page.waitForFunction(() => localStorage.getItem('cart_mark')?.startsWith('1@'));
  await setStock(shop, productId, 0);
  await visit(page, '/cart');
  await page.getByRole('link', { name: 'Log in to get a mail when it is back' }).click();
  await page.waitForURL(/\/login\?to=%2Fcart/);
  await close();
});

async function confirmAddress(email: string): Promise<void> {
  const listTokens = async () =>
    listAt((await shop.api('GET', `/dev/mail?to=${email}`)).body).flatMap(
      (mail) => /\/confirm-email\/([\w-]{43})/.exec(textAt(mail, 'text'))?.[1] ?? [],
    );
  await waitUntil(async () => (await listTokens()).length > 0);
  const [token] = await listTokens();
  assert.equal((await shop.api('POST', '/users/confirm-email', { body: { token } })).status, 200);
}
