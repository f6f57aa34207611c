/** The shop without its chain source: pages show it, sales continue, nothing expires. */
import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import type { Page } from '@playwright/test';
import type { Devchain } from '#src/shop/demo/devchain/devchain.ts';
import { assertAccessible } from '../support/axe.ts';
import { openPage } from '../support/browser.ts';
import { openCartAsBuyer, callAs, pollNow, moveClock, getPayPath, placeOrder, visit } from '../support/buyer.ts';
import { formatCoreUrl, openDevchain } from '../support/chain-sources.ts';
import { createFakeCore } from '../support/fake-core.ts';
import { FaultProxy } from '../support/fault-proxy.ts';
import { textAt } from '../support/read-json.ts';
import { startTestShop } from '../support/shop.ts';
import type { TestShop } from '../support/shop.ts';
import { waitUntil } from '../support/wait-until.ts';

const BANNER = 'We can’t reach the Bitcoin network right now';
const BANNER_TEXT = 'Your payment is safe. This page updates automatically, and your order does not expire until then.';
const AFTER_THE_WINDOW_S = 7300;

let shop: TestShop;
let devchain: Devchain;
let proxy: FaultProxy;
const closing: (() => Promise<unknown>)[] = [];
before(async () => {
  devchain = await openDevchain();
  const core = createFakeCore(devchain);
  proxy = new FaultProxy(await core.listen({ host: '127.0.0.1', port: 0 }));
  shop = await startTestShop({ settings: { CHAIN_SOURCE: 'core', CORE_RPC_URL: formatCoreUrl(await proxy.listen()) } });
  closing.push(
    () => shop.stop(),
    () => proxy.close(),
    () => core.close(),
  );
  await setChain('up');
});
afterEach(async () => {
  proxy.fault = null;
  await moveClock(shop, 0);
  await setChain('up');
});
after(async () => {
  for (const close of closing) await close();
});

async function setChain(state: 'up' | 'down'): Promise<void> {
  if (state === 'down') proxy.fault = 'down';
  await waitUntil(async () => {
    // Triggers a pass of chain sync.
    await moveClock(shop, 0);
    return textAt((await shop.api('GET', '/payments/chain')).body, 'state') === state;
  });
}

const getBanner = (page: Page) => page.getByRole('main').getByText(BANNER);
const isGone = (page: Page) => getBanner(page).waitFor({ state: 'detached' });
const waitForHeading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true }).waitFor();
/** The page as served, without JavaScript. */
async function fetchHtml(page: Page, path: string): Promise<string> {
  const response = await page.request.get(`${shop.url}${path}`);
  assert.equal(response.status(), 200);
  return response.text();
}

test('[PAY-10] [API-07] checkout and payment pages show an unavailable chain', async () => {
  const { page, close } = await openPage(shop, { width: 390, height: 844 });
  await openCartAsBuyer(shop, page);
  await setChain('down');
  await visit(page, '/cart');
  await page.getByText('You can still order: we detect your payment later').waitFor();
  const orderId = await placeOrder(shop, page);
  await getBanner(page).waitFor();
  await page.getByText(BANNER_TEXT).waitFor();
  await page.getByRole('link', { name: 'Open in wallet' }).waitFor();
  await assertAccessible(page);
  const check = await callAs(shop, page, 'GET', `/payments/check/${orderId}`);
  assert.deepEqual([textAt(check, 'payment', 'chain'), textAt(check, 'payment', 'state')], ['down', 'awaiting']);
  const paths = ['/cart', await getPayPath(shop, page), `/dashboard/orders/${orderId}`];
  for (const path of paths) {
    const sent = await fetchHtml(page, path);
    assert.ok(sent.includes(BANNER) && sent.includes(BANNER_TEXT), path);
  }
  for (const path of paths.slice(1)) {
    await visit(page, path);
    await getBanner(page).waitFor();
    await assertAccessible(page);
  }
  await close();
});

test('[PAY-08] [PAY-10] an open page shows an outage of the chain and its end', async () => {
  const { page, close } = await openPage(shop);
  await openCartAsBuyer(shop, page);
  const orderId = await placeOrder(shop, page);
  assert.equal(await getBanner(page).count(), 0);
  await setChain('down');
  await pollNow(page);
  await getBanner(page).waitFor();
  const order = await callAs(shop, page, 'GET', `/orders/${orderId}`);
  assert.ok((await devchain.pay(textAt(order, 'order', 'payment', 'address'), 900_000n)).ok);
  await setChain('down');
  await page.getByText('Waiting for your payment').waitFor();
  proxy.fault = null;
  await setChain('up');
  await page.getByText('Payment seen').waitFor();
  await isGone(page);
  await close();
});

test('[PAY-02] [PAY-10] extends the payment window while the chain is unavailable', async () => {
  const { page, close } = await openPage(shop);
  await openCartAsBuyer(shop, page);
  const orderId = await placeOrder(shop, page);
  const payPath = await getPayPath(shop, page);
  await setChain('down');
  await moveClock(shop, AFTER_THE_WINDOW_S);
  for (const path of ['/cart', payPath]) {
    await visit(page, path);
    await page.getByText('Time extended: the Bitcoin network is unavailable.').waitFor();
    await waitForHeading(page, 'Complete your order');
    assert.equal(await page.getByRole('timer').count(), 0);
  }
  assert.equal(textAt(await callAs(shop, page, 'GET', `/orders/${orderId}`), 'order', 'payment_status'), 'pending');
  proxy.fault = null;
  await moveClock(shop, AFTER_THE_WINDOW_S);
  await waitForHeading(page, 'Expired');
  await isGone(page);
  await close();
});
