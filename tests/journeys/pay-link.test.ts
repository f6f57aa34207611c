/** The page behind a payment link. */
import assert from 'node:assert/strict';
import { afterEach, before, test } from 'node:test';
import { openPage } from '../support/browser.ts';
import { openCartAsBuyer, mine, moveClock, payOrder, getPayPath, placeOrder, visit } from '../support/buyer.ts';
import { shareTestShop } from '../support/shared-shop.ts';
import type { TestShop } from '../support/shop.ts';
import { waitUntil } from '../support/wait-until.ts';

let shop: TestShop;
before(async () => {
  shop = await shareTestShop();
});
afterEach(() => moveClock(shop, 0));

async function createOrder() {
  const { page, close } = await openPage(shop);
  const username = await openCartAsBuyer(shop, page);
  const orderId = await placeOrder(shop, page);
  const path = await getPayPath(shop, page);
  await close();
  return { username, orderId, path };
}

test('[PAY-08] the payment link works without login and JavaScript, without personal data', async () => {
  const { username, orderId, path } = await createOrder();
  const { page, close } = await openPage(shop, { javaScript: false, width: 390, height: 844 });
  await page.goto(path);
  const main = page.getByRole('main');
  await main.getByRole('heading', { level: 1, name: 'Complete your order' }).waitFor();
  await main.getByText('0.009000 BTC', { exact: true }).first().waitFor();
  await main.getByText('900,000 sats · $999.00').waitFor();
  assert.match(await main.innerText(), /Total\s+0\.009000 BTC \$999\.00$/);
  assert.match(await main.innerText(), /1 BTC = \$111,000\.00, valid until \d\d:\d\d UTC/);
  const code = main.locator('figure svg path');
  const firstCode = (await code.getAttribute('d')) ?? '';
  assert.ok(firstCode.length > 1000, 'the code is drawn');
  const uri = (await main.getByRole('link', { name: 'Open in wallet' }).getAttribute('href')) ?? '';
  assert.match(uri, /^bitcoin:bcrt1q[a-z0-9]{38}\?amount=0\.009/);
  const address = /bcrt1q[a-z0-9]+/.exec(uri)?.[0] ?? '';
  assert.ok((await main.innerText()).replaceAll(/\s/g, '').includes(address), 'the address is written');
  const html = await page.content();
  for (const secret of [username, 'Lovelace', 'Elm Street, London', 'W8 4QG', 'iPhone Air x', orderId]) {
    assert.ok(!html.includes(secret), `the page contains ${secret}`);
  }
  assert.equal(await page.locator('meta[http-equiv=refresh]').getAttribute('content'), '30');

  await payOrder(shop, orderId, 0.004);
  await page.reload();
  await main.getByText('0.005000 BTC still missing').waitFor();
  assert.notEqual(await code.getAttribute('d'), firstCode, 'another code for another amount');
  await payOrder(shop, orderId);
  await mine(shop, 2);
  await page.reload();
  await main.getByRole('heading', { level: 1, name: 'Order paid.' }).waitFor();
  assert.equal(await page.locator('meta[http-equiv=refresh]').count(), 0);
  await close();
});

test('[PAY-08] [PAY-11] the payment link updates live; expired, it asks for nothing', async () => {
  const { orderId, path } = await createOrder();
  const { page, close } = await openPage(shop);
  await visit(page, path);
  await payOrder(shop, orderId, 0.004);
  await page.getByText('0.005000 BTC still missing').waitFor();
  await page.getByText(/^QR code: pay 0\.005000 BTC/).waitFor({ state: 'attached' });
  await moveClock(shop, 7300);
  await page.getByRole('heading', { level: 1, name: 'Expired' }).waitFor();
  assert.equal(await page.getByRole('link', { name: 'Open in wallet' }).count(), 0);
  await page.getByRole('link', { name: 'Log in for a new price' }).click();
  await page.waitForURL('**/login?to=%2Fcart');
  await close();
});

for (const path of ['link', 'order’s page'] as const) {
  test(`[PAY-08] the ${path} survives an outage of the shop`, async () => {
    const { page, context, getProblems } = await openPage(shop, { expectedStatuses: [502] });
    await openCartAsBuyer(shop, page);
    const orderId = await placeOrder(shop, page);
    await visit(page, path === 'link' ? await getPayPath(shop, page) : `/dashboard/orders/${orderId}`);
    for (const failure of ['unreached', 'refused'] as const) {
      let failed = 0;
      await page.route('**/*.data*', async (route) => {
        await (failure === 'unreached' ? route.abort('failed') : route.fulfill({ status: 502, body: 'Bad gateway' }));
        failed += 1;
      });
      // Requested by the page after the first one has ended.
      await waitUntil(() => failed >= 2);
      await page.unroute('**/*.data*');
    }
    await payOrder(shop, orderId);
    await page.getByText('Payment seen', { exact: true }).first().waitFor();
    assert.deepEqual(
      getProblems().filter((line) => !/revalidation failed|\.data.*ERR_FAILED/.test(line)),
      [],
    );
    await context.close();
  });
}

test('[PAY-08] unknown links are 404; real ones are private and noindex', async () => {
  const { path } = await createOrder();
  const response = await fetch(`${shop.url}${path}`);
  assert.equal(response.status, 200);
  assert.match(response.headers.get('cache-control') ?? '', /no-store/);
  assert.match(await response.text(), /<meta name="robots" content="noindex"/);
  for (const wrong of [`/pay/${'0'.repeat(64)}`, '/pay/x', `${path}0`, '/pay/%00']) {
    const refusal = await fetch(`${shop.url}${wrong}`);
    assert.ok(
      refusal.status === 404 || (wrong.includes('%00') && refusal.status === 400),
      `${wrong} ${refusal.status}`,
    );
  }
  assert.match(await (await fetch(`${shop.url}/robots.txt`)).text(), /Disallow: \/pay/);
});
