/** The order page of a buyer: its parcel first, then papers; the cart and the chat on phones; what is empty. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Locator, Page } from '@playwright/test';
import { assertAccessibleInBothSchemes } from '../support/axe.ts';
import { openPage } from '../support/browser.ts';
import { callAs, createBuyer, mine, openCartAsBuyer, payOrder, placeOrder, signIn, visit } from '../support/buyer.ts';
import { textAt } from '../support/read-json.ts';
import { shareTestShop } from '../support/shared-shop.ts';
import type { TestShop } from '../support/shop.ts';
import { saveScreenshots } from '../support/screenshots.ts';

const PHONE = { width: 390, height: 844 } as const;

let shop: TestShop;
before(async () => {
  shop = await shareTestShop();
});

async function logInAsStaff(): Promise<string> {
  const body = { username: 'staff', password: 'crypto-market' };
  return textAt((await shop.api('POST', '/users/login', { body })).body, 'tokens', 'accessToken');
}

const readSteps = (page: Page): Promise<string[]> =>
  page
    .getByRole('region', { name: 'Delivery', exact: true })
    .locator('li[data-state]')
    .evaluateAll((steps) =>
      steps.map((step) => `${step.querySelector('span:nth-child(2)')?.textContent} ${step.dataset['state']}`),
    );

const measureBottom = (locator: Locator): Promise<number> =>
  locator.evaluate((element) => element.getBoundingClientRect().bottom);

test('[DASH-04] the order page begins with the parcel, its progress and its tracking', async () => {
  const { page, close } = await openPage(shop);
  await openCartAsBuyer(shop, page);
  const orderId = await placeOrder(shop, page);
  await visit(page, `/dashboard/orders/${orderId}`);
  assert.deepEqual(await readSteps(page), ['Ordered done', 'Paid next', 'Shipped ahead', 'Delivered ahead']);
  await payOrder(shop, orderId);
  await mine(shop, 3);
  const parcel = page.getByRole('region', { name: 'Delivery', exact: true });
  await parcel.getByText('we are preparing your order').waitFor();
  await parcel.getByText('Expected').waitFor();
  assert.deepEqual(await readSteps(page), ['Ordered done', 'Paid done', 'Shipped next', 'Delivered ahead']);
  const token = await logInAsStaff();
  await shop.api('POST', `/orders/${orderId}/ship`, { token, body: { tracking_reference: 'RR 123 456 785 GB' } });
  await parcel.getByText('your order is on its way to you').waitFor();
  await parcel.getByText('RR 123 456 785 GB', { exact: true }).waitFor();
  assert.deepEqual(await readSteps(page), ['Ordered done', 'Paid done', 'Shipped done', 'Delivered next']);
  assert.ok((await measureBottom(parcel)) < (await measureBottom(page.getByRole('region', { name: 'Items' }))));
  await assertAccessibleInBothSchemes(page);
  await saveScreenshots(page, 'order-shipped');
  await shop.api('POST', `/orders/${orderId}/deliver`, { token });
  await parcel.getByText('your order has been delivered').waitFor();
  assert.deepEqual(await readSteps(page), ['Ordered done', 'Paid done', 'Shipped done', 'Delivered done']);
  assert.equal(await parcel.getByText('Expected').count(), 0);
  await close();
});

test('[CART-07] [CART-10] total and checkout button stay in view on phones and cover nothing', async () => {
  const { page, close } = await openPage(shop, PHONE);
  await openCartAsBuyer(shop, page);
  for (const slug of ['airpods-pro-3', 'airtag', 'iphone-17-pro', 'ipad-air-11']) {
    const { status, body } = await shop.api('GET', `/products/${slug}`);
    if (status !== 200) continue;
    await callAs(shop, page, 'POST', '/cart/add', { product_id: textAt(body, 'id'), quantity: 1 });
  }
  await visit(page, '/cart');
  const button = page.getByRole('button', { name: 'Continue to Checkout' });
  assert.equal(await button.count(), 1);
  const tabs = page.getByRole('navigation', { name: 'Main' });
  for (const fontSize of ['100%', '150%']) {
    await page.evaluate((size) => {
      document.documentElement.style.fontSize = size;
    }, fontSize);
    for (const place of ['top', 'end']) {
      await page.evaluate((to) => window.scrollTo(0, to === 'top' ? 0 : document.body.scrollHeight / 2), place);
      const box = await button.boundingBox();
      const top = (await tabs.boundingBox())?.y ?? 0;
      assert.ok(box && box.y >= 0 && box.y + box.height <= top + 1, `in view with letters of ${fontSize}`);
    }
    // The last line and the totals can be read above the bar.
    const total = page.getByRole('complementary').getByText('Total', { exact: true });
    await total.scrollIntoViewIfNeeded();
    const bar = (await button.locator('..').boundingBox())?.y ?? 0;
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
    const isCovered = await total.evaluate((element, barTop) => {
      const { top, bottom } = element.getBoundingClientRect();
      return top < window.innerHeight && bottom > barTop && top < barTop;
    }, bar);
    assert.ok(!isCovered);
  }
  await page.evaluate(() => document.documentElement.removeAttribute('style'));
  const line = page.getByRole('main').getByRole('listitem').filter({ hasText: 'iPhone Air' });
  const height = (await line.boundingBox())?.height ?? 999;
  assert.ok(height <= 150, `a line is ${height} px high`);
  await assertAccessibleInBothSchemes(page);
  await saveScreenshots(page, 'cart');
  await button.press('Enter');
  await page.getByRole('heading', { name: 'Billing Details' }).waitFor();
  await close();
});

test('[TKT-04] the conversation fills a phone between header and bottom bar', async () => {
  const { page, close } = await openPage(shop, PHONE);
  await signIn(shop, page, await createBuyer(shop));
  const words = { title: 'Where is my parcel?', theme: 'Delivery', description: 'It was due yesterday.' };
  const id = textAt(await callAs(shop, page, 'POST', '/tickets/create', words), 'id');
  await visit(page, `/dashboard/tickets/${id}`);
  const field = page.getByRole('textbox', { name: 'Message' });
  const gap =
    ((await page.getByRole('navigation', { name: 'Main' }).boundingBox())?.y ?? 0) - (await measureBottom(field));
  assert.ok(gap >= 0 && gap <= 32, `${gap} px between the field and the bottom bar`);
  assert.equal(await page.evaluate(() => window.scrollY), 0);
  // The footer can be reached.
  await page.getByRole('contentinfo').getByRole('link', { name: 'Contact' }).scrollIntoViewIfNeeded();
  await assertAccessibleInBothSchemes(page);
  await saveScreenshots(page, 'ticket');
  await close();
});

test('[DASH-01] [CART-02] [TKT-02] what is empty says what to do, below a drawing', async () => {
  const { page, close } = await openPage(shop, PHONE);
  await signIn(shop, page, await createBuyer(shop));
  for (const [path, text, action] of [
    ['/cart', 'No items in cart', 'Browse the catalog'],
    ['/dashboard', 'No orders yet', 'Go to the catalog'],
    ['/dashboard/orders', 'No orders yet', 'Go to the catalog'],
    ['/dashboard/tickets', 'You have no tickets.', 'Create ticket'],
  ] as const) {
    await visit(page, path);
    const empty = page.getByRole('main').getByText(text, { exact: true }).locator('..');
    assert.equal(await empty.locator('svg[aria-hidden="true"]').count(), 1, path);
    await empty.getByRole('link', { name: action }).waitFor();
    await assertAccessibleInBothSchemes(page);
    await saveScreenshots(page, `empty${path.replaceAll('/', '-')}`);
  }
  await close();
});
