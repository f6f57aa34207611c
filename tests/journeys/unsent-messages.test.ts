/** Unsent messages to support wait for the connection, for their author only. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Page } from '@playwright/test';
import { openPage } from '../support/browser.ts';
import type { JourneyPage } from '../support/browser.ts';
import { callAs, logIn, createBuyer, visit } from '../support/buyer.ts';
import { listAt, textAt } from '../support/read-json.ts';
import { shareTestShop } from '../support/shared-shop.ts';
import type { TestShop } from '../support/shop.ts';

const TICKET = { title: 'Where is my parcel?', theme: 'Delivery', description: 'It was due yesterday.' };

let shop: TestShop;
before(async () => {
  shop = await shareTestShop();
});

async function signIn(page: Page, username: string): Promise<void> {
  await visit(page, '/login');
  await logIn(page, username);
  await page.waitForURL('**/dashboard');
}
const createTicket = async (page: Page): Promise<string> =>
  textAt(await callAs(shop, page, 'POST', '/tickets/create', TICKET), 'id');
const getMessages = (page: Page) => page.getByRole('log', { name: 'Messages' });
async function say(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Message' }).fill(text);
  await page.getByRole('button', { name: 'Send', exact: true }).click();
}
const listStoredKeys = (page: Page): Promise<string[]> =>
  page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('unsent_message_')));
const listStoredTexts = async (page: Page, ticketId: string): Promise<string[]> =>
  listAt(await callAs(shop, page, 'GET', `/tickets/${ticketId}/messages`)).map((row) => textAt(row, 'message'));

/** Only the failure to send may be logged. */
async function closeAfterFailure({ getProblems, context }: JourneyPage): Promise<void> {
  const otherProblems = getProblems().filter(
    (line) =>
      !/Sending a message failed|ERR_FAILED|ERR_INTERNET|WebSocket|Loading messages failed|was not loaded/i.test(line),
  );
  assert.deepEqual(otherProblems, []);
  await context.close();
}

test('[TKT-03] sends unsent messages again when the connection returns', async () => {
  const opened = await openPage(shop);
  const { page, context } = opened;
  await signIn(page, await createBuyer(shop));
  const id = await createTicket(page);
  await visit(page, `/dashboard/tickets/${id}`);
  await context.setOffline(true);
  await say(page, 'first');
  await say(page, 'second');
  await getMessages(page).getByText('We’ll send it when you’re back online').last().waitFor();
  assert.equal((await listStoredKeys(page)).length, 2);
  await context.setOffline(false);
  await getMessages(page).getByRole('alert').first().waitFor({ state: 'detached' });
  await getMessages(page).getByText('Sending…').first().waitFor({ state: 'detached' });
  await page.waitForFunction(() => !Object.keys(localStorage).some((key) => key.startsWith('unsent_message_')));
  assert.deepEqual(await listStoredTexts(page, id), ['first', 'second']);
  await closeAfterFailure(opened);
});

test('[TKT-03] keeps unsent messages through a reload and sends each once', async () => {
  const opened = await openPage(shop);
  const { page } = opened;
  await signIn(page, await createBuyer(shop));
  const id = await createTicket(page);
  await visit(page, `/dashboard/tickets?ticket=${id}`);
  await page.route('**/api/tickets/messages', (route) => route.abort());
  await say(page, 'Are you there?');
  await getMessages(page).getByText('Not sent', { exact: false }).waitFor();
  await page.reload();
  await getMessages(page).getByText('Are you there?').waitFor();
  await getMessages(page).getByText('Not sent', { exact: false }).waitFor();
  await page.unroute('**/api/tickets/messages');
  await page.evaluate(() => window.dispatchEvent(new Event('online')));
  await getMessages(page).getByRole('alert').waitFor({ state: 'detached' });
  await getMessages(page).getByText('Sending…').waitFor({ state: 'detached' });
  assert.deepEqual(await listStoredTexts(page, id), ['Are you there?']);
  await page.reload();
  await getMessages(page).getByText('Are you there?').waitFor();
  assert.equal(await getMessages(page).getByRole('listitem').filter({ hasText: 'Are you there?' }).count(), 1);
  assert.deepEqual(await listStoredKeys(page), []);
  await closeAfterFailure(opened);
});

test('[ACC-08] removes unsent messages at logout', async () => {
  const opened = await openPage(shop);
  const { page } = opened;
  await signIn(page, await createBuyer(shop));
  const id = await createTicket(page);
  await visit(page, `/dashboard/tickets/${id}`);
  await page.route('**/api/tickets/messages', (route) => route.abort());
  await say(page, 'My secret');
  await getMessages(page).getByText('Not sent', { exact: false }).waitFor();
  assert.equal((await listStoredKeys(page)).length, 1);
  await page.getByRole('navigation', { name: 'Cart and account' }).getByRole('link', { name: 'Profile' }).click();
  await page.getByRole('button', { name: 'Log Out' }).click();
  await page.waitForURL('**/login');
  assert.deepEqual(await listStoredKeys(page), []);
  await closeAfterFailure(opened);
});

test('[TKT-03] shows and sends no unsent message of another account', async () => {
  const { page, close } = await openPage(shop);
  await signIn(page, await createBuyer(shop));
  const id = await createTicket(page);
  await page.evaluate((ticketId) => {
    const left = {
      userId: 'somebody-else',
      clientId: 'c',
      ticketId,
      text: 'My secret',
      at: '2026-01-01T00:00:00.000Z',
    };
    localStorage.setItem('unsent_message_c', JSON.stringify({ ...left, behind: null }));
  }, id);
  await visit(page, `/dashboard/tickets/${id}`);
  await page.waitForFunction(() => localStorage.getItem('unsent_message_c') === null);
  assert.equal(await page.getByText('My secret').count(), 0);
  assert.deepEqual(await listStoredTexts(page, id), []);
  await close();
});

test('[TKT-01] opens a created ticket on its own page on phones', async () => {
  const { page, close } = await openPage(shop, { width: 390, height: 844 });
  await signIn(page, await createBuyer(shop));
  await visit(page, '/dashboard/tickets/create');
  await page.getByLabel('Enter Title').fill(TICKET.title);
  await page.getByLabel('Theme').fill(TICKET.theme);
  await page.getByLabel('Description').fill(TICKET.description);
  await page.getByRole('button', { name: 'Create ticket' }).click();
  await page.waitForURL(/\/dashboard\/tickets\/[\da-f-]{36}$/);
  await page.getByRole('heading', { level: 1, name: TICKET.title }).waitFor();
  await page.getByRole('textbox', { name: 'Message' }).waitFor();
  const request = page.getByText('Your request');
  await request.click();
  assert.equal(await page.getByText(TICKET.description).isVisible(), false);
  // The marker of a disclosure.
  assert.notEqual(await request.evaluate((summary) => getComputedStyle(summary, '::after').content), 'none');
  await close();
});
