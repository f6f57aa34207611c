/** Actions of a buyer on the pages, for journeys. */
import type { Page } from '@playwright/test';
import { textAt } from './read-json.ts';
import type { TestShop } from './shop.ts';

type ReachableShop = Pick<TestShop, 'url' | 'api'>;

const PASSWORD = 'correct horse';
let people = 0;
export const createName = (): string => `buyer${Date.now()}${(people += 1)}`;

/** Opens a page and waits for hydration. */
export async function visit(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await page.locator('html[data-ready]').waitFor();
}

/** Waits until the server has stored this many lines. */
export async function waitForCartLines(page: Page, lines: number): Promise<void> {
  await page.waitForFunction((mark) => localStorage.getItem('cart_mark')?.startsWith(mark), `${lines}@`);
}

/** An account created over the API. */
export async function createBuyer(shop: ReachableShop): Promise<string> {
  const username = createName();
  await shop.api('POST', '/users/register', {
    body: { username, email: `${username}@example.com`, password: PASSWORD },
  });
  return username;
}

/** Waits for the heading, since the old page is still rendered just after the URL changed. */
const isOn = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor();

export async function register(page: Page, username: string): Promise<void> {
  await isOn(page, 'Register account');
  await page.getByLabel('Username').fill(username);
  await page.getByLabel('Email').fill(`${username}@example.com`);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Register' }).click();
}

export async function logIn(page: Page, username: string, password = PASSWORD): Promise<void> {
  await isOn(page, 'Login');
  await page.getByLabel('Username').fill(username);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('main').getByRole('button', { name: 'Login' }).click();
}

export async function fillBilling(page: Page): Promise<void> {
  await page.getByLabel('First name').fill('Ada');
  await page.getByLabel('Last name').fill('Lovelace');
  await page.getByLabel('Region').selectOption('Europe');
  await page.getByLabel('Country').selectOption({ label: 'United Kingdom' });
  await page.getByLabel('Street address').fill('Elm Street');
  await page.getByLabel('House number', { exact: true }).fill('45');
  await page.getByLabel('City').fill('London');
  await page.getByLabel('Postcode').fill('W8 4QG');
}

/**
 * Signs in over the API, with the same cookie and token as the login page sets. The page is at
 * /robots.txt afterwards.
 */
export async function signIn(shop: ReachableShop, page: Page, username: string, password = PASSWORD): Promise<void> {
  const { status, headers, body } = await shop.api('POST', '/users/login', {
    // The cookie is set for browser requests only.
    headers: { 'sec-fetch-site': 'same-origin' },
    body: { username, password },
  });
  if (status !== 200) throw new Error(`the login returned ${status}: ${JSON.stringify(body)}`);
  const cookies = headers.getSetCookie().map((line) => {
    const [name = '', value = ''] = (line.split(';')[0] ?? '').split('=');
    return { name, value, url: shop.url, httpOnly: true, sameSite: 'Lax' as const };
  });
  await page.context().addCookies(cookies);
  const token = textAt(body, 'tokens', 'accessToken');
  await page.goto('/robots.txt');
  await page.evaluate((text) => localStorage.setItem('apple_user_token', text), token);
}

/** Opens `/cart` as a signed-in buyer with one product in the cart. */
export async function openCartAsBuyer(shop: ReachableShop, page: Page): Promise<string> {
  const username = await createBuyer(shop);
  await signIn(shop, page, username);
  const product = textAt((await shop.api('GET', '/products/iphone-air')).body, 'id');
  await callAs(shop, page, 'POST', '/cart/add', { product_id: product, quantity: 1 });
  await visit(page, '/cart');
  await waitForCartLines(page, 1);
  return username;
}

/** Billing data that `fillBilling` enters. */
const BILLING = {
  firstName: 'Ada',
  lastName: 'Lovelace',
  region: 'Europe',
  country: 'GB',
  streetAddress: 'Elm Street',
  houseNumber: '45',
  city: 'London',
  postcode: 'W8 4QG',
};

/** Goes from `/cart` to the payment step by client-side navigation. */
export async function placeOrderOnPage(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Continue to Checkout' }).click();
  await fillBilling(page);
  await page.getByRole('button', { name: 'Order with obligation to pay' }).click();
  await page.getByRole('heading', { name: 'Complete your order' }).waitFor();
}

/** Orders the visitor's cart over the API and opens the payment step. */
export async function placeOrder(shop: ReachableShop, page: Page): Promise<string> {
  const order = await callAs(shop, page, 'POST', '/cart/checkout', BILLING);
  await visit(page, '/cart');
  await page.getByRole('heading', { name: 'Complete your order' }).waitFor();
  return textAt(order, 'order', 'id');
}

/** An API call with the visitor's session. */
export async function callAs(
  shop: ReachableShop,
  page: Page,
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  body?: unknown,
): Promise<unknown> {
  const token = await page.evaluate(() => localStorage.getItem('apple_user_token'));
  const cookies = await page.context().cookies();
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
  const response = await shop.api(method, path, {
    ...(token === null ? {} : { token }),
    cookie,
    ...(body === undefined ? {} : { body }),
  });
  if (response.status >= 400) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(response.body)}`);
  return response.body;
}

export const getOpenOrderId = async (shop: ReachableShop, page: Page): Promise<string> =>
  textAt(await callAs(shop, page, 'GET', '/orders'), 'order', 'id');

/** The payment link of the open order. */
export const getPayPath = async (shop: ReachableShop, page: Page): Promise<string> =>
  textAt(await callAs(shop, page, 'GET', `/orders/${await getOpenOrderId(shop, page)}/timeline`), 'pay_path');

/** Devchain actions and the shop's clock. */
export const payOrder = async (shop: ReachableShop, orderId: string, amountBtc?: number): Promise<string> => {
  const body = { order_id: orderId, ...(amountBtc === undefined ? {} : { amount_btc: amountBtc }) };
  return textAt((await shop.api('POST', '/dev/pay', { body })).body, 'txid');
};
export const mine = async (shop: ReachableShop, blocks: number): Promise<void> =>
  void (await shop.api('POST', '/dev/mine', { body: { blocks } }));
export const moveClock = async (shop: ReachableShop, seconds: number): Promise<void> =>
  void (await shop.api('POST', '/dev/clock', { body: { offset_s: seconds } }));

/** Polls immediately instead of after half a minute. */
export const pollNow = (page: Page): Promise<void> =>
  page.evaluate(() => void document.dispatchEvent(new Event('visibilitychange')));

/** Waits for React effects, such as starting a timer; works while the page's clock is stopped. */
export const waitForEffects = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    for (let turn = 0; turn < 3; turn += 1) {
      await new Promise((done) => {
        const { port1, port2 } = new MessageChannel();
        port1.addEventListener('message', done, { once: true });
        port1.start();
        port2.postMessage(null);
      });
    }
  });
