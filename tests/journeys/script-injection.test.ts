/** Customer texts are escaped in pages and mails. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from '@playwright/test';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { openPage } from '../support/browser.ts';
import { callAs, createBuyer, signIn, visit } from '../support/buyer.ts';
import { injectionPayloads } from '../support/injection-payloads.ts';
import { listAt, textAt } from '../support/read-json.ts';
import { startTestShop } from '../support/shop.ts';
import type { TestShop } from '../support/shop.ts';
import { runWithShopDatabase } from '../support/stock-stress.ts';
import { BILLING } from '../support/stress-buyer.ts';
import { waitUntil } from '../support/wait-until.ts';

const BILLING_TEXTS = ['firstName', 'lastName', 'streetAddress', 'houseNumber', 'city', 'postcode', 'phone', 'note'];

let shop: TestShop;
let staff: string;
let product: string;
before(async () => {
  shop = await startTestShop();
  const account = { username: 'staff', password: 'crypto-market' };
  staff = textAt((await shop.api('POST', '/users/login', { body: account })).body, 'tokens', 'accessToken');
  product = textAt((await shop.api('GET', '/products/iphone-air')).body, 'id');
});
after(() => shop.stop());

/** A new customer, signed in. */
async function signInAsCustomer(page: Page): Promise<void> {
  await signIn(shop, page, await createBuyer(shop));
}

/** No script ran, here or in a frame, and no element was created from a text. */
async function assertTextOnly(page: Page, shown: readonly string[]): Promise<void> {
  for (const frame of page.frames())
    assert.equal(await frame.evaluate(() => 'hacked' in globalThis), false, frame.url());
  const strange = 'x-fragment, base, iframe, object, math, [onload], [onerror], [ontoggle], [onfocus], [onmouseover]';
  assert.equal(await page.locator(`main :is(${strange})`).count(), 0);
  assert.equal(await page.locator('a[href^="javascript:" i]').count(), 0);
  const text = removeSpaces(await page.locator('main').evaluate((main) => main.textContent));
  for (const one of shown) assert.ok(text.includes(removeSpaces(one)), `${one} is not shown as written`);
}
const removeSpaces = (text: string): string => text.replaceAll(/\s+/g, '');

test('[API-00] tickets and messages are escaped for customers and staff', async () => {
  const { page, close } = await openPage(shop);
  await signInAsCustomer(page);
  let last = '';
  for (let at = 0; at < injectionPayloads.length; at += 3) {
    const [title = 'x', theme = 'x', description = 'x'] = injectionPayloads.slice(at, at + 3);
    const ticket = { title: title.slice(0, 120), theme: theme.slice(0, 80), description };
    last = textAt(await callAs(shop, page, 'POST', '/tickets/create', ticket), 'id');
    if (at + 3 < injectionPayloads.length) await shop.api('POST', `/support/tickets/${last}/close`, { token: staff });
  }
  for (const [index, message] of injectionPayloads.entries()) {
    const body = { ticket_id: last, message };
    if (index % 2 === 0) await callAs(shop, page, 'POST', '/tickets/messages', body);
    else await shop.api('POST', '/tickets/messages', { token: staff, body });
  }
  const titles = injectionPayloads.filter((_, at) => at % 3 === 0).map((title) => title.slice(0, 120));
  await visit(page, '/dashboard/tickets');
  await page
    .getByText(titles.at(-1) ?? '', { exact: true })
    .first()
    .waitFor();
  await assertTextOnly(page, titles);
  await visit(page, `/dashboard/tickets/${last}`);
  await page
    .getByRole('log')
    .getByText(injectionPayloads.at(-1) ?? '', { exact: true })
    .waitFor();
  await assertTextOnly(page, injectionPayloads);
  await close();

  const support = await openPage(shop);
  await signIn(shop, support.page, 'staff', 'crypto-market');
  await visit(support.page, `/dashboard/tickets/${last}`);
  await support.page
    .getByRole('log')
    .getByText(injectionPayloads.at(-1) ?? '', { exact: true })
    .waitFor();
  await assertTextOnly(support.page, injectionPayloads);
  await support.close();
});

