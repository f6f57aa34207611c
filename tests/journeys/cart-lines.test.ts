/** Cart lines: prices, typed quantities, limits and Undo. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import type { Locator, Page } from '@playwright/test';
import { sql } from 'kysely';
import { assertAccessible } from '../support/axe.ts';
import { openPage } from '../support/browser.ts';
import { openCartAsBuyer, waitForCartLines, waitForEffects, visit } from '../support/buyer.ts';
import { listAt, numberAt, textAt } from '../support/read-json.ts';
import { startTestShop } from '../support/shop.ts';
import type { TestShop } from '../support/shop.ts';
import { runWithShopDatabase, setStock } from '../support/stock-stress.ts';
import { waitUntil } from '../support/wait-until.ts';

let shop: TestShop;
before(async () => {
  shop = await startTestShop();
});
after(() => shop.stop());

const NAMES = ['iPhone Air', 'AirPods Pro 3'] as const;

/** A guest on `/cart` with one of each product. */
async function openCartAsGuest(page: Page, names: readonly string[] = NAMES): Promise<void> {
  await visit(page, '/');
  for (const [index, name] of names.entries()) {
    await page
      .getByRole('button', { name: `Add ${name} to cart` })
      .first()
      .click();
    await waitForCartLines(page, index + 1);
  }
  await visit(page, '/cart');
}

const getLine = (page: Page, name: string): Locator =>
  page.getByRole('main').getByRole('listitem').filter({ hasText: name });
const getQuantityField = (page: Page, name: string): Locator =>
  page.getByRole('group', { name: `Quantity of ${name}` }).getByRole('textbox');
const undo = (page: Page, name: string): Locator => page.getByRole('button', { name: `Undo: restore ${name}` });
const remove = (page: Page, name: string) => page.getByRole('button', { name: `Remove ${name}`, exact: true }).click();

/** Quantities in the server's cart, by product. */
async function readQuantities(page: Page): Promise<Readonly<Record<string, number>>> {
  const cart: unknown = await (await page.request.get('/api/cart')).json();
  return Object.fromEntries(
    listAt(cart, 'cart_items').map((item) => [textAt(item, 'product', 'name'), numberAt(item, 'quantity')]),
  );
}
const waitForServerCart = (page: Page, expected: Readonly<Record<string, number>>) =>
  waitUntil(async () => isDeepStrictEqual(await readQuantities(page), expected));

test('[CART-10] [FMT-03] shows unit price, quantity and line total', async () => {
  const { page, close } = await openPage(shop, { width: 390, height: 844 });
  await openCartAsGuest(page);
  await getQuantityField(page, 'iPhone Air').fill('3');
  await getQuantityField(page, 'iPhone Air').press('Enter');
  const phone = getLine(page, 'iPhone Air');
  await phone.getByText('$2,997.00').waitFor();
  await phone.getByText('0.009000 BTC or $999.00 each').waitFor();
  await phone.getByText('0.027000 BTC').waitFor();
  await getLine(page, 'AirPods Pro 3').getByText('$249.00 each').waitFor();
  const totals = page.getByRole('complementary', { name: 'Cart Totals' });
  await totals.getByText('$3,246.00').first().waitFor();
  await assertAccessible(page);
  await close();
});

test('[CART-10] applies a typed quantity on Enter and blur', async () => {
  const { page, close } = await openPage(shop);
  await openCartAsGuest(page, ['iPhone Air']);
  const field = getQuantityField(page, 'iPhone Air');
  await field.focus();
  await page.keyboard.type('12');
  await page.keyboard.press('Enter');
  await waitForServerCart(page, { 'iPhone Air': 12 });
  assert.ok(await field.evaluate((element) => element === document.activeElement), 'the focus stays');
  await field.fill('99');
  await page.getByText('Maximum 99 per item').waitFor();
  await field.blur();
  await waitForServerCart(page, { 'iPhone Air': 99 });
  // Empty, zero and letters are invalid; Escape restores the value.
  for (const text of ['', '0', 'x']) {
    await field.fill(text);
    await field.blur();
    assert.equal(await field.inputValue(), '99', text);
  }
  await field.fill('5');
  await field.press('Escape');
  assert.equal(await field.inputValue(), '99');
  await page.reload();
  assert.equal(await field.inputValue(), '99');
  await close();
});

