/** Changes to a product since it was added to the cart, and quantity limits. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from '@playwright/test';
import { sql } from 'kysely';
import { removeProductStock } from '../support/add-variants.ts';
import { assertAccessible } from '../support/axe.ts';
import { openPage } from '../support/browser.ts';
import { openCartAsBuyer, callAs, waitForCartLines, fillBilling, visit } from '../support/buyer.ts';
import { listAt, textAt } from '../support/read-json.ts';
import { startTestShop } from '../support/shop.ts';
import type { TestShop } from '../support/shop.ts';
import { runWithShopDatabase, setStock } from '../support/stock-stress.ts';

let shop: TestShop;
before(async () => {
  shop = await startTestShop();
});
after(() => shop.stop());

const readId = async (slug: string): Promise<string> => textAt((await shop.api('GET', `/products/${slug}`)).body, 'id');
const removeStockLimit = (id: string) => runWithShopDatabase(shop, (db) => removeProductStock(db, id));
const getLine = (page: Page, name: string) => page.getByRole('main').getByRole('listitem').filter({ hasText: name });
const continueButton = (page: Page) => page.getByRole('button', { name: 'Continue to Checkout' });

test('[CART-09] shows and fixes lines that are short or sold out', async () => {
  const { page, close } = await openPage(shop);
  await openCartAsBuyer(shop, page);
  const [phone, buds] = [await readId('iphone-air'), await readId('airpods-pro-3')];
  await callAs(shop, page, 'POST', '/cart/add', { product_id: buds, quantity: 5 });
  await setStock(shop, phone, 0);
  await setStock(shop, buds, 3);
  await visit(page, '/cart');
  const soldOut = getLine(page, 'iPhone Air');
  await soldOut.getByText('Sold out. Remove it to continue.').waitFor();
  assert.equal(await soldOut.getByRole('group').count(), 0, 'no quantity to choose');
  await getLine(page, 'AirPods Pro 3').getByText('Only 3 left. Reduce the quantity to continue.').waitFor();
  assert.ok(await continueButton(page).isDisabled());
  await page.getByText('2 items can’t be ordered. Change or remove them to continue.', { exact: false }).waitFor();
  await assertAccessible(page);
  await page.getByRole('button', { name: 'Reduce to 3' }).click();
  await page.getByText('Reduce the quantity to continue', { exact: false }).waitFor({ state: 'detached' });
  assert.equal(await page.getByRole('group', { name: 'Quantity of AirPods Pro 3' }).innerText(), '3');
  await page.getByRole('button', { name: 'Remove iPhone Air' }).click();
  await page.getByText('can’t be ordered', { exact: false }).waitFor({ state: 'detached' });
  assert.ok(await continueButton(page).isEnabled());
  await Promise.all([removeStockLimit(phone), removeStockLimit(buds)]);
  await close();
});

test('[CART-09] shows a changed price and accepts it on continue', async () => {
  const { page, close } = await openPage(shop);
  await openCartAsBuyer(shop, page);
  await runWithShopDatabase(shop, (db) => sql`update cart_lines set seen_cents = 89900`.execute(db));
  await visit(page, '/cart');
  await getLine(page, 'iPhone Air').getByText('The price increased: it was $899.00 when you added it.').waitFor();
  await continueButton(page).click();
  await page.getByRole('heading', { name: 'Billing Details' }).waitFor();
  await fillBilling(page);
  await page.getByRole('button', { name: 'Order with obligation to pay' }).click();
  await page.getByRole('heading', { name: 'Complete your order' }).waitFor();
  await close();
});

test('[CART-09] [BILL-03] shows sold-out items at checkout, with a link to the cart', async () => {
  const { page, getProblems, context } = await openPage(shop, { expectedStatuses: [409] });
  await openCartAsBuyer(shop, page);
  const phone = await readId('iphone-air');
  await continueButton(page).click();
  await fillBilling(page);
  await setStock(shop, phone, 0);
  await page.getByRole('button', { name: 'Order with obligation to pay' }).click();
  await page.getByRole('alert').filter({ hasText: 'sold out' }).waitFor();
  assert.equal(await page.getByLabel('City').inputValue(), 'London', 'the input stays');
  await page.getByRole('button', { name: 'Review cart' }).click();
  await getLine(page, 'iPhone Air').getByText('Sold out. Remove it to continue.').waitFor();
  await removeStockLimit(phone);
  assert.deepEqual(
    getProblems().filter((problem) => !problem.includes('the checkout failed')),
    [],
  );
  await context.close();
});

test('[CART-09] lists an unavailable product without a price, removable', async () => {
  const { page, close } = await openPage(shop, { width: 390, height: 844 });
  await openCartAsBuyer(shop, page);
  await runWithShopDatabase(shop, (db) =>
    sql`update products set is_published = false where slug = 'iphone-air'`.execute(db),
  );
  await shop.restart();
  await visit(page, '/cart');
  const withdrawn = getLine(page, 'iPhone Air');
  await withdrawn.getByText('No longer available. Remove it to continue.').waitFor();
  assert.equal(await withdrawn.getByText('BTC', { exact: false }).count(), 0);
  assert.equal(await withdrawn.getByRole('link').count(), 0, 'it is not a link');
  assert.ok(await continueButton(page).isDisabled());
  await assertAccessible(page);
  await page.getByRole('button', { name: 'Remove iPhone Air' }).click();
  await page.getByText('No items in cart').waitFor();
  // The page makes no calls while the shop is stopped.
  await page.goto('about:blank');
  await runWithShopDatabase(shop, (db) =>
    sql`update products set is_published = true where slug = 'iphone-air'`.execute(db),
  );
  await shop.restart();
  await close();
});

test('limits a line to 99 items and a cart to 50 lines', async () => {
  const { page, close } = await openPage(shop, { expectedStatuses: [400] });
  await openCartAsBuyer(shop, page);
  await callAs(shop, page, 'PUT', '/cart/update', { product_id: await readId('iphone-air'), quantity: 99 });
  await visit(page, '/cart');
  await page.getByText('Maximum 99 per item').waitFor();
  assert.ok(await page.getByRole('button', { name: 'Increase quantity' }).isDisabled());

  const { body } = await shop.api('GET', '/products?limit=60');
  const otherProducts = listAt(body)
    .map((product) => ({ id: textAt(product, 'id'), slug: textAt(product, 'slug') }))
    .filter(({ slug }) => slug !== 'iphone-air');
  assert.ok(otherProducts.length >= 50, 'the demo catalogue is large enough');
  const last = otherProducts[49];
  for (const { id } of otherProducts.slice(0, 49)) {
    await callAs(shop, page, 'POST', '/cart/add', { product_id: id, quantity: 1 });
  }
  await visit(page, `/catalog/product/${last?.slug}`);
  await waitForCartLines(page, 50);
  await page.getByRole('button', { name: 'Add to Cart', exact: true }).click();
  await page.getByText('Maximum 50 different items per cart').waitFor();
  await page.getByRole('button', { name: 'Add to Cart', exact: true }).waitFor();
  await close();
});
