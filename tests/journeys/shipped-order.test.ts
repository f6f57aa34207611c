/** The order page while the order is shipped: list, updates and receipt. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { WebSocketRoute } from '@playwright/test';
import { openPage } from '../support/browser.ts';
import { openCartAsBuyer, callAs, mine, payOrder, placeOrder, visit } from '../support/buyer.ts';
import { textAt } from '../support/read-json.ts';
import { shareTestShop } from '../support/shared-shop.ts';
import type { TestShop } from '../support/shop.ts';
import { waitUntil } from '../support/wait-until.ts';

let shop: TestShop;
before(async () => {
  shop = await shareTestShop();
});

async function logInAsStaff(): Promise<string> {
  const body = { username: 'staff', password: 'crypto-market' };
  return textAt((await shop.api('POST', '/users/login', { body })).body, 'tokens', 'accessToken');
}

test('[OPS-03] [DASH-03] [DASH-04] the open order page shows shipping and delivery', async () => {
  const { page, close } = await openPage(shop);
  await openCartAsBuyer(shop, page);
  const orderId = await placeOrder(shop, page);
  await payOrder(shop, orderId);
  await mine(shop, 3);
  await visit(page, `/dashboard/orders/${orderId}`);
  const main = page.getByRole('main');
  await main.getByText('we are preparing your order').waitFor();
  assert.equal(await main.getByText('Handed to the courier').count(), 0);

  const token = await logInAsStaff();
  const reference = 'RR 123 456 785 GB';
  await shop.api('POST', `/orders/${orderId}/ship`, { token, body: { tracking_reference: reference } });
  await main.getByText('your order is on its way to you').waitFor();
  await main.getByText('Handed to the courier').waitFor();
  await main.getByText(reference, { exact: true }).waitFor();
  const status = main.getByText('Status').locator('..');
  await waitUntil(async () => /Paid\s+Shipped$/.test(await status.innerText()));

  await page.emulateMedia({ media: 'print' });
  const printed = await page.locator('body').innerText();
  for (const part of ['Receipt', 'Shipped', reference]) assert.ok(printed.includes(part), `printed: ${part}`);
  assert.ok(!printed.includes('Copy'));
  await page.emulateMedia({ media: 'screen' });

  await shop.api('POST', `/orders/${orderId}/deliver`, { token });
  await main.getByText('your order has been delivered').waitFor();
  await visit(page, '/dashboard/orders');
  await page.getByRole('article').getByText('Delivered', { exact: true }).waitFor();
  await page.getByRole('article').getByText('Paid', { exact: true }).waitFor();
  await close();
});

test('[OPS-03] [WS-03] shows events missed before connecting and while disconnected', async () => {
  const { page, close } = await openPage(shop);
  await openCartAsBuyer(shop, page);
  const orderId = await placeOrder(shop, page);
  await payOrder(shop, orderId);
  await mine(shop, 3);
  // An update that the buyer's page receives later.
  const product = await shop.api('GET', '/products/airpods-pro-3');
  await callAs(shop, page, 'POST', '/cart/add', { product_id: textAt(product.body, 'id'), quantity: 1 });
  let held = Promise.withResolvers<void>();
  const connections: WebSocketRoute[] = [];
  await page.routeWebSocket('**/api/wss', async (socket) => {
    await held.promise;
    connections.push(socket);
    socket.connectToServer();
  });
  await visit(page, `/dashboard/orders/${orderId}`);
  const main = page.getByRole('main');
  await main.getByText('we are preparing your order').waitFor();
  const token = await logInAsStaff();
  await shop.api('POST', `/orders/${orderId}/ship`, { token, body: { tracking_reference: 'RR 1' } });
  held.resolve();
  await main.getByText('your order is on its way to you').waitFor();

  held = Promise.withResolvers<void>();
  await connections[0]?.close();
  await shop.api('POST', `/orders/${orderId}/deliver`, { token });
  held.resolve();
  await main.getByText('your order has been delivered').waitFor();
  await close();
});
