/** The frame of billing and payment, and what is in view of the payment without scrolling. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Locator, Page } from '@playwright/test';
import { assertAccessibleInBothSchemes } from '../support/axe.ts';
import { openPage } from '../support/browser.ts';
import {
  callAs,
  fillBilling,
  getPayPath,
  mine,
  openCartAsBuyer,
  payOrder,
  placeOrder,
  visit,
} from '../support/buyer.ts';
import { watchLayoutShifts } from '../support/pages/layout-shift.ts';
import { textAt } from '../support/read-json.ts';
import { shareTestShop } from '../support/shared-shop.ts';
import type { TestShop } from '../support/shop.ts';
import { waitUntil } from '../support/wait-until.ts';
import { saveScreenshots } from '../support/screenshots.ts';
import { resize } from '../support/pages/frames.ts';

const WINDOWS = [
  [390, 844],
  [1366, 768],
  [1440, 900],
] as const;

let shop: TestShop;
before(async () => {
  shop = await shareTestShop();
});

const getHeading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true });

/** Whether the element is completely visible and its centre uncovered. */
const isInView = (locator: Locator): Promise<boolean> =>
  locator.evaluate((element) => {
    const { left, right, top, bottom } = element.getBoundingClientRect();
    const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    const isSeen = hit !== null && (hit === element || element.contains(hit) || hit.contains(element));
    return window.scrollY === 0 && top >= 0 && bottom <= window.innerHeight && isSeen;
  });

/** What one needs for a payment. */
const listPaymentParts = (page: Page): Readonly<Record<string, Locator>> => {
  const main = page.getByRole('main');
  return {
    'the amount': main.locator('dd strong').first(),
    'the code': main.locator('figure svg'),
    'the address': main.locator('dd').filter({ hasText: 'bcrt' }),
    'the button for the address': main.getByRole('button', { name: 'Copy wallet address' }),
    'the state': main.getByRole('status').getByText('Waiting for your payment'),
    'the time left': main.getByRole('timer'),
  };
};

async function assertPaymentInView(page: Page): Promise<void> {
  for (const [width, height] of WINDOWS) {
    await resize(page, width, height);
    await page.evaluate(() => window.scrollTo(0, 0));
    for (const [name, part] of Object.entries(listPaymentParts(page))) {
      assert.ok(await isInView(part), `${name} is in view at ${width} × ${height}`);
    }
    const isScrolledSideways = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
    assert.ok(!isScrolledSideways, `nothing is wider than ${width}`);
  }
}

async function assertSlimFrame(page: Page): Promise<void> {
  assert.equal(await page.getByRole('search').count(), 0, 'no search');
  assert.equal(await page.getByRole('combobox', { name: 'Search' }).count(), 0, 'no search box');
  assert.equal(await page.getByRole('navigation', { name: 'Main' }).count(), 0, 'no tab bar');
  assert.equal(await page.getByRole('navigation', { name: 'Categories' }).count(), 0, 'no categories');
  const header = page.getByRole('banner');
  await header.getByRole('link', { name: 'Help' }).waitFor();
  await header.getByText('Secure checkout').waitFor();
  assert.equal(await page.getByRole('heading', { level: 1 }).count(), 1);
}

test('[CART-01] [PAY-08] amount, QR code and address are in view without scrolling', async () => {
  const { page, close } = await openPage(shop);
  await openCartAsBuyer(shop, page);
  await placeOrder(shop, page);
  await assertPaymentInView(page);
  await assertSlimFrame(page);
  await assertAccessibleInBothSchemes(page);
  await saveScreenshots(page, 'pay');
  await visit(page, await getPayPath(shop, page));
  await assertPaymentInView(page);
  await assertSlimFrame(page);
  await assertAccessibleInBothSchemes(page);
  await saveScreenshots(page, 'pay-link');
  await close();
});

test('[CART-01] [LAY-04] [LAY-09] billing has no search and no tab bar, and leads back to the cart', async () => {
  const { page, close } = await openPage(shop, { width: 390, height: 844 });
  await openCartAsBuyer(shop, page);
  await page.getByRole('navigation', { name: 'Main' }).waitFor();
  const proceed = page.getByRole('button', { name: 'Continue to Checkout' });
  await proceed.click();
  await getHeading(page, 'Billing Details').waitFor();
  await assertSlimFrame(page);
  await page.getByLabel('City').fill('London');
  await page.getByRole('banner').getByRole('link', { name: 'Back to cart' }).press('Enter');
  await getHeading(page, 'Order Details').waitFor();
  await page.getByRole('navigation', { name: 'Main' }).waitFor();
  await proceed.click();
  assert.equal(await page.getByLabel('City').inputValue(), 'London');
  await fillBilling(page);
  await saveScreenshots(page, 'billing');
  await assertAccessibleInBothSchemes(page);
  await close();
});

