/** From a product to a paid order by keyboard and by touch. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Page } from '@playwright/test';
import { openPage } from '../support/browser.ts';
import { mine, createBuyer, getOpenOrderId, payOrder, visit } from '../support/buyer.ts';
import { shareTestShop } from '../support/shared-shop.ts';
import type { TestShop } from '../support/shop.ts';

const PASSWORD = 'correct horse';

let shop: TestShop;
before(async () => {
  shop = await shareTestShop();
});

/**
 * Presses Tab until the element has the focus. Fails when the focus returns to the start of the
 * page.
 */
async function tabTo(page: Page, name: RegExp): Promise<void> {
  for (let presses = 0; presses < 80; presses += 1) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate(() => {
      const { activeElement: at } = document;
      const label =
        at instanceof HTMLInputElement || at instanceof HTMLSelectElement || at instanceof HTMLTextAreaElement;
      return (label ? at.labels?.[0]?.textContent : null) ?? at?.getAttribute('aria-label') ?? at?.textContent ?? '';
    });
    if (name.test(focused.trim())) return;
  }
  throw new Error(`Tab does not lead to ${name}`);
}

async function press(page: Page, name: RegExp): Promise<void> {
  await tabTo(page, name);
  await page.keyboard.press('Enter');
}

async function write(page: Page, name: RegExp, text: string): Promise<void> {
  await tabTo(page, name);
  await page.keyboard.type(text);
}

test('[CART-07] [BILL-03] [PAY-01] [PAY-11] buys and opens the cancel dialog by keyboard alone', async () => {
  const username = await createBuyer(shop);
  const { page, close } = await openPage(shop);
  await visit(page, '/catalog/product/iphone-air');
  await press(page, /^Add to Cart$/);
  await page.getByRole('group', { name: /^Quantity/ }).waitFor();
  await page.waitForFunction(() => localStorage.getItem('cart_mark')?.startsWith('1@'));
  await visit(page, '/cart');
  await write(page, /^Promo code$/, 'welcome10');
  await page.keyboard.press('Enter');
  await page.getByText('Discount 10%').waitFor();
  // The focus returns to the field from the disabled button.
  const isOnField = (name: string) =>
    page.waitForFunction((wanted) => document.activeElement?.getAttribute('name') === wanted, name);
  await isOnField('applied');
  await press(page, /^Remove promo code/);
  await page.getByText('Discount 10%').waitFor({ state: 'detached' });
  await isOnField('promo');
  await page.keyboard.type('welcome10');
  await page.keyboard.press('Enter');
  await page.getByText('Discount 10%').waitFor();
  await isOnField('applied');
  await press(page, /^Continue to Checkout$/);
  await page.waitForURL('**/login?**');
  await write(page, /^Username$/, username);
  await write(page, /^Password$/, PASSWORD);
  await page.keyboard.press('Enter');

  await page.waitForURL(({ pathname }) => pathname === '/cart');
  await page.getByRole('heading', { name: 'Billing Details' }).waitFor();
  await write(page, /^First name$/, 'Ada');
  await write(page, /^Last name$/, 'Lovelace');
  await write(page, /^Region$/, 'Europe');
  await write(page, /^Country$/, 'United Kingdom');
  await write(page, /^Street address$/, 'Elm Street');
  await write(page, /^House number$/, '45');
  await write(page, /^City$/, 'London');
  await write(page, /^Postcode$/, 'W8 4QG');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Complete your order' }).waitFor();
  await page.waitForFunction(() => document.activeElement?.textContent === 'Complete your order');

  await press(page, /^Cancel order$/);
  const dialog = page.getByRole('dialog', { name: 'Cancel this order?' });
  await dialog.waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  // The focus is back.
  await page.waitForFunction(() => document.activeElement?.textContent === 'Cancel order');
  await tabTo(page, /^Copy amount$/);
  await press(page, /^I paid$/);
  await page.getByRole('heading', { name: 'Waiting for confirmation' }).waitFor();
  // The focus is not lost with the button.
  await page.waitForFunction(() => document.activeElement?.id === 'step-title');
  await payOrder(shop, await getOpenOrderId(shop, page));
  await mine(shop, 2);
  await page.getByRole('heading', { name: 'Order paid.' }).waitFor();
  await press(page, /^View order and receipt$/);
  await page.getByRole('heading', { name: /^Order CM-/ }).waitFor();
  await close();
});

test('[CART-07] [BILL-03] [PAY-01] [PAY-03] buys by touch, 390 px wide', async () => {
  const username = await createBuyer(shop);
  const { page, context, close } = await openPage(shop, { width: 390, height: 844, hasTouch: true });
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const tap = (name: string | RegExp, role: 'button' | 'link' = 'button') =>
    page
      .getByRole(role, typeof name === 'string' ? { name, exact: true } : { name })
      .first()
      .tap();
  const assertFits = async (): Promise<void> =>
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth), page.url());
  await visit(page, '/');
  await tap('Add iPhone Air to cart');
  await page.waitForFunction(() => localStorage.getItem('cart_mark')?.startsWith('1@'));
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: /Cart/ }).tap();
  await page.getByRole('heading', { name: 'Order Details' }).waitFor();
  await tap('Increase quantity');
  await page.getByText('$1,998.00').first().waitFor();
  await tap('Use SPRING15');
  await page.getByText('Discount 15%').waitFor();
  await assertFits();
  await tap('Continue to Checkout');
  await page.waitForURL('**/login?**');
  await page.getByLabel('Username').fill(username);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('main').getByRole('button', { name: 'Login' }).tap();
  await page.getByRole('heading', { name: 'Billing Details' }).waitFor();
  for (const [label, text] of [
    ['First name', 'Ada'],
    ['Last name', 'Lovelace'],
    ['Street address', 'Elm Street'],
    ['House number', '45'],
    ['City', 'London'],
    ['Postcode', 'W8 4QG'],
  ] as const) {
    await page.getByLabel(label, { exact: true }).tap();
    await page.getByLabel(label, { exact: true }).fill(text);
  }
  await page.getByLabel('Region').selectOption('Europe');
  await page.getByLabel('Country').selectOption('GB');
  await assertFits();
  await tap('Order with obligation to pay');
  await page.getByRole('heading', { name: 'Complete your order' }).waitFor();
  await assertFits();
  await Promise.all([page.getByText('Copied to clipboard!').waitFor(), tap('Copy sats')]);
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), '1530000');
  await tap('Copy payment link');
  await page.waitForFunction(async () => (await navigator.clipboard.readText()).startsWith('bitcoin:bcrt1q'));
  await payOrder(shop, await getOpenOrderId(shop, page));
  await page.getByText('Payment seen', { exact: true }).waitFor();
  await mine(shop, 2);
  await page.getByRole('heading', { name: 'Order paid.' }).waitFor();
  await tap('View order and receipt', 'link');
  await page.getByRole('heading', { name: /^Order CM-/ }).waitFor();
  await assertFits();
  await close();
});
