/**
 * Tickets in browsers: creation, conversation of both sides, lost connections and a restart of the
 * shop.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from '@playwright/test';
import { sql } from 'kysely';
import { openPage } from '../support/browser.ts';
import { callAs, createBuyer, visit } from '../support/buyer.ts';
import { listAt } from '../support/read-json.ts';
import { startTestShop } from '../support/shop.ts';
import type { TestShop } from '../support/shop.ts';
import { runWithShopDatabase } from '../support/stock-stress.ts';
import { waitUntil } from '../support/wait-until.ts';
import { TICKET, TicketCalls } from '../support/ticket-calls.ts';
import { resize } from '../support/pages/frames.ts';

let shop: TestShop;
let tickets: TicketCalls;
before(async () => {
  shop = await startTestShop();
  tickets = await TicketCalls.open(shop);
});
after(() => shop.stop());

async function say(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Message' }).fill(text);
  await page.getByRole('button', { name: 'Send', exact: true }).click();
}
const getMessages = (page: Page) => page.getByRole('log', { name: 'Messages' });
/** Message texts from top to bottom. */
const readMessages = (page: Page): Promise<string[]> =>
  getMessages(page)
    .locator('li p:nth-child(2)')
    .evaluateAll((texts) => texts.map((text) => text.textContent));

test('[TKT-01] validates the form, creates tickets, refuses a third', async () => {
  const { page, close } = await openPage(shop, { expectedStatuses: [409] });
  await page.goto('/dashboard/tickets/create');
  await page.waitForURL('**/login?to=%2Fdashboard%2Ftickets%2Fcreate');
  await tickets.signInAt(page);
  await visit(page, '/dashboard/tickets/create');
  await page.getByRole('button', { name: 'Create ticket' }).click();
  for (const words of ['Title is required', 'Theme is required', 'Description is required']) {
    await page.getByText(words, { exact: true }).waitFor();
  }
  await waitUntil(() => page.getByLabel('Enter Title').evaluate((input) => input === document.activeElement));
  assert.equal(await page.getByLabel('Description').getAttribute('rows'), '5');
  await page.getByLabel('Enter Title').fill('Where is it?');
  await page.getByText('Title is required').waitFor({ state: 'detached' });
  for (let count = 0; count < 2; count += 1) {
    await visit(page, '/dashboard/tickets/create');
    await page.getByLabel('Enter Title').fill(`Question ${count}`);
    await page.getByLabel('Theme').fill('Delivery');
    await page.getByLabel('Description').fill('Where is it?');
    await page.getByRole('button', { name: 'Create ticket' }).click();
    await page.waitForURL('**/dashboard/tickets?ticket=*');
    await page.getByRole('link', { name: new RegExp(`Question ${count}`) }).waitFor();
    await page.getByRole('heading', { level: 2, name: `Question ${count}` }).waitFor();
  }
  await page.getByRole('link', { name: 'Create ticket' }).click();
  await page.getByLabel('Enter Title').fill('One more');
  await page.getByLabel('Theme').fill('Delivery');
  await page.getByLabel('Description').fill('Where is it?');
  await page.getByRole('button', { name: 'Create ticket' }).click();
  await page.getByRole('alert').getByText("You can't create more than 2 open tickets", { exact: true }).waitFor();
  assert.equal(await page.getByLabel('Enter Title').inputValue(), 'One more');
  await page.getByRole('link', { name: 'Cancel' }).click();
  await page.waitForURL('**/dashboard');
  await close();
});

