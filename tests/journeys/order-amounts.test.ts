/** The amounts of an order add up on every page. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Locator } from '@playwright/test';
import { openPage } from '../support/browser.ts';
import { openCartAsBuyer, callAs, mine, payOrder, getPayPath, placeOrder, visit } from '../support/buyer.ts';
import { listAt, textAt } from '../support/read-json.ts';
import { shareTestShop } from '../support/shared-shop.ts';
import type { TestShop } from '../support/shop.ts';
import { waitUntil } from '../support/wait-until.ts';

let shop: TestShop;
before(async () => {
  shop = await shareTestShop();
});

/** Dollar amounts of a text in cents, and their sum. */
const parseCents = (text: string): readonly number[] =>
  [...text.matchAll(/\$([\d,]+\.\d\d)/g)].map(([, amount = '']) => Number(amount.replaceAll(/[,.]/g, '')));
const readLastCents = async (place: Locator): Promise<number> =>
  parseCents(await place.innerText()).at(-1) ?? Number.NaN;

test('[FMT-01] [FMT-03] [PROMO-05] lines, discount and total add up to the cent', async () => {
  const { page, close } = await openPage(shop);
  await openCartAsBuyer(shop, page);
  const { body } = await shop.api('GET', '/products/airpods-pro-3');
  await callAs(shop, page, 'POST', '/cart/add', { product_id: textAt(body, 'id'), quantity: 3 });
  await callAs(shop, page, 'POST', '/promocodes/apply', { code: 'SPRING15' });
  await visit(page, '/cart');
  const orderId = await placeOrder(shop, page);

  // 999.00 + 3 × 249.00 = 1746.00, less 15 %: 1484.10.
  const side = page.getByRole('complementary', { name: 'Cart Totals' });
  await side.getByText('3 × $249.00').waitFor();
  await side.getByText('$747.00', { exact: false }).first().waitFor();
  await side.getByText('$1,746.00', { exact: true }).waitFor();
  await side.getByText('−$261.90', { exact: true }).waitFor();
  await side.getByText('$1,484', { exact: true }).waitFor();
  const payPath = await getPayPath(shop, page);

  await payOrder(shop, orderId);
  await mine(shop, 6);
  await visit(page, `/dashboard/orders/${orderId}`);
  await page.getByRole('button', { name: 'Print receipt' }).waitFor();
  for (const media of ['screen', 'print'] as const) {
    await page.emulateMedia({ media });
    const items = page.getByRole('region', { name: 'Items' });
    const lines = await Promise.all((await items.getByRole('listitem').all()).map(readLastCents));
    assert.deepEqual(lines, [99_900, 74_700], media);
    await items.getByText('0.002244 BTC or $249.00 each').waitFor();
    const readAmount = (name: string) =>
      readLastCents(items.locator('dl > div').filter({ has: page.getByText(name, { exact: true }) }));
    assert.equal(await readAmount('Subtotal'), 174_600);
    assert.equal(await readAmount('Fixed percent 15% off · SPRING15'), 26_190);
    assert.equal(await readAmount('Total'), 148_410);
    assert.doesNotMatch(await page.getByRole('main').innerText(), /\$\d{4}|\$[\d,]+(?![\d,.])/);
  }
  await page.emulateMedia({ media: 'screen' });

  await visit(page, '/dashboard/orders');
  const card = page.getByRole('article', { name: /^CM-/ });
  await card.getByText('Fixed percent 15% off · SPRING15').waitFor();
  await card.getByText('−$261.90').waitFor();
  await card.getByText('$1,484', { exact: true }).waitFor();
  await visit(page, '/dashboard');
  await page.getByText('$1,484', { exact: true }).waitFor();
  await visit(page, payPath);
  await page.getByText('$1,484.10').first().waitFor();
  await close();
});

test('[FMT-03] the receipt by mail shows unit prices, subtotal and discount with cents', async () => {
  const { page, close } = await openPage(shop);
  const username = await openCartAsBuyer(shop, page);
  const { body } = await shop.api('GET', '/products/iphone-17-pro');
  await callAs(shop, page, 'POST', '/cart/add', { product_id: textAt(body, 'id'), quantity: 1 });
  await callAs(shop, page, 'POST', '/promocodes/apply', { code: 'WELCOME10' });
  await visit(page, '/cart');
  await payOrder(shop, await placeOrder(shop, page));
  await mine(shop, 6);
  const findReceipt = async () => {
    const mails = listAt((await shop.api('GET', `/dev/mail?to=${username}@example.com`)).body);
    return mails.find((mail) => textAt(mail, 'subject').startsWith('Receipt'));
  };
  await waitUntil(async () => (await findReceipt()) !== undefined);
  const mail = await findReceipt();
  for (const version of [textAt(mail, 'text'), textAt(mail, 'html')]) {
    for (const part of ['$999.00 each', '$1,099.00 each', 'Subtotal', '$2,098.00', '−$209.80', '$1,888.20']) {
      assert.ok(version.includes(part), part);
    }
  }
  await close();
});