test('[PAY-02] [PAY-08] confirmations arrive as blocks, then the devices and where the receipt was sent', async () => {
  const { page, close } = await openPage(shop, { width: 390, height: 844, reducedMotion: true });
  const username = await openCartAsBuyer(shop, page);
  const orderId = await placeOrder(shop, page);
  const ring = page.locator('svg circle[stroke-dashoffset]');
  assert.ok(Number(await ring.getAttribute('stroke-dashoffset')) < 0.1, 'the ring is nearly full');
  assert.equal(await ring.evaluate((circle) => getComputedStyle(circle).transitionProperty), 'none');
  await payOrder(shop, orderId);
  const confirmations = page.getByRole('progressbar', { name: 'Confirmations' });
  const countArrived = (): Promise<number> => page.locator('main [data-state="arrived"]').count();
  await page.getByText('Payment seen', { exact: true }).waitFor();
  assert.equal(await confirmations.getAttribute('value'), '0');
  assert.equal(await countArrived(), 0);
  await saveScreenshots(page, 'seen');
  await mine(shop, 1);
  await page.getByText('1 of 2 confirmations', { exact: true }).first().waitFor();
  assert.equal(await confirmations.getAttribute('value'), '1');
  assert.equal(await countArrived(), 1);
  await assertAccessibleInBothSchemes(page);
  await mine(shop, 1);
  await getHeading(page, 'Order paid.').waitFor();
  const main = page.getByRole('main');
  await main.getByText('iPhone Air').first().waitFor();
  await main.getByText(/^Arrives \w{3} \d/).waitFor();
  await main.getByText(`Receipt sent to ${username}@example.com`).waitFor();
  await assertSlimFrame(page);
  await assertAccessibleInBothSchemes(page);
  await saveScreenshots(page, 'paid');
  await main.getByRole('link', { name: 'View order and receipt' }).press('Enter');
  await page.waitForURL(`**/dashboard/orders/${orderId}`);
  await close();
});

test('[PAY-14] the receipt is not said to be sent to an address that it was not sent to', async () => {
  const { page, close } = await openPage(shop);
  const username = await openCartAsBuyer(shop, page);
  const orderId = await placeOrder(shop, page);
  const readReceipt = async (): Promise<unknown> => {
    const timeline = await callAs(shop, page, 'GET', `/orders/${orderId}/timeline`);
    return Reflect.get(Object(timeline), 'receipt_sent_to');
  };
  assert.equal(await readReceipt(), null);
  await payOrder(shop, orderId);
  await mine(shop, 2);
  await waitUntil(async () => (await readReceipt()) === `${username}@example.com`);
  const id = textAt(await callAs(shop, page, 'GET', '/users/user'), 'id');
  await callAs(shop, page, 'PUT', `/users/${id}`, {
    email: `other-${username}@example.com`,
    current_password: 'correct horse',
  });
  assert.equal(await readReceipt(), null);
  await close();
});

test('[PAY-08] nothing moves while the payment page loads', async () => {
  const { page, close } = await openPage(shop, { width: 390, height: 844 });
  await openCartAsBuyer(shop, page);
  await placeOrder(shop, page);
  const listShifts = await watchLayoutShifts(page);
  await visit(page, '/cart');
  await page
    .getByRole('timer')
    .getByText(/^\d\d:/)
    .waitFor();
  const shifts = await listShifts();
  assert.ok(shifts.reduce((sum, { value }) => sum + value, 0) <= 0.01, JSON.stringify(shifts));
  await close();
});

test('[PAY-08] the payment is whole without JavaScript', async () => {
  const { page, context, close } = await openPage(shop, { width: 390, height: 844 });
  await openCartAsBuyer(shop, page);
  await placeOrder(shop, page);
  const path = await getPayPath(shop, page);
  const cookies = await context.cookies();
  await close();
  const plain = await openPage(shop, { width: 390, height: 844, javaScript: false });
  await plain.context.addCookies(cookies);
  for (const url of ['/cart', path]) {
    await plain.page.goto(url);
    const { 'the state': state, 'the time left': _, ...parts } = listPaymentParts(plain.page);
    assert.ok(state && (await state.isVisible()));
    for (const [name, part] of Object.entries(parts)) assert.ok(await isInView(part), `${name} of ${url} is in view`);
    assert.match(
      (await plain.page.getByRole('link', { name: 'Open in wallet' }).getAttribute('href')) ?? '',
      /^bitcoin:/,
    );
  }
  await plain.close();
});