test('[TKT-02] [TKT-04] shows messages beside the list or on own page', async () => {
  const { page, close } = await openPage(shop);
  await tickets.signInAt(page);
  await visit(page, '/dashboard/tickets');
  await page.getByText('You have no tickets.').waitFor();
  const id = await tickets.create(page);
  const second = await tickets.create(page, { ...TICKET, title: 'Another question' });
  await visit(page, '/dashboard/tickets');
  await page.getByText('Select a ticket to view messages', { exact: true }).waitFor();
  const first = page.getByRole('link', { name: /Where is my parcel\?/ });
  assert.match(await first.innerText(), /\d{1,2} \w{3} \d{4}\s+Open$/);
  await first.click();
  await page.waitForURL(`**/dashboard/tickets?ticket=${id}`);
  await page.getByText('No messages yet', { exact: true }).waitFor();
  await page.getByRole('heading', { level: 2, name: TICKET.title }).waitFor();
  // A message in the other ticket is marked unread until it is opened.
  await tickets.reply(second, 'We have seen it');
  const otherTicket = page.getByRole('link', { name: /Another question/ });
  await otherTicket.getByText('1 unread message').waitFor();
  await otherTicket.click();
  await getMessages(page).getByText('We have seen it').waitFor();
  await otherTicket.getByText('unread message').waitFor({ state: 'detached' });
  await page.waitForFunction(async () => {
    const headers = { authorization: `Bearer ${localStorage.getItem('apple_user_token')}` };
    const unread: unknown = await (await fetch('/api/tickets/unread', { headers })).json();
    return JSON.stringify(unread) === '{"count":0,"tickets":[]}';
  });
  await tickets.work(second, 'in-progress');
  await page.reload();
  await otherTicket.getByText('In Progress', { exact: true }).waitFor();
  await tickets.work(second, 'close');
  await otherTicket.getByText('Closed', { exact: true }).waitFor();

  await resize(page, 991, 800);
  await visit(page, '/dashboard/tickets');
  assert.equal(await page.getByText('Select a ticket to view messages').isVisible(), false);
  await page.getByRole('link', { name: /Where is my parcel\?/ }).click();
  await page.waitForURL(`**/dashboard/tickets/${id}`);
  await page.getByRole('heading', { level: 1, name: TICKET.title }).waitFor();
  await page.getByRole('link', { name: 'Back to Tickets' }).click();
  await page.waitForURL('**/dashboard/tickets');
  for (const missing of ['019a0000-0000-7000-8000-000000000000', 'x']) {
    await page.goto(`/dashboard/tickets/${missing}`);
    await page.waitForURL('**/dashboard/tickets');
  }
  await close();
});

test('[TKT-03] shows sender, time and links; scrolls; ignores blank text', async () => {
  const { page, close } = await openPage(shop, { width: 1280, height: 700 });
  await tickets.signInAt(page);
  const id = await tickets.create(page);
  for (let index = 0; index < 30; index += 1) await tickets.reply(id, `Line ${index}`);
  const hostile =
    '<img src=x onerror=alert(1)> javascript:alert(1) https://carrier.example/t?a=1&b="2" www.example.com';
  await tickets.reply(id, hostile);
  await visit(page, `/dashboard/tickets/${id}`);
  const last = getMessages(page).getByRole('listitem').last();
  assert.match(await last.innerText(), /^Support \d\d:\d\d\s/);
  assert.equal((await readMessages(page)).at(-1), hostile);
  assert.equal(await getMessages(page).getByRole('link').count(), 1);
  const link = getMessages(page).getByRole('link');
  assert.equal(await link.getAttribute('href'), 'https://carrier.example/t?a=1&b=');
  assert.match((await link.getAttribute('rel')) ?? '', /noopener/);
  const isInView = (): Promise<boolean> =>
    getMessages(page).evaluate((log) => {
      const end = log.querySelector('li:last-child')?.getBoundingClientRect();
      return end !== undefined && end.bottom <= log.getBoundingClientRect().bottom + 1 && end.bottom <= innerHeight + 1;
    });
  await waitUntil(isInView);
  await page.getByRole('textbox', { name: 'Message' }).fill('  \n ');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  assert.equal((await readMessages(page)).length, 31);
  await page.getByRole('textbox', { name: 'Message' }).fill('One line');
  await page.keyboard.press('Shift+Enter');
  await page.keyboard.type('and another');
  await page.keyboard.press('Enter');
  await getMessages(page).getByText('and another').waitFor();
  await waitUntil(async () => (await last.innerText()).startsWith('You '));
  await getMessages(page).evaluate((log) => log.scrollTo({ top: 0 }));
  await tickets.reply(id, 'The newest');
  await getMessages(page).getByText('The newest').waitFor();
  await waitUntil(isInView);
  await close();
});

test('[TKT-03] keeps the end visible when an earlier message arrives late', async () => {
  const { page, close } = await openPage(shop, { width: 1280, height: 700 });
  const held: (() => void)[] = [];
  let isHeld = false;
  await page.routeWebSocket(/.*/, (browserSide) => {
    const shopSide = browserSide.connectToServer();
    shopSide.onMessage((message) => {
      if (isHeld) held.push(() => browserSide.send(message));
      else browserSide.send(message);
    });
  });
  await tickets.signInAt(page);
  const id = await tickets.create(page);
  for (let index = 0; index < 20; index += 1) await tickets.reply(id, `Line ${index}`);
  await visit(page, `/dashboard/tickets/${id}`);
  await say(page, 'Hello?');
  await getMessages(page).getByText('Sending…').waitFor({ state: 'detached' });
  isHeld = true;
  await tickets.reply(id, 'An answer of several lines\n\n\n\n\nthat was stored first');
  await say(page, 'Sent after it');
  await getMessages(page).getByText('Sending…').waitFor({ state: 'detached' });
  isHeld = false;
  for (const release of held) release();
  await getMessages(page).getByText('stored first').waitFor();
  assert.equal((await readMessages(page)).at(-1), 'Sent after it');
  await waitUntil(() =>
    getMessages(page).evaluate((log) => {
      const end = log.querySelector('li:last-child')?.getBoundingClientRect();
      return end !== undefined && end.bottom <= log.getBoundingClientRect().bottom + 1;
    }),
  );
  await close();
});

