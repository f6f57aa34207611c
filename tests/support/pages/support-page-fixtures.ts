/** Pages of support, moderation and customers. */
import type { Page } from '@playwright/test';
import { signIn } from '../buyer.ts';
import { createCustomer, createMessage, createReview, createTicket } from '../support-fixtures.ts';
import { getStaffToken } from '../staff-fixtures.ts';
import type { TestShop } from '../shop.ts';
import { createLongUsername } from './page-fixture.ts';
import type { PageFixture } from './page-fixture.ts';

const LONG = 'w'.repeat(120);

const signInAsStaff = (shop: TestShop, page: Page): Promise<void> => signIn(shop, page, 'staff', 'crypto-market');

/** A ticket of a customer with the longest name, with a note and a canned answer. */
async function createTicketPath(shop: TestShop, page: Page): Promise<string> {
  const customer = await createCustomer(shop, createLongUsername());
  const id = await createTicket(shop, customer.token, 'x'.repeat(120));
  const message = { ticket_id: id, message: `See https://carrier.example/${'a'.repeat(100)}` };
  await shop.api('POST', '/tickets/messages', { token: customer.token, body: message });
  const token = await getStaffToken(shop);
  await shop.api('POST', `/support/tickets/${id}/notes`, { token, body: { text: `A note ${LONG}` } });
  const answer = { title: `Greeting ${Date.now()}`, text: 'Hello {name}' };
  await shop.api('POST', '/support/canned-answers', { token, body: answer });
  await signInAsStaff(shop, page);
  return `/admin/tickets/${id}`;
}

async function createMessagePath(shop: TestShop, page: Page): Promise<string> {
  const token = await getStaffToken(shop);
  const id = await createMessage(shop, token, `Question ${Date.now()} ${LONG}`);
  const body = { text: `Answer ${LONG}`, seen_answer_id: null };
  await shop.api('POST', `/support/contact-messages/${id}/answers`, { token, body });
  await signInAsStaff(shop, page);
  return `/admin/messages/${id}`;
}

async function createReviews(shop: TestShop, page: Page): Promise<void> {
  const token = await getStaffToken(shop);
  const { id } = await createReview(shop, createLongUsername(), `Good ${LONG}`);
  await shop.api('POST', `/support/reviews/${id}/approve`, { token });
  await shop.api('PUT', `/support/reviews/${id}/reply`, { token, body: { text: `Thank you ${LONG}`, seen: null } });
  await signInAsStaff(shop, page);
}

async function createCustomerPath(shop: TestShop, page: Page): Promise<string> {
  const customer = await createCustomer(shop, createLongUsername());
  await createTicket(shop, customer.token, 'x'.repeat(120));
  const token = await getStaffToken(shop);
  await shop.api('POST', `/support/customers/${customer.id}/block`, { token });
  await signInAsStaff(shop, page);
  return `/admin/customers/${customer.id}`;
}

export const SUPPORT_PAGE_FIXTURES: readonly PageFixture[] = [
  {
    name: 'admin tickets',
    route: '/admin/tickets',
    path: '/admin/tickets',
    prepare: async (shop, page) => void (await createTicketPath(shop, page)),
    heading: /^Tickets/,
  },
  { name: 'admin ticket', route: '/admin/tickets/:id', path: '', prepare: createTicketPath, heading: /^Ticket #/ },
  {
    name: 'admin canned answers',
    route: '/admin/canned-answers',
    path: '/admin/canned-answers',
    prepare: async (shop, page) => void (await createTicketPath(shop, page)),
    heading: 'Canned answers',
  },
  {
    name: 'admin messages',
    route: '/admin/messages',
    path: '/admin/messages',
    prepare: async (shop, page) => void (await createMessagePath(shop, page)),
    heading: /^Messages/,
  },
  {
    name: 'admin message',
    route: '/admin/messages/:id',
    path: '',
    prepare: createMessagePath,
    heading: /^Message from/,
  },
  {
    name: 'admin reviews',
    route: '/admin/reviews',
    path: '/admin/reviews',
    prepare: createReviews,
    heading: /^Reviews/,
  },
  {
    name: 'admin customers',
    route: '/admin/customers',
    path: '/admin/customers',
    prepare: async (shop, page) => void (await createCustomerPath(shop, page)),
    heading: /^Customers/,
  },
  {
    name: 'admin customer',
    route: '/admin/customers/:id',
    path: '',
    prepare: createCustomerPath,
    heading: /^a-name-that/,
  },
];
