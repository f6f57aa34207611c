/** Every page in each of its visual states, for tests of accessibility and layout. */
import type { Page } from '@playwright/test';
import {
  openCartAsBuyer,
  callAs,
  waitForCartLines,
  fillBilling,
  getOpenOrderId,
  getPayPath,
  placeOrder,
  signIn,
  visit,
} from '../buyer.ts';
import { listAt, textAt } from '../read-json.ts';
import type { TestShop } from '../shop.ts';
import { waitUntil } from '../wait-until.ts';

import { createLongUsername, inviteToTeam } from './page-fixture.ts';
import type { PageFixture } from './page-fixture.ts';
import { RETURN_PAGE_FIXTURES } from './return-page-fixtures.ts';
import { STAFF_PAGE_FIXTURES } from './staff-page-fixtures.ts';

async function signInWithLongName(shop: TestShop, page: Page): Promise<void> {
  const username = createLongUsername();
  const password = 'correct horse';
  await shop.api('POST', '/users/register', {
    body: { username, email: `${Date.now()}@example.com`, password },
  });
  await signIn(shop, page, username);
}

async function openBilling(shop: TestShop, page: Page): Promise<void> {
  await openCartAsBuyer(shop, page);
  await page.getByRole('button', { name: 'Continue to Checkout' }).click();
  await fillBilling(page);
}

async function openOrder(shop: TestShop, page: Page): Promise<void> {
  await openCartAsBuyer(shop, page);
  await placeOrder(shop, page);
}

/** The invoice follows the payment: the page would show it while it is tested. */
const waitForInvoice = (shop: TestShop, page: Page, orderId: string): Promise<void> =>
  waitUntil(async () => listAt(await callAs(shop, page, 'GET', `/orders/${orderId}/invoices`), 'invoices').length > 0);

async function openPaidOrder(shop: TestShop, page: Page): Promise<void> {
  await openOrder(shop, page);
  const orderId = await getOpenOrderId(shop, page);
  await shop.api('POST', '/dev/pay', { body: { order_id: orderId } });
  await shop.api('POST', '/dev/mine', { body: { blocks: 3 } });
  await waitForInvoice(shop, page, orderId);
}

async function openUnderpaidOrder(shop: TestShop, page: Page): Promise<void> {
  await openOrder(shop, page);
  const orderId = await getOpenOrderId(shop, page);
  await shop.api('POST', '/dev/pay', { body: { order_id: orderId, amount_btc: 0.00412345 } });
}

async function createPaidOrderPath(shop: TestShop, page: Page): Promise<string> {
  await openCartAsBuyer(shop, page);
  const orderId = await placeOrder(shop, page);
  await shop.api('POST', '/dev/pay', { body: { order_id: orderId } });
  await shop.api('POST', '/dev/mine', { body: { blocks: 3 } });
  await waitForInvoice(shop, page, orderId);
  return `/dashboard/orders/${orderId}`;
}

const TICKET = { title: 'Where is my parcel?', theme: 'Delivery', description: 'It was due yesterday.' };

async function createBuyerWithTickets(shop: TestShop, page: Page): Promise<string> {
  await openCartAsBuyer(shop, page);
  const ticket = textAt(await callAs(shop, page, 'POST', '/tickets/create', TICKET), 'id');
  const long = { title: 'x'.repeat(120), theme: 'y'.repeat(80), description: 'z'.repeat(2000) };
  await callAs(shop, page, 'POST', '/tickets/create', long);
  for (const message of ['Hello', `See https://carrier.example/${'a'.repeat(100)}`, 'w'.repeat(300)]) {
    await callAs(shop, page, 'POST', '/tickets/messages', { ticket_id: ticket, message });
  }
  return ticket;
}

async function createTicketPath(shop: TestShop, page: Page): Promise<string> {
  return `/dashboard/tickets/${await createBuyerWithTickets(shop, page)}`;
}

