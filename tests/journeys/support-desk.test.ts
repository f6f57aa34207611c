/** Staff in browsers: chat with a customer, assignment, canned answers, messages, reviews and customers. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from '@playwright/test';
import { openPage } from '../support/browser.ts';
import { signIn, visit } from '../support/buyer.ts';
import { listAt, numberAt, textAt } from '../support/read-json.ts';
import { getStaffToken } from '../support/staff-fixtures.ts';
import { startTestShop } from '../support/shop.ts';
import type { TestShop } from '../support/shop.ts';
import { createCustomer, createMessage, createReview, createTicket } from '../support/support-fixtures.ts';
import { waitUntil } from '../support/wait-until.ts';

const PASSWORD = 'crypto-market';

let shop: TestShop;
let staff: string;
before(async () => {
  shop = await startTestShop();
  staff = await getStaffToken(shop);
});
after(() => shop.stop());

const signInAsStaff = (page: Page) => signIn(shop, page, 'staff', PASSWORD);
async function say(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Message', exact: true }).fill(text);
  await page.getByRole('button', { name: 'Send', exact: true }).click();
}
const readMessages = (page: Page): Promise<string[]> =>
  page
    .getByRole('log', { name: 'Messages' })
    .locator('li p:nth-child(2)')
    .evaluateAll((texts) => texts.map((text) => text.textContent));
const confirm = (page: Page, name: string) => page.getByRole('dialog').getByRole('button', { name }).click();

test('[OPS-04] [TKT-05] a customer and support chat in two browsers', async () => {
  const customer = await createCustomer(shop);
  const id = await createTicket(shop, customer.token);
  const answer = { title: `Greeting ${Date.now()}`, text: 'Hello {name}, see {order}' };
  await shop.api('POST', '/support/canned-answers', { token: staff, body: answer });
  const [left, right] = [await openPage(shop), await openPage(shop)];
  await signIn(shop, left.page, customer.username, PASSWORD);
  await signInAsStaff(right.page);
  await visit(left.page, `/dashboard/tickets/${id}`);
  await visit(right.page, '/admin/tickets');
  await right.page.getByRole('link', { name: 'Where is my parcel?' }).first().click();
  await right.page.waitForURL(`**/admin/tickets/${id}`);
  await say(left.page, 'Hello?');
  await waitUntil(async () => (await readMessages(right.page)).join() === 'Hello?');
  // Without an order the placeholder stays, and the page says so.
  await right.page.getByLabel('Insert a canned answer').selectOption({ label: answer.title });
  await right.page.getByText('This customer has no order.').waitFor();
  const input = right.page.getByRole('textbox', { name: 'Message', exact: true });
  assert.equal(await input.inputValue(), `Hello ${customer.username}, see {order}`);
  await say(right.page, 'We look into it');
  await waitUntil(async () => (await readMessages(left.page)).length === 2);
  assert.deepEqual(await readMessages(left.page), ['Hello?', 'We look into it']);
  await left.page.getByRole('log').getByText('Support').waitFor();

  await right.page.getByRole('button', { name: 'Start work' }).click();
  await right.page.getByRole('button', { name: 'Start work' }).waitFor({ state: 'detached' });
  await left.page.getByText('In Progress', { exact: true }).waitFor();
  await left.page.getByRole('textbox', { name: 'Message', exact: true }).fill('One more thing');
  await right.page.getByLabel('Member of staff').selectOption({ label: 'staff' });
  await right.page.getByRole('button', { name: 'Assign', exact: true }).click();
  await right.page.getByText('Ticket assigned').waitFor();
  await right.page.getByLabel('New note').fill('Parcel lost by the carrier');
  await right.page.getByRole('button', { name: 'Add note' }).click();
  await right.page.getByRole('listitem').getByText('Parcel lost by the carrier').waitFor();
  await right.page.getByRole('button', { name: 'Close ticket' }).click();
  await confirm(right.page, 'Close ticket');
  await left.page.getByText('This ticket is closed. Need more help? Create a new ticket.').waitFor();
  await right.page.getByText('This ticket is closed.', { exact: true }).waitFor();
  const unsent = left.page.getByRole('textbox', { name: 'Your unsent message' });
  assert.equal(await unsent.inputValue(), 'One more thing');
  assert.equal(await unsent.isEditable(), false);
  await left.page.getByRole('link', { name: 'Create a new ticket' }).click();
  await left.page.waitForURL('**/dashboard/tickets/create');
  assert.equal(await left.page.getByText('Parcel lost').count(), 0);
  await Promise.all([left.close(), right.close()]);
});

test('[OPS-04] shows who has taken a ticket meanwhile', async () => {
  const customer = await createCustomer(shop);
  const id = await createTicket(shop, customer.token);
  const { page, close } = await openPage(shop, { expectedStatuses: [409] });
  await signInAsStaff(page);
  await visit(page, `/admin/tickets/${id}`);
  const owner = await shop.api('POST', '/users/login', { body: { username: 'owner', password: PASSWORD } });
  const [ownerId, token] = [textAt(owner.body, 'user', 'id'), textAt(owner.body, 'tokens', 'accessToken')];
  const body = { assignee_id: ownerId, seen_assignee_id: null };
  // After the click: before it, the page would show the change within a second.
  await page.route('**/assign', async (route) => {
    await shop.api('POST', `/support/tickets/${id}/assign`, { token, body });
    await route.continue();
  });
  await page.getByLabel('Member of staff').selectOption({ label: 'staff' });
  await page.getByRole('button', { name: 'Assign', exact: true }).click();
  await page.getByText('owner has taken this ticket.').waitFor();
  await waitUntil(async () => (await page.getByLabel('Member of staff').inputValue()) === ownerId);
  await close();
});

test('[OPS-04] edits a canned answer and keeps the change of a colleague', async () => {
  const title = `Refund ${Date.now()}`;
  const { page, close } = await openPage(shop, { expectedStatuses: [409] });
  await signInAsStaff(page);
  await visit(page, '/admin/canned-answers');
  const created = page.getByRole('region', { name: 'New answer' });
  await created.getByRole('button', { name: 'Create answer' }).click();
  await created.getByText('Title is required').waitFor();
  await created.getByLabel('Title').fill(title);
  await created.getByLabel('Text').fill('Hello {name}');
  await created.getByRole('button', { name: 'Create answer' }).click();
  const item = page.getByRole('listitem').filter({ hasText: title });
  await item.locator('summary').click();
  await item.getByLabel('Text').fill('Hello again');
  await item.getByRole('button', { name: 'Save answer' }).click();
  await page.getByText('Answer saved').waitFor();
  const { body } = await shop.api('GET', '/support/canned-answers', { token: staff });
  const stored = listAt(body, 'answers').find((one) => textAt(one, 'title') === title);
  assert.equal(textAt(stored, 'text'), 'Hello again');
  const change = { title, text: 'From a colleague', version: numberAt(stored, 'version') };
  await shop.api('PUT', `/support/canned-answers/${textAt(stored, 'id')}`, { token: staff, body: change });
  await item.getByLabel('Text').fill('Mine');
  await item.getByRole('button', { name: 'Save answer' }).click();
  const dialog = page.getByRole('dialog', { name: 'You changed this answer in another window' });
  await dialog.getByRole('button', { name: 'Close' }).click();
  assert.equal(await item.getByLabel('Text').inputValue(), 'Mine');
  await item.getByRole('button', { name: 'Delete answer' }).click();
  await confirm(page, 'Delete answer');
  await item.waitFor({ state: 'detached' });
  await close();
});

test('[OPS-04] [PAGE-02] answers, marks and deletes a contact message', async () => {
  const id = await createMessage(shop, staff, `Do you deliver to Ockham ${Date.now()}?`);
  const { page, close } = await openPage(shop);
  await signInAsStaff(page);
  await visit(page, '/admin/messages');
  await page.locator(`a[href="/admin/messages/${id}"]`).click();
  await page.getByRole('heading', { level: 1, name: 'Message from Ada Lovelace' }).waitFor();
  await page.getByLabel('Your answer').fill('Yes, we do.');
  await page.getByRole('button', { name: 'Send answer' }).click();
  await page.getByRole('region', { name: 'Answer by staff' }).getByText('Yes, we do.').waitFor();
  await page.getByRole('button', { name: 'Mark as done' }).click();
  await page.getByRole('button', { name: 'Open again' }).waitFor();
  await page.getByRole('button', { name: 'Mark as spam' }).click();
  await confirm(page, 'Mark as spam');
  await page.getByRole('button', { name: 'Not spam' }).waitFor();
  assert.equal(await page.getByLabel('Your answer').count(), 0);
  await page.getByRole('button', { name: 'Delete message' }).click();
  await confirm(page, 'Delete message');
  await page.waitForURL('**/admin/messages');
  assert.equal(await page.locator(`a[href="/admin/messages/${id}"]`).count(), 0);
  await close();
});

test('[OPS-04] [REV-03] a reply of the shop appears on the product page', async () => {
  const name = `critic-${Date.now()}`;
  const { productId } = await createReview(shop, name, 'Quick and quiet');
  const { page, close } = await openPage(shop);
  await signInAsStaff(page);
  await visit(page, '/admin/reviews?state=waiting');
  const review = page.getByRole('article', { name: `Review by ${name}` });
  await review.getByRole('button', { name: /^Approve/ }).click();
  await page.getByText('Review approved').waitFor();
  await visit(page, '/admin/reviews');
  await review.getByText('Reply publicly').click();
  await review.getByLabel(`Reply to ${name}`).fill('Thank you!');
  await review.getByRole('button', { name: 'Publish reply' }).click();
  await review.getByRole('button', { name: 'Remove reply' }).waitFor();
  const { body } = await shop.api('GET', '/products?limit=1');
  assert.equal(textAt(body, 0, 'id'), productId);
  await visit(page, `/catalog/product/${textAt(body, 0, 'slug')}`);
  const card = page.getByRole('article').filter({ hasText: name });
  await card.getByText('Reply from Crypto Market').waitFor();
  await card.getByText('Thank you!').waitFor();
  await close();
});

test('[OPS-14] blocks a customer, whose browser is logged out', async () => {
  const customer = await createCustomer(shop);
  const [left, right] = [await openPage(shop, { expectedStatuses: [401, 403] }), await openPage(shop)];
  await signIn(shop, left.page, customer.username, PASSWORD);
  await visit(left.page, '/dashboard');
  await signInAsStaff(right.page);
  await visit(right.page, `/admin/customers?q=${customer.username}`);
  await right.page.getByRole('link', { name: customer.username }).click();
  await right.page.getByRole('button', { name: 'Block customer' }).click();
  await confirm(right.page, 'Block customer');
  await right.page.getByRole('button', { name: 'Unblock customer' }).waitFor();
  await right.page.getByText('Not logged in anywhere.').waitFor();
  await left.page.goto('/dashboard');
  await left.page.waitForURL('**/login**');
  await visit(left.page, '/login');
  await left.page.getByLabel('Username').fill(customer.username);
  await left.page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await left.page.getByRole('main').getByRole('button', { name: 'Login' }).click();
  await left.page.getByRole('main').getByText('This account is blocked').waitFor();
  await left.close();
  await right.close();
});

test('[OPS-14] erases a customer after the typed name', async () => {
  const customer = await createCustomer(shop);
  const { page, close } = await openPage(shop, { expectedStatuses: [400] });
  await signInAsStaff(page);
  await visit(page, `/admin/customers/${customer.id}`);
  await page.getByLabel('Username of the customer').fill('somebody');
  await page.getByRole('button', { name: 'Erase account' }).click();
  await confirm(page, 'Erase account');
  await page.getByRole('alert').getByText('username does not match this account').waitFor();
  await page.getByRole('button', { name: 'Not now' }).click();
  await page.getByLabel('Username of the customer').fill(customer.username);
  await page.getByRole('button', { name: 'Erase account' }).click();
  await confirm(page, 'Erase account');
  await page.waitForURL('**/admin/customers');
  await visit(page, `/admin/customers?q=${customer.username}`);
  await page.getByText('No customer matches.').waitFor();
  await close();
});