test('[CART-10] accepts a typed quantity without JavaScript', async () => {
  const { page, close } = await openPage(shop, { javaScript: false });
  await page.goto('/catalog/product/iphone-air');
  await page.getByRole('button', { name: 'Add to Cart', exact: true }).click();
  await page.waitForURL('**/cart');
  await getQuantityField(page, 'iPhone Air').fill('4');
  await getQuantityField(page, 'iPhone Air').press('Enter');
  await getLine(page, 'iPhone Air').getByText('$3,996.00').waitFor();
  assert.equal(await getQuantityField(page, 'iPhone Air').inputValue(), '4');
  await close();
});

test('[CART-10] shows and respects the stock limit', async () => {
  const { page, close } = await openPage(shop);
  const { body } = await shop.api('GET', '/products/iphone-air');
  await setStock(shop, textAt(body, 'id'), 20);
  await openCartAsGuest(page, ['iPhone Air']);
  const left = getLine(page, 'iPhone Air').getByText('Only 20 left');
  const field = getQuantityField(page, 'iPhone Air');
  assert.equal(await left.count(), 0, 'far away');
  await field.fill('15');
  await left.waitFor();
  await field.press('Enter');
  await waitForServerCart(page, { 'iPhone Air': 15 });
  await left.waitFor();
  await field.fill('50');
  await field.press('Enter');
  await waitForServerCart(page, { 'iPhone Air': 20 });
  assert.equal(await field.inputValue(), '20');
  assert.ok(await page.getByRole('button', { name: 'Increase quantity' }).isDisabled());
  assert.ok(await page.getByRole('button', { name: 'Continue to Checkout' }).isEnabled());
  await runWithShopDatabase(shop, (db) => sql`delete from variant_stock`.execute(db));
  await close();
});

test('[CART-10] restores a removed line with its quantity within 8 s', async () => {
  const { page, close } = await openPage(shop);
  await openCartAsGuest(page);
  await getQuantityField(page, 'iPhone Air').fill('3');
  await getQuantityField(page, 'iPhone Air').press('Enter');
  await waitForServerCart(page, { 'iPhone Air': 3, 'AirPods Pro 3': 1 });
  await remove(page, 'iPhone Air');
  await waitForServerCart(page, { 'AirPods Pro 3': 1 });
  // Another removed line has its own Undo, also when decreased below 1.
  const buds = page.getByRole('group', { name: 'Quantity of AirPods Pro 3' });
  await buds.getByRole('button', { name: 'Decrease quantity' }).click();
  await page.getByText('No items in cart').waitFor();
  await undo(page, 'AirPods Pro 3').waitFor();
  await undo(page, 'iPhone Air').click();
  await getLine(page, 'iPhone Air').waitFor();
  await waitForServerCart(page, { 'iPhone Air': 3 });
  await undo(page, 'iPhone Air').waitFor({ state: 'detached' });
  await undo(page, 'AirPods Pro 3').click();
  await waitForServerCart(page, { 'iPhone Air': 3, 'AirPods Pro 3': 1 });
  await close();
});

test('[CART-10] restores a line removed twice once', async () => {
  const { page, close } = await openPage(shop);
  await openCartAsGuest(page, ['iPhone Air']);
  await remove(page, 'iPhone Air');
  await undo(page, 'iPhone Air').click();
  await waitForServerCart(page, { 'iPhone Air': 1 });
  await remove(page, 'iPhone Air');
  assert.equal(await undo(page, 'iPhone Air').count(), 1);
  await undo(page, 'iPhone Air').click();
  await waitForServerCart(page, { 'iPhone Air': 1 });
  await close();
});