test('[TKT-03] keeps an unsent message and stores it once on retry', async () => {
  const { page, context, getProblems } = await openPage(shop);
  await tickets.signInAt(page);
  const id = await tickets.create(page);
  await visit(page, `/dashboard/tickets?ticket=${id}`);
  let isCut = true;
  await page.route('**/api/tickets/messages', (route) => (isCut ? route.abort('connectionreset') : route.continue()));
  await say(page, 'Are you there?');
  const failed = getMessages(page).getByRole('alert');
  await failed.getByText('Not sent. We’ll send it when you’re back online.').waitFor();
  isCut = false;
  await failed.getByRole('button', { name: 'Send again' }).click();
  await getMessages(page).getByText('Sending…').waitFor({ state: 'detached' });
  await failed.waitFor({ state: 'detached' });
  assert.deepEqual(await readMessages(page), ['Are you there?']);
  // The message is stored but the response is lost: nothing must be sent again.
  const lost = Promise.withResolvers<void>();
  await page.route('**/api/tickets/messages', async (route) => {
    await route.fetch();
    await route.abort('connectionreset');
    lost.resolve();
  });
  await say(page, 'And now?');
  await lost.promise;
  await getMessages(page).getByText('Sending…').waitFor({ state: 'detached' });
  await failed.waitFor({ state: 'detached' });
  assert.deepEqual(await readMessages(page), ['Are you there?', 'And now?']);
  const stored = await callAs(shop, page, 'GET', `/tickets/${id}/messages`);
  assert.equal(listAt(stored).length, 2);
  await page.reload();
  await getMessages(page).getByText('Are you there?').waitFor();
  assert.ok(
    getProblems().every((line) => /connection_reset|did not respond|CONNECTION_RESET/i.test(line)),
    String(getProblems()),
  );
  await context.close();
});

test('[TKT-05] [WS-02] delivers chat and typing through a restart until closing', async () => {
  // A starting shop returns 503.
  const options = { expectedStatuses: [503] };
  const [customer, support] = [await openPage(shop, options), await openPage(shop, options)];
  const [page, desk] = [customer.page, support.page];
  await tickets.signInAt(page);
  const helper = await createBuyer(shop);
  await runWithShopDatabase(shop, (db) =>
    sql`update users set role = 'support' where username = ${helper}`.execute(db),
  );
  await tickets.signInAt(desk, helper);
  const id = await tickets.create(page);
  await visit(page, `/dashboard/tickets?ticket=${id}`);
  await visit(desk, `/dashboard/tickets/${id}`);
  await say(page, 'one');
  await getMessages(desk).getByText('one', { exact: true }).waitFor();
  // Types repeatedly until the other side is connected and receives it.
  let typed = '';
  await waitUntil(async () => {
    await desk.getByRole('textbox', { name: 'Message' }).fill((typed += 't'));
    return page.getByText('Support is typing', { exact: true }).isVisible();
  });
  await say(desk, 'two');
  await getMessages(page).getByText('two', { exact: true }).waitFor();
  await page.getByText('Support is typing', { exact: true }).waitFor({ state: 'detached' });
  assert.match(await getMessages(page).getByRole('listitem').last().innerText(), /^Support /);
  assert.match(await getMessages(desk).getByRole('listitem').last().innerText(), /^You /);

  await shop.restart();
  // Sent while one side may still be reconnecting.
  await tickets.reply(id, 'three');
  await say(page, 'four');
  for (const side of [page, desk]) await getMessages(side).getByText('four', { exact: true }).waitFor();
  await say(desk, 'five');
  await getMessages(page).getByText('five', { exact: true }).waitFor();
  await shop.restart();
  await tickets.reply(id, 'six');
  for (const side of [page, desk]) {
    await getMessages(side).getByText('six', { exact: true }).waitFor();
    assert.deepEqual(await readMessages(side), ['one', 'two', 'three', 'four', 'five', 'six']);
  }
  await tickets.work(id, 'close');
  for (const side of [page, desk]) {
    await side.getByText('This ticket is closed.', { exact: false }).waitFor();
    assert.equal(await side.getByRole('textbox', { name: 'Message' }).count(), 0);
  }
  // Connection errors are expected, others are not.
  for (const client of [customer, support]) {
    const otherProblems = client
      .getProblems()
      .filter(
        (line) =>
          !/WebSocket|ERR_CONNECTION|ERR_EMPTY_RESPONSE|did not respond|Loading messages failed|not be loaded|revalidation failed/.test(
            line,
          ),
      );
    assert.deepEqual(otherProblems, []);
    await client.context.close();
  }
});
