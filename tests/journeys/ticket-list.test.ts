/** The list of tickets follows what support does, with and without a live connection. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { WebSocketRoute } from '@playwright/test';
import { openPage } from '../support/browser.ts';
import { visit } from '../support/buyer.ts';
import { startTestShop } from '../support/shop.ts';
import type { TestShop } from '../support/shop.ts';
import { TICKET, TicketCalls } from '../support/ticket-calls.ts';
import { waitUntil } from '../support/wait-until.ts';
import { waitForFrames } from '../support/pages/frames.ts';

let shop: TestShop;
let tickets: TicketCalls;
before(async () => {
  shop = await startTestShop();
  tickets = await TicketCalls.open(shop);
});
after(() => shop.stop());

test('[TKT-04] marks messages that arrive before or between connections', async () => {
  const { page, close } = await openPage(shop);
  await tickets.signInAt(page);
  const [first, second] = [
    await tickets.create(page),
    await tickets.create(page, { ...TICKET, title: 'Another question' }),
  ];
  let held = Promise.withResolvers<void>();
  const connections: WebSocketRoute[] = [];
  await page.routeWebSocket('**/api/wss', async (socket) => {
    await held.promise;
    connections.push(socket);
    socket.connectToServer();
  });
  await visit(page, '/dashboard/tickets');
  await tickets.reply(first, 'We look for it');
  held.resolve();
  const parcel = page.getByRole('link', { name: /Where is my parcel\?/ });
  await parcel.getByText('1 unread message').waitFor();

  held = Promise.withResolvers<void>();
  await connections[0]?.close();
  await tickets.reply(first, 'We have found it');
  await tickets.work(second, 'close');
  held.resolve();
  await parcel.getByText('2 unread messages').waitFor();
  await page
    .getByRole('link', { name: /Another question/ })
    .getByText('Closed', { exact: true })
    .waitFor();
  await close();
});

test('[TKT-04] keeps the list current without a live connection', async () => {
  const { page, close } = await openPage(shop);
  await tickets.signInAt(page);
  const [first, second] = [
    await tickets.create(page),
    await tickets.create(page, { ...TICKET, title: 'Another question' }),
  ];
  await page.routeWebSocket('**/api/wss', (socket) => socket.close());
  await page.clock.install();
  await visit(page, '/dashboard/tickets');
  await tickets.reply(first, 'We look for it');
  await tickets.work(second, 'close');
  await page.clock.runFor(10_000);
  await page
    .getByRole('link', { name: /Where is my parcel\?/ })
    .getByText('1 unread message')
    .waitFor();
  await page
    .getByRole('link', { name: /Another question/ })
    .getByText('Closed', { exact: true })
    .waitFor();
  await close();
});

test('[TKT-05] a ticket that staff reopen opens again in the list and on its page', async () => {
  const { page, close } = await openPage(shop);
  await tickets.signInAt(page);
  const id = await tickets.create(page);
  await tickets.work(id, 'close');
  await visit(page, '/dashboard/tickets');
  const parcel = page.getByRole('link', { name: /Where is my parcel\?/ });
  await parcel.getByText('Closed', { exact: true }).waitFor();
  await tickets.work(id, 'reopen');
  await parcel.getByText('In Progress', { exact: true }).waitFor();
  await tickets.reply(id, 'One more thing');
  await parcel.getByText('1 unread message').waitFor();
  await parcel.click();
  await page.getByRole('log', { name: 'Messages' }).getByText('One more thing').waitFor();
  for (const path of [`/dashboard/tickets?ticket=${id}`, `/dashboard/tickets/${id}`]) {
    await tickets.work(id, 'close');
    await visit(page, path);
    await page.getByText('This ticket is closed.', { exact: false }).waitFor();
    await tickets.work(id, 'reopen');
    await page.getByRole('textbox', { name: 'Message' }).waitFor();
    await tickets.reply(id, `Written for ${path}`);
    await page.getByRole('log', { name: 'Messages' }).getByText(`Written for ${path}`, { exact: true }).waitFor();
  }
  await close();
});

test('[TKT-02] joining two tickets reloads the list after the load in progress', async () => {
  const { page, close } = await openPage(shop);
  await tickets.signInAt(page);
  await tickets.create(page);
  await tickets.create(page, { ...TICKET, title: 'Another question' });
  let joined = 0;
  page.on('websocket', (socket) => {
    socket.on('framereceived', ({ payload }) => void (payload.toString().includes('"joined_ticket"') && (joined += 1)));
  });
  const held: (() => void)[] = [];
  await page.route('**/dashboard/tickets.data**', async (route) => {
    await new Promise<void>((resolve) => held.push(resolve));
    await route.continue();
  });
  await visit(page, '/dashboard/tickets');
  // Joining the first ticket starts a load; joining the second must wait for its end.
  await waitUntil(() => joined === 2 && held.length > 0);
  await waitForFrames(page);
  assert.equal(held.length, 1);
  held[0]?.();
  await waitUntil(() => held.length === 2);
  held[1]?.();
  await page.getByRole('link', { name: /Another question/ }).waitFor();
  await close();
});

test('[TKT-05] a reopened ticket opens on its page without a live connection', async () => {
  const { page, close } = await openPage(shop);
  await tickets.signInAt(page);
  const id = await tickets.create(page);
  await tickets.work(id, 'close');
  await page.routeWebSocket('**/api/wss', (socket) => socket.close());
  await page.clock.install();
  await visit(page, `/dashboard/tickets/${id}`);
  await page.getByText('This ticket is closed.', { exact: false }).waitFor();
  await tickets.work(id, 'reopen');
  await tickets.reply(id, 'One more thing');
  const asked = page.waitForRequest((request) => request.url().includes(`/api/tickets/${id}/messages`));
  let isAsked = false;
  void asked.then(() => (isAsked = true));
  // In steps: a call that is not answered within 15 s of the page's clock fails.
  await waitUntil(async () => {
    if (!isAsked) await page.clock.runFor(5_000);
    return isAsked;
  });
  await page.getByRole('textbox', { name: 'Message' }).waitFor();
  await page.getByRole('log', { name: 'Messages' }).getByText('One more thing').waitFor();
  await close();
});
