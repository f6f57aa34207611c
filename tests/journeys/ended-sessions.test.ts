/** A session that ends while somebody types: what they typed stays for their account, and for nobody else. */
import '../support/built-pages.ts';
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Page } from '@playwright/test';
import { openPage } from '../support/browser.ts';
import { callAs, createBuyer, fillBilling, logIn, openCartAsBuyer, signIn, visit } from '../support/buyer.ts';
import { listAt, textAt } from '../support/read-json.ts';
import { shareTestShop } from '../support/shared-shop.ts';
import type { TestShop } from '../support/shop.ts';

const PASSWORD = 'correct horse';
const STREET = 'Elm Street';

let shop: TestShop;
before(async () => {
  shop = await shareTestShop();
});

/** Ends the sessions of the browser, which the page does not notice. */
async function endSessions(page: Page): Promise<void> {
  await callAs(shop, page, 'POST', '/users/logout');
  await page.context().clearCookies({ name: 'session' });
}

async function openBilling(page: Page): Promise<string> {
  const username = await openCartAsBuyer(shop, page);
  await goToBilling(page);
  await fillBilling(page);
  return username;
}

async function goToBilling(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Continue to Checkout' }).click();
  await page.getByRole('heading', { name: 'Billing Details' }).waitFor();
}

async function openTabOf(page: Page): Promise<Page> {
  const tab = await page.context().newPage();
  await tab.goto(new URL('/login', page.url()).href);
  return tab;
}

async function logOut(page: Page): Promise<void> {
  await page.goto(new URL('/dashboard', page.url()).href);
  await page.getByRole('button', { name: 'Log Out' }).click();
  await page.waitForURL('**/login');
}

async function fillCart(username: string): Promise<void> {
  const { body } = await shop.api('POST', '/users/login', { body: { username, password: PASSWORD } });
  const product = textAt((await shop.api('GET', '/products/iphone-air')).body, 'id');
  const line = { product_id: product, quantity: 1 };
  await shop.api('POST', '/cart/add', { token: textAt(body, 'tokens', 'accessToken'), body: line });
}

const getStreet = (page: Page): Promise<string> => page.locator('[name=streetAddress]').inputValue();

test('[BILL-05] billing details are there again after a login, if the session ended', async () => {
  const { page, close } = await openPage(shop, { expectedStatuses: [401] });
  const username = await openBilling(page);
  await endSessions(page);
  await page.getByRole('button', { name: 'Order with obligation to pay' }).click();
  await page.getByText('Your session has ended. Log in again to continue.').waitFor();
  await logIn(page, username);
  await page.getByRole('heading', { name: 'Billing Details' }).waitFor();
  await page.waitForFunction(
    (street) => document.querySelector<HTMLInputElement>('[name=streetAddress]')?.value === street,
    STREET,
  );
  await page.getByRole('button', { name: 'Order with obligation to pay' }).click();
  await page.getByRole('heading', { name: 'Complete your order' }).waitFor();
  await close();
});

test('[BILL-05] [ACC-08] another account never sees billing details, also without a reload', async () => {
  const { page, close } = await openPage(shop, { expectedStatuses: [401] });
  const other = await createBuyer(shop);
  await fillCart(other);
  await openBilling(page);
  const second = await openTabOf(page);
  await logOut(second);
  await page.getByText('No items in cart').waitFor();
  // The page's own script stays.
  await page.getByRole('link', { name: 'Login' }).click();
  await logIn(page, other);
  await page.waitForURL('**/dashboard');
  await page.getByRole('link', { name: 'Cart' }).first().click();
  await goToBilling(page);
  assert.equal(await getStreet(page), '');
  await second.close();
  await close();
});

test('[TKT-03] a message that was not sent because the session ended stays', async () => {
  const { page, close } = await openPage(shop, { expectedStatuses: [401] });
  const username = await createBuyer(shop);
  await signIn(shop, page, username);
  const body = { title: 'Where is my parcel?', theme: 'Delivery', description: 'It was due yesterday.' };
  const id = textAt(await callAs(shop, page, 'POST', '/tickets/create', body), 'id');
  await visit(page, `/dashboard/tickets/${id}`);
  await page.getByRole('textbox', { name: 'Message' }).fill('Nobody was here.');
  await endSessions(page);
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await page.getByText('Not sent. Log in again.').waitFor();
  const second = await openTabOf(page);
  await logIn(second, username);
  await second.waitForURL('**/dashboard');
  await page.getByRole('button', { name: 'Send again' }).click();
  await page.getByText('Not sent. Log in again.').waitFor({ state: 'detached' });
  await page.getByText('Sending…').waitFor({ state: 'detached' });
  const messages = listAt(await callAs(shop, second, 'GET', `/tickets/${id}/messages`));
  assert.deepEqual(
    messages.map((message) => textAt(message, 'message')),
    ['Nobody was here.'],
  );
  await second.close();
  await close();
});

test('[ACC-15] a form sent after a logout in another tab is sent again after a login there', async () => {
  const { page, close } = await openPage(shop, { expectedStatuses: [401] });
  const username = await createBuyer(shop);
  await signIn(shop, page, username);
  await visit(page, '/dashboard/tickets/create');
  await page.getByLabel('Enter Title').fill('Broken screen');
  await page.getByLabel('Theme').fill('Repair');
  await page.getByLabel('Description').fill('It fell.');
  const second = await openTabOf(page);
  await logOut(second);
  const create = page.getByRole('button', { name: 'Create ticket' });
  await create.click();
  await page.getByText('You are logged out. Log in in another tab, then try again.').waitFor();
  await logIn(second, username);
  await second.waitForURL('**/dashboard');
  await create.click();
  await page.waitForURL('**/dashboard/tickets?ticket=*');
  await page.getByText('It fell.').waitFor();
  await second.close();
  await close();
});
