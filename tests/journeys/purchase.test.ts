import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { assertAccessible } from '../support/axe.ts';
import { openPage } from '../support/browser.ts';
import {
  openCartAsBuyer,
  callAs,
  createBuyer,
  fillBilling,
  logIn,
  pollNow,
  createName,
  getOpenOrderId,
  register,
  visit,
} from '../support/buyer.ts';
import { numberAt, textAt } from '../support/read-json.ts';
import { shareTestShop } from '../support/shared-shop.ts';
import type { TestShop } from '../support/shop.ts';

let shop: TestShop;
before(async () => {
  shop = await shareTestShop();
});

test('[CART-01] [CART-07] [BILL-03] [PAY-01] [PAY-05] a guest registers during checkout and pays', async () => {
  const { page, close } = await openPage(shop, { width: 1440 });
  const username = createName();
  await visit(page, '/');
  await page.getByRole('link', { name: 'iPhone Air', exact: true }).first().click();
  await page.waitForURL('**/catalog/product/iphone-air');
  await page.getByRole('button', { name: 'Add to Cart', exact: true }).click();
  await page.getByRole('group', { name: /^Quantity/ }).waitFor();

  await page.getByRole('banner').getByRole('link', { name: 'Cart, has items' }).click();
  await page.getByRole('heading', { name: 'Order Details' }).waitFor();
  assert.deepEqual(
    await page
      .getByRole('main')
      .getByRole('listitem')
      .filter({ hasText: /^\d/ })
      .allInnerTexts()
      .then((texts) => texts.map((text) => text.replace(/^\d\s*/, ''))),
    ['Order Details', 'Billing Details', 'Complete order'],
  );
  await page.getByRole('heading', { name: 'Cart Totals' }).waitFor();
  await page.getByRole('button', { name: 'Continue to Checkout' }).click();

  await page.waitForURL('**/login?**');
  await page
    .getByRole('main')
    .getByRole('link', { name: /regist|create/i })
    .first()
    .click();
  await page.waitForURL('**/registration**');
  await Promise.all([
    page.getByText('Registration successful! Please log in to access your existing cart items.').waitFor(),
    register(page, username),
  ]);
  await page.waitForURL('**/login**');
  await Promise.all([
    page.getByText('Your cart has been preserved and is now available in your account').waitFor(),
    logIn(page, username),
  ]);

  await page.waitForURL(({ pathname }) => pathname === '/cart');
  await page.getByRole('heading', { name: 'Billing Details' }).waitFor();
  await fillBilling(page);
  await page.getByRole('button', { name: 'Order with obligation to pay' }).click();

  await page.getByRole('heading', { name: 'Complete your order' }).waitFor();
  await page.getByText('Awaiting payment').waitFor();
  await assertAccessible(page);
  const orderId = await getOpenOrderId(shop, page);
  const paid = await shop.api('POST', '/dev/pay', { body: { order_id: orderId } });
  assert.equal(paid.status, 200);
  await pollNow(page);
  await page.getByText(textAt(paid.body, 'txid')).waitFor();
  await Promise.all([
    page.getByText('Payment confirmed!').waitFor(),
    shop.api('POST', '/dev/mine', { body: { blocks: 2 } }).then(() => pollNow(page)),
  ]);
  await page.getByRole('heading', { name: 'Order paid.' }).waitFor();
  await page.getByText('Paid', { exact: true }).waitFor();
  await page.reload();
  await page.locator('html[data-ready]').waitFor();
  await page.getByRole('heading', { name: 'Order paid.' }).waitFor();
  await assertAccessible(page);
  await close();
});

test('[CART-05] [BILL-03] orders the cart with changes made just before', async () => {
  const { page, close } = await openPage(shop);
  await openCartAsBuyer(shop, page);
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/api/cart/update', (route) => released.then(() => route.continue()));
  await page.getByRole('button', { name: 'Increase quantity' }).click();
  await page.getByRole('button', { name: 'Continue to Checkout' }).click();
  await fillBilling(page);
  await page.getByRole('button', { name: 'Order with obligation to pay' }).click();
  await page.locator('button[aria-busy]', { hasText: 'Order with obligation to pay' }).waitFor();
  release();
  await page.getByRole('heading', { name: 'Complete your order' }).waitFor();
  const order = await callAs(shop, page, 'GET', '/orders');
  assert.equal(numberAt(order, 'order', 'order_items', 0, 'quantity'), 2);
  await close();
});

