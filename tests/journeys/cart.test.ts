import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { openPage } from '../support/browser.ts';
import { waitForCartLines, logIn, createBuyer, visit } from '../support/buyer.ts';
import { shareTestShop } from '../support/shared-shop.ts';
import type { TestShop } from '../support/shop.ts';

let shop: TestShop;
before(async () => {
  shop = await shareTestShop();
});

test('[CART-08] [ACC-11] merges the guest cart into the account at login once', async () => {
  const username = await createBuyer(shop);
  const { page, context, close } = await openPage(shop, { width: 390, height: 844 });
  await visit(page, '/');
  assert.deepEqual(
    (await context.cookies()).map(({ name }) => name),
    [],
    'a page sets no cookie',
  );
  await page.getByRole('button', { name: 'Add iPhone Air to cart' }).first().click();
  await page.getByRole('button', { name: 'Remove iPhone Air from cart' }).first().waitFor();
  await waitForCartLines(page, 1);
  const guest = (await context.cookies()).find(({ name }) => name === 'guest_user_id');
  assert.ok(guest?.httpOnly);
  assert.equal(guest.sameSite, 'Lax');
  assert.ok(guest.value.length >= 43, 'at least 256 bits');

  await visit(page, '/login');
  await logIn(page, username);
  await page.getByText('Your cart has been preserved and is now available in your account').waitFor();
  await page.waitForURL('**/dashboard');
  await visit(page, '/cart');
  await page.getByRole('link', { name: 'iPhone Air', exact: true }).waitFor();
  assert.equal(await page.getByRole('button', { name: 'Remove iPhone Air' }).count(), 1);
  assert.equal(await page.getByRole('group', { name: 'Quantity of iPhone Air' }).innerText(), '1');
  assert.equal(
    (await context.cookies()).some(({ name }) => name === 'guest_user_id'),
    false,
  );
  await close();
});

test('[CART-02] [CART-03] [CART-05] updates lines optimistically and removes below 1', async () => {
  const { page, close } = await openPage(shop);
  await visit(page, '/cart');
  await page.getByText('No items in cart').waitFor();
  assert.ok(await page.getByRole('button', { name: 'Continue to Checkout' }).isDisabled());

  await visit(page, '/');
  for (const name of ['iPhone Air', 'AirPods Pro 3']) {
    const add = page.getByRole('button', { name: `Add ${name} to cart` }).first();
    await add.click();
    await page
      .getByRole('button', { name: `Remove ${name} from cart` })
      .first()
      .waitFor();
  }
  await waitForCartLines(page, 2);
  await visit(page, '/cart');
  const quantity = page.getByRole('group', { name: 'Quantity of iPhone Air' });
  await quantity.getByRole('button', { name: 'Increase quantity' }).click();
  await page.getByText('$2,247.00').first().waitFor();
  assert.equal(await quantity.innerText(), '2');
  await page.getByText('Shipping', { exact: true }).waitFor();
  await quantity.getByRole('button', { name: 'Decrease quantity' }).click();
  await page.getByText('$1,248.00').first().waitFor();
  await quantity.getByRole('button', { name: 'Decrease quantity' }).click();
  await quantity.waitFor({ state: 'detached' });
  await page.getByText('$249.00').first().waitFor();
  await page.getByRole('button', { name: 'Remove AirPods Pro 3' }).click();
  await page.getByText('No items in cart').waitFor();
  await close();
});

test('[CART-05] reverts a failed change without a message', async () => {
  const { page, context } = await openPage(shop, { expectedStatuses: [503] });
  await visit(page, '/');
  await page.getByRole('button', { name: 'Add iPhone Air to cart' }).first().click();
  await waitForCartLines(page, 1);
  await visit(page, '/cart');
  const quantity = page.getByRole('group', { name: 'Quantity of iPhone Air' });
  await quantity.waitFor();
  await page.route('**/api/cart/update', (route) =>
    route.fulfill({ status: 503, json: { error: { code: 'x', message: 'x' } } }),
  );
  const response = page.waitForResponse('**/api/cart/update');
  await quantity.getByRole('button', { name: 'Increase quantity' }).click();
  await response;
  await page.waitForFunction(
    () => document.querySelector('fieldset[aria-label="Quantity of iPhone Air"] span')?.textContent === '1',
  );
  assert.equal(await page.getByRole('alert').count(), 0);
  await context.close();
});