test('[API-00] names and addresses are escaped on pages and in mails', async () => {
  const { page, close } = await openPage(shop);
  await signInAsCustomer(page);
  for (let at = 0; at < injectionPayloads.length; at += BILLING_TEXTS.length) {
    const texts = BILLING_TEXTS.map(
      (field, offset) => [field, (injectionPayloads[at + offset] ?? 'x').slice(0, 98)] as const,
    );
    const lost = texts.filter(([field]) => field !== 'phone').map(([, text]) => text);
    await callAs(shop, page, 'POST', '/cart/add', { product_id: product, quantity: 1 });
    const { postcode = '', ...others } = Object.fromEntries(texts);
    // A country without postcodes takes any text with a letter or digit.
    const place = { region: 'Asia', country: 'HK', postcode: `${postcode} 1`, phone: '+852 5550 0199' };
    const billing = { ...BILLING, ...others, ...place };
    const order = textAt(await callAs(shop, page, 'POST', '/cart/checkout', billing), 'order', 'id');
    await visit(page, `/dashboard/orders/${order}`);
    await assertTextOnly(page, lost.filter((text) => text !== 'x').slice(0, 2));
    await callAs(shop, page, 'POST', `/orders/${order}/cancel`);
  }
  await visit(page, '/dashboard/orders');
  await assertTextOnly(page, []);
  await close();
});

test('[API-00] an old username is escaped', async () => {
  const { page, close } = await openPage(shop);
  await signInAsCustomer(page);
  const id = textAt(await callAs(shop, page, 'GET', '/users/user'), 'id');
  for (const name of new Set(injectionPayloads.slice(0, 50).map((text) => text.slice(0, 60).trim()))) {
    await runWithShopDatabase(shop, (db) => sql`update users set username = ${name} where id = ${id}`.execute(db));
    await page.goto('/dashboard');
    await page.getByRole('heading', { level: 1, name: 'Hello' }).waitFor();
    await assertTextOnly(page, [`Hello, ${name}!`]);
  }
  await visit(page, '/dashboard/settings');
  await assertTextOnly(page, []);
  await close();
});

test('[API-00] reviews are escaped', async () => {
  await runWithShopDatabase(shop, async (db) => {
    for (const [index, text] of injectionPayloads.entries()) {
      await sql`insert into reviews (id, product_id, name, text, rating, is_approved, created_at)
        values (${uuidv7()}, ${product}, ${text.slice(0, 80)}, ${text}, 5, ${index > 0}, now())`.execute(db);
    }
  });
  const { body } = await shop.api('GET', '/support/reviews?state=waiting', { token: staff });
  const waiting = textAt(listAt(body, 'reviews')[0], 'id');
  assert.equal((await shop.api('POST', `/support/reviews/${waiting}/approve`, { token: staff })).status, 200);
  const { page, close } = await openPage(shop);
  await visit(page, '/catalog/product/iphone-air');
  await assertTextOnly(page, injectionPayloads);
  await close();
  const without = await openPage(shop, { javaScript: false });
  await without.page.goto('/catalog/product/iphone-air');
  assert.equal(await without.page.locator('main :is(iframe, object, base, x-fragment)').count(), 0);
  await without.close();
});

test('[PAGE-02] contact messages are escaped in mails to staff', async () => {
  for (const text of injectionPayloads) {
    const body = { firstName: text.slice(0, 60), lastName: text.slice(0, 60), email: 'a@b.example', message: text };
    assert.equal((await shop.api('POST', '/contact', { body })).status, 201, text);
  }
  // They are sent one after the other, asynchronously.
  const listMails = async () => listAt((await shop.api('GET', '/dev/mail?to=support@shop.example')).body);
  await waitUntil(async () => (await listMails()).length >= injectionPayloads.length);
  const { page, close } = await openPage(shop);
  await visit(page, '/dev/mail?to=support@shop.example');
  await page.getByText('a@b.example').first().waitFor();
  for (const frame of page.frames()) assert.equal(await frame.evaluate(() => 'hacked' in globalThis), false);
  await close();
});