test('[BILL-01] [BILL-02] billing marks missing fields and lists countries by region', async () => {
  const { page, close } = await openPage(shop);
  await openCartAsBuyer(shop, page);
  await page.getByRole('button', { name: 'Continue to Checkout' }).click();
  const submit = page.getByRole('button', { name: 'Order with obligation to pay' });
  const firstName = page.getByLabel('First name');
  assert.ok(await submit.isDisabled());
  assert.equal(await firstName.getAttribute('aria-invalid'), null);
  await firstName.fill('A');
  await firstName.fill('   ');
  assert.equal(await firstName.getAttribute('aria-invalid'), 'true');
  const region = page.getByLabel('Region');
  assert.deepEqual((await region.getByRole('option').allInnerTexts()).slice(1), [
    'Europe',
    'North America',
    'South America',
    'Asia',
    'Africa',
    'Oceania',
    'Middle East',
  ]);
  await region.selectOption('Oceania');
  const country = page.getByLabel('Country');
  await country.selectOption({ label: 'New Zealand' });
  await region.selectOption('Europe');
  assert.equal(await country.inputValue(), '');
  assert.equal(await country.getByRole('option', { name: 'New Zealand' }).count(), 0);
  await fillBilling(page);
  assert.ok(await submit.isEnabled());
  await assertAccessible(page);
  await page.getByRole('button', { name: 'Back' }).click();
  await page.getByRole('heading', { name: 'Order Details' }).waitFor();
  await close();
});

test('[BILL-05] [ACC-08] the next user of a tab does not see the address typed before', async () => {
  const { page, close } = await openPage(shop, { width: 1440 });
  const next = await createBuyer(shop);
  const login = await shop.api('POST', '/users/login', { body: { username: next, password: 'correct horse' } });
  const token = textAt(login.body, 'tokens', 'accessToken');
  const product_id = textAt((await shop.api('GET', '/products/airtag')).body, 'id');
  await shop.api('POST', '/cart/add', { token, body: { product_id, quantity: 1 } });

  await openCartAsBuyer(shop, page);
  await page.getByRole('button', { name: 'Continue to Checkout' }).click();
  await fillBilling(page);
  // Without a reload, so that scripts keep their memory.
  await page.getByRole('banner').getByRole('link', { name: 'Back to cart' }).click();
  await page.getByRole('banner').getByRole('link', { name: 'Profile' }).click();
  await page.getByRole('button', { name: 'Log Out' }).click();
  await page.waitForURL('**/login**');
  await logIn(page, next);
  await page.waitForURL('**/dashboard');
  await page.getByRole('banner').getByRole('link', { name: 'Cart, has items' }).click();
  await page.getByRole('button', { name: 'Continue to Checkout' }).click();
  assert.equal(await page.getByLabel('First name').inputValue(), '');
  await close();
});

test('[BILL-02] [BILL-04] [BILL-06] a browser can fill in billing, and nonsense is refused', async () => {
  const { page, close } = await openPage(shop);
  await openCartAsBuyer(shop, page);
  await page.getByRole('button', { name: 'Continue to Checkout' }).click();
  const field = (label: string) => page.getByLabel(label, { exact: true });
  const isMarked = async (label: string) => (await field(label).getAttribute('aria-invalid')) === 'true';
  const submit = page.getByRole('button', { name: 'Order with obligation to pay' });
  assert.deepEqual(
    await page.locator('main form :is(input, select)[name]').evaluateAll((all) =>
      all.flatMap((one) => {
        const token = one.getAttribute('autocomplete');
        return token === 'off' ? [] : [`${one.getAttribute('name')} ${token}`];
      }),
    ),
    [
      'firstName given-name',
      'lastName family-name',
      'country country',
      'streetAddress address-line1',
      'city address-level2',
      'postcode postal-code',
      'phone tel',
    ],
  );
  // As a browser does: the country before the region, by its code.
  await field('Country').selectOption('HK');
  assert.equal(await field('Region').inputValue(), 'Asia');
  assert.equal(await field('Postcode').inputValue(), '-');
  assert.ok(await field('Postcode').evaluate((input: HTMLInputElement) => input.readOnly));
  await page.getByText('Hong Kong has no postcodes, so it is -.').waitFor();
  for (const label of ['First name', 'Last name', 'Street address', 'City']) await field(label).fill('Wong');
  await page.getByRole('checkbox', { name: 'No house number' }).check();
  assert.equal(await field('House number').inputValue(), '-');
  assert.ok(await submit.isEnabled());
  await page.getByRole('checkbox', { name: 'No house number' }).uncheck();
  assert.equal(await field('House number').inputValue(), '');
  await field('House number').fill('7');

  await field('Region').selectOption('Europe');
  await field('Country').selectOption('DE');
  assert.equal(await field('Postcode').inputValue(), '');
  for (const text of ['-', 'abc', 'W8 4QG', '1011']) {
    await field('Postcode').fill(text);
    assert.ok(await isMarked('Postcode'), text);
    assert.ok(await submit.isDisabled());
  }
  await field('Postcode').fill('１０１１５');
  assert.equal(await isMarked('Postcode'), false);
  await field('Phone (optional)').fill('abc');
  assert.ok(await isMarked('Phone (optional)'));
  assert.ok(await submit.isDisabled());
  await field('Phone (optional)').fill('+49 30 123456');
  await field('City').fill('x'.repeat(101));
  await page.getByText('Maximum 100 characters. Remove 1.').waitFor();
  assert.ok(await submit.isDisabled());
  await field('City').fill('Berlin');
  assert.ok(await submit.isEnabled());
  await assertAccessible(page);
  await close();
});