async function createTicketListPath(shop: TestShop, page: Page): Promise<string> {
  return `/dashboard/tickets?ticket=${await createBuyerWithTickets(shop, page)}`;
}

async function payLinkPath(shop: TestShop, page: Page): Promise<string> {
  await openOrder(shop, page);
  return getPayPath(shop, page);
}

/** @returns the path of the link in the mail */
async function inviteByMail(shop: TestShop): Promise<string> {
  const email = await inviteToTeam(shop);
  let path: string | undefined;
  await waitUntil(async () => {
    const mails = (await shop.api('GET', `/dev/mail?to=${encodeURIComponent(email)}`)).body;
    path = /\/invitation\/[\w-]{43}/.exec(JSON.stringify(mails))?.[0];
    return path !== undefined;
  });
  return path ?? '';
}

async function openCartWithPromo(shop: TestShop, page: Page): Promise<void> {
  await createGuestCart(shop, page);
  await visit(page, '/cart');
  await page.getByLabel('Promo code').fill('GIFT');
  await page.getByRole('button', { name: 'Apply' }).click();
  await waitForCartLines(page, 2);
}

async function createGuestCart(_shop: TestShop, page: Page): Promise<void> {
  await visit(page, '/catalog/product/iphone-air');
  await page.getByRole('button', { name: 'Add to Cart', exact: true }).click();
  await page.getByRole('group', { name: /^Quantity/ }).waitFor();
  await page.waitForFunction(() => localStorage.getItem('cart_mark')?.startsWith('1@'));
}

const createOwnWithdrawalPath = async (shop: TestShop, page: Page): Promise<string> =>
  (await createPaidOrderPath(shop, page)).replace('/dashboard/orders/', '/withdrawal?order=');

async function createReceiptPath(shop: TestShop, page: Page): Promise<string> {
  const order_id = (await createPaidOrderPath(shop, page)).replace('/dashboard/orders/', '');
  const declaration = {
    order_id,
    name: 'Ada Lovelace',
    units: null,
    acknowledgement_email: null,
    reason: 'x'.repeat(300),
  };
  const stated = await callAs(shop, page, 'POST', '/withdrawal', { ...declaration, key: crypto.randomUUID() });
  return `/withdrawal/receipt/${textAt(stated, 'receipt')}`;
}

/** By the link of a mail about the order. */
async function createLinkedWithdrawalPath(shop: TestShop, page: Page): Promise<string> {
  const id = (await createPaidOrderPath(shop, page)).replace('/dashboard/orders/', '');
  const order_number = textAt(await callAs(shop, page, 'GET', `/orders/${id}`), 'order', 'number');
  const order_email = textAt(await callAs(shop, page, 'GET', '/users/user'), 'email');
  await shop.api('POST', '/withdrawal/link', { body: { order_number, order_email } });
  let path: string | undefined;
  await waitUntil(async () => {
    const mails = (await shop.api('GET', `/dev/mail?to=${encodeURIComponent(order_email)}`)).body;
    path = /\/withdrawal\/[\w-]{22}\.[\w-]{43}/.exec(JSON.stringify(mails))?.[0];
    return path !== undefined;
  });
  return path ?? '';
}

