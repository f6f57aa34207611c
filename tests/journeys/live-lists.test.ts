/** Lists of the back office follow the changes that another process makes. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from '@playwright/test';
import { sql } from 'kysely';
import { openPage } from '../support/browser.ts';
import { signIn } from '../support/buyer.ts';
import { CatalogueEditor } from '../support/catalogue-editor.ts';
import { createOrder, findFirstProduct } from '../support/new-order.ts';
import { startSecondProcess } from '../support/second-process.ts';
import { createApiClient } from '../support/api-client.ts';
import { startTestShop } from '../support/shop.ts';
import type { ShopProcess } from '../support/shop-process.ts';
import type { TestShop } from '../support/shop.ts';
import { getStaffToken, payInBlocks } from '../support/staff-fixtures.ts';
import { runWithShopDatabase } from '../support/stock-stress.ts';
import { createCustomer, createMessage, createTicket } from '../support/support-fixtures.ts';
import { holdReload, visitFollowing, waitForFrame } from '../support/pages/live-page.ts';

let shop: TestShop;
let other: ShopProcess;
/** Its calls go to the second process. */
let elsewhere: TestShop;
let staff: string;
before(async () => {
  shop = await startTestShop();
  other = await startSecondProcess(shop);
  elsewhere = { ...shop, url: other.url, api: createApiClient(other.url) };
  staff = await getStaffToken(shop);
});
after(async () => {
  await other.stop();
  await shop.stop();
});

/** Opens a page, and waits until it follows changes. */
async function openFollowing(path: string) {
  const opened = await openPage(shop);
  const { page } = opened;
  await signIn(shop, page, 'staff', 'crypto-market');
  const socket = await visitFollowing(page, path);
  return { ...opened, socket };
}
/** Waits for less time than the minute after which a page without the live channel polls. */
const waitForText = (page: Page, text: string | RegExp): Promise<void> =>
  page.getByRole('main').getByText(text).first().waitFor();

test('[OPS-18] the ticket queue shows a new ticket and its answer', async () => {
  const { token } = await createCustomer(shop);
  const { page, close } = await openFollowing('/admin/tickets');
  const id = await createTicket(elsewhere, token, 'A followed ticket');
  await waitForText(page, 'A followed ticket');
  const row = page.getByRole('row').filter({ hasText: 'A followed ticket' });
  await row.getByText('Open', { exact: true }).waitFor();
  await elsewhere.api('POST', `/support/tickets/${id}/close`, { token: staff });
  await row.getByText('Closed', { exact: true }).waitFor();
  await close();
});

test('[OPS-18] a ticket shows a change that came while it was loading', async () => {
  const { token } = await createCustomer(shop);
  const id = await createTicket(shop, token, 'A ticket with notes');
  const { page, socket, close } = await openFollowing(`/admin/tickets/${id}`);
  const { waitUntilHeld, release } = await holdReload(page, `/admin/tickets/${id}`, 'response');
  const addNote = async (text: string): Promise<void> => {
    const frame = waitForFrame(socket, 'staff_changed');
    const added = await elsewhere.api('POST', `/support/tickets/${id}/notes`, { token: staff, body: { text } });
    assert.equal(added.status, 201, JSON.stringify(added.body));
    await frame;
  };
  await addNote('The first note');
  await waitUntilHeld();
  await addNote('The second note');
  // The page acts on a frame at most a second later, by a timer that is due before this one.
  await page.evaluate(() => new Promise((resolve) => void setTimeout(resolve, 1_000)));
  release();
  await waitForText(page, 'The second note');
  await close();
});

test('[OPS-18] the messages show a new one, and its page what others did', async () => {
  const { page, close } = await openFollowing('/admin/messages');
  const id = await createMessage(elsewhere, staff, 'Do you follow messages?');
  await waitForText(page, 'Do you follow messages?');
  await page.getByRole('link', { name: 'Ada Lovelace' }).first().click();
  await page.waitForURL(`**/admin/messages/${id}`);
  await page.getByRole('textbox', { name: 'Your answer' }).fill('Half an answer');
  const body = { text: 'An answer of somebody else', seen_answer_id: null };
  const answered = await elsewhere.api('POST', `/support/contact-messages/${id}/answers`, { token: staff, body });
  assert.equal(answered.status, 201, JSON.stringify(answered.body));
  const notice = page.getByRole('status').filter({ hasText: 'This page may be outdated.' });
  await notice.waitFor();
  assert.equal(await page.getByRole('textbox', { name: 'Your answer' }).inputValue(), 'Half an answer');
  await notice.getByRole('button', { name: 'Reload' }).click();
  await waitForText(page, 'An answer of somebody else');
  await close();
});

test('[OPS-18] the reviews show a new one', async () => {
  const { page, close } = await openFollowing('/admin/reviews');
  const order = await createOrder(shop, 'followed-reviewer');
  await payInBlocks(shop, order, 0);
  const review = { product_id: await findFirstProduct(shop), rating: 4, text: 'A followed review' };
  const written = await elsewhere.api('POST', '/reviews', { token: order.token, body: review });
  assert.equal(written.status, 201, JSON.stringify(written.body));
  await waitForText(page, 'A followed review');
  await close();
});

test('[OPS-18] the customers show a new one and a block', async () => {
  const { page, close } = await openFollowing('/admin/customers');
  const { id, username } = await createCustomer(elsewhere);
  await waitForText(page, username);
  await elsewhere.api('POST', `/support/customers/${id}/block`, { token: staff });
  await page.getByRole('row').filter({ hasText: username }).getByText('Blocked').waitFor();
  await close();
});

test('[OPS-18] the products show a new one', async () => {
  const editor = await CatalogueEditor.open(elsewhere);
  const { page, close } = await openFollowing('/admin/products');
  await editor.publish(await editor.createContent({ name: 'A followed product' }));
  await waitForText(page, 'A followed product');
  await close();
});

test('[OPS-05] [OPS-16] [OPS-18] failed invoices are counted until they are issued', async () => {
  const order = await createOrder(shop, 'followed-invoice');
  const home = await openFollowing('/admin');
  const list = await openFollowing('/admin/invoices');
  const change = (constraint: string): Promise<unknown> =>
    runWithShopDatabase(shop, (db) => sql.raw(`alter table invoices ${constraint}`).execute(db));
  await change('add constraint refused check (false) not valid');
  await payInBlocks(shop, order, 0);
  await home.page.getByRole('link', { name: '1 order without its invoice' }).waitFor();
  await list.page.getByRole('heading', { name: 'The document of 1 order could not be issued' }).waitFor();
  await list.page.getByRole('link', { name: `Order ${order.number}` }).waitFor();
  await change('drop constraint refused');
  await waitForText(list.page, /^CM-INV-/);
  await list.page.getByText('could not be issued').waitFor({ state: 'detached' });
  await home.page.getByText('1 order without its invoice').waitFor({ state: 'detached' });
  await home.close();
  await list.close();
});
