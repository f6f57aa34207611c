/** A merchant opens a second shop by its checklist alone, and sells on two processes. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from '@playwright/test';
import { sats } from '#src/shop/money.ts';
import { assertAccessible } from '../support/axe.ts';
import { openPage } from '../support/browser.ts';
import { turnOnApp } from '../support/totp-pages.ts';
import { fillBilling, visit } from '../support/buyer.ts';
import { listAt, numberAt, textAt, valueAt } from '../support/read-json.ts';
import { startPaidShop } from '../support/payers.ts';
import type { PaidShop } from '../support/payers.ts';
import { startSecondProcess } from '../support/second-process.ts';
import { LAST, logIn, makeOwner, openAccount, PRODUCT, recordBackup, setUpShop } from '../support/set-up-shop.ts';
import { findFreePort } from '../support/shop-process.ts';
import type { ShopProcess } from '../support/shop-process.ts';
import { waitUntil } from '../support/wait-until.ts';

const DEMO = ['Crypto Market', '45 Elm', 'Kensington', 'Apple'];
const PAGE = `/catalog/product/${PRODUCT.slug}`;

let paid: PaidShop;
let second: ShopProcess;
before(async () => {
  paid = await startPaidShop();
  const { settings, shop } = paid.live;
  const port = String(await findFreePort());
  second = await startSecondProcess(shop, { ...settings, PORT: port, PUBLIC_URL: `http://127.0.0.1:${port}` });
});
after(async () => {
  await second.stop();
  await paid.stop();
});

function assertNothingOfDemo(text: string, where: string): void {
  for (const word of DEMO) assert.ok(!text.includes(word), `${where} holds "${word}"`);
}

async function choose(page: Page): Promise<void> {
  // A sold-out value says so in its name.
  for (const value of Object.values(LAST)) {
    await page.getByRole('radio', { name: new RegExp(`^${value}(?: Sold out)?$`) }).check();
  }
}

async function isSoldOut(url: string): Promise<boolean> {
  const product: unknown = await (await fetch(`${url}/api/products/${PRODUCT.slug}`)).json();
  const skus = listAt(product, 'variants').filter((one) => valueAt(one, 'is_available') === false);
  return skus.length === 1;
}

/**
 * Polls the other process until it shows the variant as sold out. Returns the start of the last request that
 * still found it for sale, so that slow responses do not count.
 */
async function watchOther(): Promise<number> {
  let lastSold = performance.now();
  await waitUntil(async () => {
    const at = performance.now();
    if (await isSoldOut(second.url)) return true;
    lastSold = at;
    return false;
  });
  return lastSold;
}

/** Orders the last unit and returns when the shop had stored the order. */
async function orderLastUnit(page: Page): Promise<number> {
  await openAccount(page, 'ada');
  await visit(page, PAGE);
  await choose(page);
  await page.getByRole('button', { name: 'Add to Cart', exact: true }).click();
  await page.getByRole('banner').getByRole('link', { name: 'Cart, has items' }).click();
  await page.getByLabel('Promo code').fill('spring');
  await page.getByRole('button', { name: 'Apply', exact: true }).click();
  await page.getByText('$449.10').first().waitFor();
  await page.getByRole('button', { name: 'Continue to Checkout' }).click();
  await fillBilling(page);
  const ordered = page.waitForResponse((response) => response.url().endsWith('/api/cart/checkout'));
  await page.getByRole('button', { name: 'Order with obligation to pay' }).click();
  assert.equal((await ordered).status(), 201);
  const at = performance.now();
  await page.getByRole('heading', { name: 'Complete your order' }).waitFor();
  return at;
}

async function payOrder(page: Page): Promise<void> {
  const uri = new URL((await page.getByRole('link', { name: 'Open in wallet' }).getAttribute('href')) ?? '');
  const amount = Math.round(Number(uri.searchParams.get('amount')) * 1e8);
  assert.match(uri.searchParams.get('label') ?? '', /^Nordic Bikes /);
  await paid.pay(uri.pathname, sats(BigInt(amount)));
  await paid.mine(3);
  await page.getByRole('heading', { name: 'Order paid.' }).waitFor({ timeout: 120_000 });
}

test('[OPS-07] [OPS-02] [OPS-08] [OPS-10] [OPS-11] [OPS-01] a second shop opens by its checklist alone', async () => {
  const { shop } = paid.live;
  // A toast that still appears has too little contrast.
  const owner = await openPage(shop, { expectedStatuses: [400, 401, 404], reducedMotion: true });
  await openAccount(owner.page, 'kari');
  await visit(owner.page, '/');
  assert.equal((await owner.page.goto('/admin'))?.status(), 404);
  await makeOwner(shop, 'kari');
  await owner.page.goto('/admin');
  // The promotion has ended the session.
  await logIn(owner.page, 'kari');
  await owner.page.getByText('The back office opens once you have added a passkey', { exact: false }).waitFor();
  await turnOnApp(owner.page);
  await setUpShop(owner.page, () => assertAccessible(owner.page));

  const [buyer, waiting] = [await openPage(shop), await openPage(second, { expectedStatuses: [409] })];
  await visit(waiting.page, PAGE);
  await choose(waiting.page);
  assert.ok(await waiting.page.getByRole('button', { name: 'Add to Cart', exact: true }).isEnabled());
  await waiting.page.getByRole('img', { name: 'The red bike' }).waitFor();
  const [ordered, lastSold] = await Promise.all([orderLastUnit(buyer.page), watchOther()]);
  assert.ok(lastSold - ordered < 10_000, `the other process sold it for ${lastSold - ordered} ms`);
  await waiting.page.reload();
  await choose(waiting.page);
  assert.ok(await waiting.page.getByRole('button', { name: 'Sold out', exact: true }).isDisabled());
  await payOrder(buyer.page);
  await recordBackup(shop);

  await owner.page.goto('/admin');
  await owner.page.getByRole('heading', { level: 1, name: 'Home', exact: true }).waitFor();
  assert.equal(await owner.page.getByText(/^\d+ of \d+ done/).count(), 0, 'the checklist is done');
  await owner.page.getByText('1 order to ship', { exact: true }).waitFor();
  const { body } = await shop.api('GET', `/products/${PRODUCT.slug}`);
  assert.deepEqual(
    [...new Set(listAt(body, 'variants').map((one) => numberAt(one, 'price_usd')))].toSorted((a, b) => a - b),
    [499, 549.5],
  );
  assert.equal(textAt(body, 'variants', 0, 'sku'), 'BIKE-1');
  for (const page of [owner.page, buyer.page, waiting.page]) {
    for (const path of ['/', '/catalog', PAGE, '/cart', '/contact', '/terms', '/privacy', '/returns', '/promo']) {
      await visit(page, path);
      assertNothingOfDemo(await page.content(), path);
    }
  }
  for (const { raw } of paid.live.smtp.received) assertNothingOfDemo(raw, 'a mail');
  for (const one of [owner, buyer, waiting]) await one.close();
});