export const PAGE_FIXTURES: readonly PageFixture[] = [
  { name: 'home', route: '/', path: '/', heading: 'Buy out gadgets with cryptocurrency' },
  { name: 'catalogue', route: '/catalog', path: '/catalog', heading: 'Explore our catalog of Different Devices' },
  { name: 'category', route: '/catalog/category/:slug', path: '/catalog/category/iphone', heading: 'iPhone' },
  { name: 'search', route: '/search-results', path: '/search-results?query=pro', heading: /./ },
  { name: 'search without results', route: '/search-results', path: '/search-results?query=zzzz', heading: /./ },
  {
    name: 'product',
    route: '/catalog/product/:slug',
    path: '/catalog/product/iphone-17-pro',
    heading: 'iPhone 17 Pro',
  },
  {
    name: 'comparison',
    route: '/compare',
    path: '/compare?products=iphone-17-pro,iphone-air,iphone-17,iphone-16',
    heading: 'Compare iPhone',
  },
  { name: 'empty comparison', route: '/compare', path: '/compare?products=none', heading: 'Compare products' },
  { name: 'moved product', route: '/product/:slug', path: '/product/iphone-air', heading: 'iPhone Air' },
  { name: 'empty cart', route: '/cart', path: '/cart', heading: 'Cart' },
  { name: 'cart', route: '/cart', path: '/cart', prepare: createGuestCart, heading: 'Cart' },
  { name: 'cart with a gift', route: '/cart', path: '/cart', prepare: openCartWithPromo, heading: 'Cart' },
  { name: 'billing', route: '/cart', path: '/cart', prepare: openBilling, heading: 'Checkout' },
  { name: 'payment', route: '/cart', path: '/cart', prepare: openOrder, heading: 'Complete your order' },
  {
    name: 'underpaid payment',
    route: '/cart',
    path: '/cart',
    prepare: openUnderpaidOrder,
    heading: 'Complete your order',
  },
  { name: 'payment link', route: '/pay/:token', path: '', prepare: payLinkPath, heading: 'Complete your order' },
  { name: 'login', route: '/login', path: '/login', heading: 'Login' },
  { name: 'registration', route: '/registration', path: '/registration', heading: 'Register account' },
  { name: 'lost password', route: '/lost-password', path: '/lost-password', heading: 'Lost password' },
  {
    name: 'cancelling a change of second factors',
    route: '/cancel-second-factor-change/:token',
    path: `/cancel-second-factor-change/${'x'.repeat(43)}`,
    heading: 'Cancel the change of your second factors',
  },
  {
    name: 'cancelled change of second factors',
    route: '/cancel-second-factor-change/:token',
    path: '/cancel-second-factor-change/done',
    heading: 'The change was cancelled',
  },
  {
    name: 'email confirmation',
    route: '/confirm-email/:token',
    path: `/confirm-email/${'x'.repeat(43)}`,
    heading: 'Confirm your email address',
  },
  {
    name: 'confirmed email',
    route: '/confirm-email/:token',
    path: '/confirm-email/done',
    heading: 'Your address is confirmed',
  },
  {
    name: 'invitation',
    route: '/invitation/:token',
    path: '',
    prepare: inviteByMail,
    heading: 'Join the team',
  },
  {
    name: 'unknown invitation',
    route: '/invitation/:token',
    path: `/invitation/${'x'.repeat(43)}`,
    heading: 'This link is not valid',
  },
  {
    name: 'unknown link of the first owner',
    route: '/first-owner/:token',
    path: `/first-owner/${'x'.repeat(43)}`,
    heading: 'This link is not valid',
    status: 404,
  },
  {
    name: 'refund address confirmation',
    route: '/confirm-refund-address/:token',
    path: `/confirm-refund-address/${'x'.repeat(43)}`,
    heading: 'Confirm your refund address',
  },
  {
    name: 'confirmed refund address',
    route: '/confirm-refund-address/:token',
    path: '/confirm-refund-address/done',
    heading: 'Your address is confirmed',
  },
  {
    name: 'settings',
    route: '/dashboard/settings',
    path: '/dashboard/settings',
    prepare: signInWithLongName,
    heading: 'Settings',
  },
  {
    name: 'dashboard without an order',
    route: '/dashboard',
    path: '/dashboard',
    prepare: signInWithLongName,
    heading: /^Hello, a-name-that/,
  },
  { name: 'dashboard', route: '/dashboard', path: '/dashboard', prepare: openPaidOrder, heading: /^Hello, buyer/ },
  {
    name: 'orders',
    route: '/dashboard/orders',
    path: '/dashboard/orders',
    prepare: openPaidOrder,
    heading: /^Your orders/,
  },
  { name: 'order', route: '/dashboard/orders/:id', path: '', prepare: createPaidOrderPath, heading: /^Order CM-/ },
  {
    name: 'empty tickets',
    route: '/dashboard/tickets',
    path: '/dashboard/tickets',
    prepare: signInWithLongName,
    heading: 'Your tickets',
  },
  {
    name: 'tickets',
    route: '/dashboard/tickets',
    path: '',
    prepare: createTicketListPath,
    heading: 'Your tickets',
  },
  {
    name: 'new ticket',
    route: '/dashboard/tickets/create',
    path: '/dashboard/tickets/create',
    prepare: signInWithLongName,
    heading: 'Create a ticket',
  },
  {
    name: 'ticket',
    route: '/dashboard/tickets/:id',
    path: '',
    prepare: createTicketPath,
    heading: 'Where is my parcel?',
  },
  ...RETURN_PAGE_FIXTURES,
  ...STAFF_PAGE_FIXTURES,
  {
    name: 'legal guarantee',
    route: '/legal-guarantee',
    path: '/legal-guarantee',
    heading: 'Legal guarantee of conformity',
  },
  { name: 'withdrawal', route: '/withdrawal', path: '/withdrawal', heading: 'Withdraw from contract' },
  {
    name: 'withdrawal, link sent',
    route: '/withdrawal',
    path: '/withdrawal?sent',
    heading: 'Withdraw from contract',
  },
  {
    name: 'withdrawal from an own order',
    route: '/withdrawal',
    path: '',
    prepare: createOwnWithdrawalPath,
    heading: 'Withdraw from contract',
  },
  {
    name: 'withdrawal by a link',
    route: '/withdrawal/:link',
    path: '',
    prepare: createLinkedWithdrawalPath,
    heading: 'Withdraw from contract',
  },
  {
    name: 'acknowledgement of a withdrawal',
    route: '/withdrawal/receipt/:receipt',
    path: '',
    prepare: createReceiptPath,
    heading: 'We received your withdrawal',
  },
  { name: 'promotions', route: '/promo', path: '/promo', heading: /./ },
  { name: 'free shipping', route: '/free-shipping', path: '/free-shipping', heading: /./ },
  { name: 'contact', route: '/contact', path: '/contact', heading: 'Contact Us' },
  { name: 'contact, sent', route: '/contact', path: '/contact?sent', heading: 'Contact Us' },
  { name: 'how to buy', route: '/how-to-buy', path: '/how-to-buy', heading: /./ },
  { name: 'terms', route: '/terms', path: '/terms', heading: /./ },
  { name: 'privacy', route: '/privacy', path: '/privacy', heading: /./ },
  { name: 'returns', route: '/returns', path: '/returns', heading: /./ },
  { name: 'accessibility', route: '/accessibility', path: '/accessibility', heading: 'Accessibility' },
  { name: 'mailbox', route: '/dev/mail', path: '/dev/mail', prepare: openOrder, heading: 'Mailbox' },
  { name: 'wallet', route: '/dev/wallet', path: '/dev/wallet', heading: 'Devchain wallet' },
  { name: 'missing page', route: '/*', path: '/nowhere', status: 404, heading: 'Page not found' },
];

export const isStaffPage = ({ route }: PageFixture): boolean => /^\/admin(?:\/|$)/.test(route);

/**
 * Opens the page of a fixture in its prepared state.
 * @param path the result of `prepare`
 */
export async function openPageFixture(page: Page, fixture: PageFixture, path: string | void): Promise<void> {
  await visit(page, path ?? fixture.path);
  await page.getByRole('heading', { level: 1, name: fixture.heading }).waitFor();
  // Waits until data is loaded and the layout is stable.
  await page.waitForLoadState('networkidle');
  // A row wider than its container renders its buttons a frame after hydration.
  await page.waitForFunction(() =>
    [...document.querySelectorAll('ul:has(> li > article form)')].every(
      (row) => row.scrollWidth - row.clientWidth <= 1 || row.nextElementSibling?.querySelector('button'),
    ),
  );
}
