/** What became of a line since it was put in the cart, and how much of it there may be. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from '@playwright/test';
import { sql } from 'kysely';
import { assertAccessible } from '../support/axe.ts';
import { openPage } from '../support/browser.ts';
import { buyerAtCart, callAs, waitForCartLines, fillBilling, visit } from '../support/buyer.ts';
import { listAt, textAt } from '../support/read-json.ts';
import { startTestShop } from '../support/shop.ts';
import type { TestShop } from '../support/shop.ts';
import { withShopDatabase, setStock } from '../support/stock-stress.ts';

let shop: TestShop;
before(async () => {
  shop = await startTestShop();
});
after(() => shop.stop());

const idOf = async (slug: string): Promise<string> => textAt((await shop.api('GET', `/products/${slug}`)).body, 'id');
const unlimited = (id: string) =>
  withShopDatabase(shop, (db) => sql`delete from product_stock where product_id = ${id}`.execute(db));
const line = (page: Page, name: string) => page.getByRole('main').getByRole('listitem').filter({ hasText: name });
const goOn = (page: Page) => page.getByRole('button', { name: 'Continue to Checkout' });

test('[CART-09] sold out, and fewer left than asked for, are said on the line before the order; one press mends each', async () => {
  const { page, close } = await openPage(shop);
  await buyerAtCart(shop, page);
  const [phone, buds] = [await idOf('iphone-air'), await idOf('airpods-pro-3')];
  await callAs(shop, page, 'POST', '/cart/add', { product_id: buds, quantity: 5 });
  await setStock(shop, phone, 0);
  await setStock(shop, buds, 3);
  await visit(page, '/cart');
  const gone = line(page, 'iPhone Air');
  await gone.getByText('Sold out. Remove it to continue.').waitFor();
  assert.equal(await gone.getByRole('group').count(), 0, 'no quantity to choose');
  await line(page, 'AirPods Pro 3').getByText('Only 3 left. Take fewer to continue.').waitFor();
  assert.ok(await goOn(page).isDisabled());
  await page.getByText('2 items above can’t be ordered as they are', { exact: false }).waitFor();
  await assertAccessible(page);
  await page.getByRole('button', { name: 'Take 3' }).click();
  await page.getByText('Take fewer to continue', { exact: false }).waitFor({ state: 'detached' });
  assert.equal(await page.getByRole('group', { name: 'Quantity of AirPods Pro 3' }).innerText(), '3');
  await page.getByRole('button', { name: 'Remove iPhone Air' }).click();
  await page.getByText('can’t be ordered', { exact: false }).waitFor({ state: 'detached' });
  assert.ok(await goOn(page).isEnabled());
  await Promise.all([unlimited(phone), unlimited(buds)]);
  await close();
});

test('[CART-09] another price is said with the old one, and going on takes it', async () => {
  const { page, close } = await openPage(shop);
  await buyerAtCart(shop, page);
  await withShopDatabase(shop, (db) => sql`update cart_lines set seen_cents = 89900`.execute(db));
  await visit(page, '/cart');
  await line(page, 'iPhone Air').getByText('The price has gone up: it was $899.00 when you put it in.').waitFor();
  await goOn(page).click();
  await page.getByRole('heading', { name: 'Billing Details' }).waitFor();
  await fillBilling(page);
  await page.getByRole('button', { name: 'Continue to payment' }).click();
  await page.getByRole('heading', { name: 'Complete your order' }).waitFor();
  await close();
});

test('[CART-09] [BILL-03] what is sold out between the cart and the order is told in place, with a way back', async () => {
  const { page, problems, context } = await openPage(shop, { expectedStatuses: [409] });
  await buyerAtCart(shop, page);
  const phone = await idOf('iphone-air');
  await goOn(page).click();
  await fillBilling(page);
  await setStock(shop, phone, 0);
  await page.getByRole('button', { name: 'Continue to payment' }).click();
  await page.getByRole('alert').filter({ hasText: 'sold out' }).waitFor();
  assert.equal(await page.getByLabel('City').inputValue(), 'London', 'what was written stays');
  await page.getByRole('button', { name: 'Review cart' }).click();
  await line(page, 'iPhone Air').getByText('Sold out. Remove it to continue.').waitFor();
  await unlimited(phone);
  assert.deepEqual(
    problems().filter((one) => !one.includes('the checkout failed')),
    [],
  );
  await context.close();
});

test('[CART-09] what is not sold any more stands without a price and can be removed', async () => {
  const { page, close } = await openPage(shop, { width: 390, height: 844 });
  await buyerAtCart(shop, page);
  await withShopDatabase(shop, (db) =>
    sql`update products set is_published = false where slug = 'iphone-air'`.execute(db),
  );
  await shop.restart();
  await visit(page, '/cart');
  const gone = line(page, 'iPhone Air');
  await gone.getByText('Not sold any more. Remove it to continue.').waitFor();
  assert.equal(await gone.getByText('BTC', { exact: false }).count(), 0);
  assert.equal(await gone.getByRole('link').count(), 0, 'it leads nowhere');
  assert.ok(await goOn(page).isDisabled());
  await assertAccessible(page);
  await page.getByRole('button', { name: 'Remove iPhone Air' }).click();
  await page.getByText('No items in cart').waitFor();
  // Nothing is asked for while the shop is away.
  await page.goto('about:blank');
  await withShopDatabase(shop, (db) =>
    sql`update products set is_published = true where slug = 'iphone-air'`.execute(db),
  );
  await shop.restart();
  await close();
});

test('99 of a line and 50 lines are the most, and whoever wants more is told so', async () => {
  const { page, problems, context } = await openPage(shop, { expectedStatuses: [400] });
  await buyerAtCart(shop, page);
  await callAs(shop, page, 'PUT', '/cart/update', { product_id: await idOf('iphone-air'), quantity: 99 });
  await visit(page, '/cart');
  await page.getByText('Maximum 99 per item').waitFor();
  assert.ok(await page.getByRole('button', { name: 'Increase quantity' }).isDisabled());

  const { body } = await shop.api('GET', '/products?limit=60');
  const others = listAt(body)
    .map((product) => ({ id: textAt(product, 'id'), slug: textAt(product, 'slug') }))
    .filter(({ slug }) => slug !== 'iphone-air');
  assert.ok(others.length >= 50, 'the demo catalogue is large enough');
  const last = others[49];
  for (const { id } of others.slice(0, 49)) {
    await callAs(shop, page, 'POST', '/cart/add', { product_id: id, quantity: 1 });
  }
  await visit(page, `/catalog/product/${last?.slug}`);
  await waitForCartLines(page, 50);
  await page.getByRole('button', { name: 'Add to Cart', exact: true }).click();
  await page.getByText('At most 50 different items can be in the cart').waitFor();
  await page.getByRole('button', { name: 'Add to Cart', exact: true }).waitFor();
  assert.deepEqual(
    problems().filter((one) => !one.includes('the cart was not changed')),
    [],
  );
  await context.close();
});