test('[CART-10] hides Undo after 8 s unless it is focused', async () => {
  const { page, close } = await openPage(shop);
  await openCartAsGuest(page);
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 20_000);
  await page.getByRole('button', { name: 'Remove AirPods Pro 3', exact: true }).focus();
  // A refused removal would take the offer back.
  const removed = page.waitForResponse(/\/cart\/remove$/);
  await page.keyboard.press('Enter');
  await undo(page, 'AirPods Pro 3').waitFor();
  assert.equal((await removed).status(), 200);
  // The focus is on the line beside the removed one, not on Undo.
  assert.equal(
    await page.evaluate(() => document.activeElement?.closest('li')?.textContent.includes('iPhone Air')),
    true,
  );
  await waitForEffects(page);
  await page.clock.runFor(7000);
  assert.equal(await undo(page, 'AirPods Pro 3').count(), 1);
  await undo(page, 'AirPods Pro 3').focus();
  await waitForEffects(page);
  await page.clock.runFor(20_000);
  assert.equal(await undo(page, 'AirPods Pro 3').count(), 1, 'while it has the focus');
  await getQuantityField(page, 'iPhone Air').focus();
  await waitForEffects(page);
  await page.clock.runFor(7900);
  assert.equal(await undo(page, 'AirPods Pro 3').count(), 1);
  await page.clock.runFor(200);
  await undo(page, 'AirPods Pro 3').waitFor({ state: 'detached' });
  await close();
});

test('[CART-10] reaches and presses Undo by keyboard', async () => {
  const { page, close } = await openPage(shop);
  await openCartAsGuest(page, ['iPhone Air']);
  await page.getByRole('button', { name: 'Remove iPhone Air', exact: true }).focus();
  await page.keyboard.press('Enter');
  await page.getByText('No items in cart').waitFor();
  await page.keyboard.press('Tab');
  await page.waitForFunction(() => document.activeElement?.textContent === 'Undo');
  await page.keyboard.press('Enter');
  await getLine(page, 'iPhone Air').waitFor();
  await waitForServerCart(page, { 'iPhone Air': 1 });
  await page.waitForFunction(() => document.activeElement?.id === 'step-title');
  await close();
});

test('[CART-10] [LAY-18] a quantity takes what is typed and says the maximum', async () => {
  const { page, close } = await openPage(shop);
  await openCartAsBuyer(shop, page);
  const quantity = page.getByRole('group', { name: 'Quantity of iPhone Air' }).getByRole('textbox');
  await quantity.click();
  await quantity.pressSequentially('150');
  assert.equal(await quantity.inputValue(), '150');
  assert.equal(await quantity.getAttribute('aria-invalid'), 'true');
  await page.getByText('Maximum 99 per item').waitFor();
  await quantity.press('Enter');
  assert.equal(await quantity.inputValue(), '99');
  await page.getByText('Maximum 99 per item').waitFor();
  await quantity.fill('2x');
  assert.equal(await quantity.inputValue(), '2x');
  await page.getByText('Enter a number from 1 to 99').waitFor();
  await quantity.press('Escape');
  assert.equal(await quantity.inputValue(), '99');
  await close();
});

test('[CART-03] [CART-10] removing lines logs nothing', async () => {
  const { page, close } = await openPage(shop);
  await openCartAsBuyer(shop, page);
  const logged: string[] = [];
  page.on('console', (message) => logged.push(message.text()));
  await page.getByRole('button', { name: 'Remove iPhone Air' }).click();
  await page.getByRole('button', { name: /^Undo/ }).click();
  await page.getByRole('button', { name: 'Decrease quantity' }).click();
  await page.getByText('No items in cart').waitFor();
  await waitForCartLines(page, 0);
  assert.deepEqual(logged, []);
  await close();
});
