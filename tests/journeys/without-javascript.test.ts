import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { openPage } from '../support/browser.ts';
import { listAt, numberAt, textAt } from '../support/read-json.ts';
import { shareTestShop } from '../support/shared-shop.ts';
import type { TestShop } from '../support/shop.ts';
import { waitUntil } from '../support/wait-until.ts';

let shop: TestShop;
before(async () => {
  shop = await shareTestShop();
});

test('[CART-02] [CART-03] [CART-08] forms fill, change and empty a cart without JavaScript', async () => {
  const { page, context, close } = await openPage(shop, { javaScript: false });
  const lines = page.getByRole('main').getByRole('listitem').filter({ hasText: 'BTC' });
  const are = (count: number) => waitUntil(async () => (await lines.count()) === count);
  await page.goto('/catalog');
  assert.deepEqual(await context.cookies(), []);
  await page.getByRole('button', { name: 'Add iPhone Air to cart' }).first().click();
  await page.waitForURL('**/cart');
  const [cookie] = await context.cookies();
  assert.equal(cookie?.name, 'guest_user_id');
  assert.ok(cookie.httpOnly && cookie.sameSite === 'Lax');
  await are(1);

  await page.goto('/catalog/product/iphone-17-pro');
  await page.getByText('1TB').click();
  await page.getByRole('button', { name: 'Add to Cart', exact: true }).click();
  await page.waitForURL('**/cart');
  await are(2);
  const phone = lines.filter({ hasText: 'iPhone 17 Pro' });
  assert.match(await phone.innerText(), /1TB/);
  assert.match(await phone.innerText(), /\$1,499\.00/);

  await phone.getByRole('button', { name: 'Increase quantity' }).click();
  await phone.getByRole('group').getByText('2', { exact: true }).waitFor();
  await phone.getByRole('button', { name: 'Decrease quantity' }).click();
  await phone.getByRole('group').getByText('1', { exact: true }).waitFor();
  await phone.getByRole('button', { name: 'Decrease quantity' }).click();
  await are(1);
  await lines.getByRole('button', { name: 'Remove iPhone Air' }).click();
  await page.getByText('No items in cart').waitFor();
  await close();
});

async function send(fields: Readonly<Record<string, string>>, headers: Readonly<Record<string, string>> = {}) {
  return fetch(`${shop.url}/cart`, {
    method: 'POST',
    redirect: 'manual',
    headers,
    body: new URLSearchParams(fields),
  });
}

async function findProductId(): Promise<string> {
  const { body } = await shop.api('GET', '/products?limit=1');
  return textAt(listAt(body)[0], 'id');
}

test('[CART-08] forms redirect to the cart; forms of other sites are refused', async () => {
  const add = await findProductId();
  const { port } = new URL(shop.url);
  for (const origin of [`http://127.0.0.1:${port}`, `http://localhost:${port}`]) {
    const sent = await send({ add }, { origin, 'sec-fetch-site': 'same-origin' });
    assert.equal(sent.status, 303);
    assert.equal(sent.headers.get('location'), '/cart');
    assert.match(sent.headers.get('set-cookie') ?? '', /^guest_user_id=[\w-]{43}; .*HttpOnly; SameSite=Lax$/);
    assert.match(sent.headers.get('cache-control') ?? '', /no-store/);
  }
  const foreign: Readonly<Record<string, string>>[] = [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: `http://127.0.0.1:${Number(port) + 1}` },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'none', origin: 'https://evil.example' },
  ];
  for (const headers of foreign) {
    const sent = await send({ add }, headers);
    assert.equal(sent.status, 403, JSON.stringify(headers));
    assert.equal(sent.headers.get('set-cookie'), null);
  }
});

test('the cart page explains a refused form', async () => {
  const add = await findProductId();
  const first = await send({ add });
  const cookie = first.headers.get('set-cookie')?.split(';')[0] ?? '';
  const refused = await send({ product: add, quantity: '100' }, { cookie });
  assert.equal(refused.status, 400);
  assert.match(await refused.text(), /role="alert"/);
  assert.equal((await send({ add: '00000000-0000-7000-8000-000000000000' })).status, 404);
  assert.equal((await send({ add: "' or 1=1" })).status, 400);
  assert.equal((await send({ nothing: 'known' })).status, 303);
  const cart = await shop.api('GET', '/cart', { cookie });
  assert.deepEqual(
    listAt(cart.body, 'cart_items').map((line) => numberAt(line, 'quantity')),
    [1],
  );
});

const post = (type: string, body: string) =>
  fetch(`${shop.url}/cart`, { method: 'POST', headers: { 'content-type': type }, body });

test('refuses bodies that are not forms or too large', async () => {
  assert.ok([400, 415].includes((await post('multipart/form-data; boundary=x', '--x--')).status));
  assert.equal((await post('application/x-www-form-urlencoded', `a=${'x'.repeat(70_000)}`)).status, 413);
});
