/** The pages of the back office. */
import type { Page } from '@playwright/test';
import { signIn } from '../buyer.ts';
import { createPromotionFields } from '../promotion-fields.ts';
import { makePicture } from '../hostile-pictures.ts';
import { listAt, numberAt, textAt } from '../read-json.ts';
import { createOverpaidOrder, getStaffToken } from '../staff-fixtures.ts';
import { waitUntil } from '../wait-until.ts';
import type { TestShop } from '../shop.ts';
import { uploadPicture } from '../upload-picture.ts';

import { CATALOGUE_PAGE_FIXTURES } from './catalogue-page-fixtures.ts';
import { INTEGRATION_PAGE_FIXTURES } from './integration-page-fixtures.ts';
import { SUPPORT_PAGE_FIXTURES } from './support-page-fixtures.ts';
import { createStockHistoryPath, reserveStock } from './stock-fixtures.ts';
import { createLongUsername, inviteToTeam } from './page-fixture.ts';
import type { PageFixture } from './page-fixture.ts';

async function signInAsStaff(shop: TestShop, page: Page): Promise<void> {
  await signIn(shop, page, 'staff', 'crypto-market');
}

const overpaidOrders = new WeakMap<TestShop, Promise<string>>();

/** An overpaid order of a buyer with the longest name, whose refund awaits its signature. One per shop. */
async function orderForStaff(shop: TestShop, page: Page): Promise<string> {
  const order = overpaidOrders.get(shop) ?? createOrderForStaff(shop);
  overpaidOrders.set(shop, order);
  const id = await order;
  await signInAsStaff(shop, page);
  return id;
}

async function createOrderForStaff(shop: TestShop): Promise<string> {
  const username = createLongUsername();
  const { id } = await createOverpaidOrder(shop, username);
  const body = { covers: 'surplus', fee_paid_by: 'buyer', fee_rate: 2 };
  await shop.api('POST', `/orders/${id}/refunds`, { token: await getStaffToken(shop), body });
  // The invoice follows the payment: the page would load it while it is tested.
  const token = await getStaffToken(shop);
  const path = `/support/orders/${id}/invoices`;
  await waitUntil(async () => listAt((await shop.api('GET', path, { token })).body, 'invoices').length > 0);
  return id;
}

async function signInAsOwner(shop: TestShop, page: Page): Promise<void> {
  await signIn(shop, page, 'owner', 'crypto-market');
}

/** Creates a scheduled, limited promotion with the longest code that no cart shows. */
async function createPromotionPath(shop: TestShop, page: Page): Promise<string> {
  const body = createPromotionFields({
    code: `LONG-${'W'.repeat(22)}${Date.now()}`,
    starts_at: '2090-01-01T10:00:00Z',
    ends_at: '2090-02-01T10:00:00Z',
    minimum_subtotal_usd: 999_999.99,
    max_uses: 1_000_000,
  });
  const created = await shop.api('POST', '/support/promotions', { token: await getStaffToken(shop), body });
  await signInAsStaff(shop, page);
  return `/admin/promotions/${textAt(created.body, 'promotion', 'id')}`;
}

/** Two pictures, one with the longest alternative text. */
async function uploadPictures(shop: TestShop, page: Page): Promise<void> {
  const token = await getStaffToken(shop);
  for (const [seed, alt] of ['', 'A phone '.repeat(37)].entries()) {
    const { body } = await uploadPicture(shop, token, await makePicture('png', { width: 320, height: 240, seed }));
    const [path, version] = [`/pictures/${textAt(body, 'id')}`, numberAt(body, 'version')];
    await shop.api('PUT', path, { token, body: { alt, version } });
  }
  await signInAsStaff(shop, page);
}

export const STAFF_PAGE_FIXTURES: readonly PageFixture[] = [
  ...CATALOGUE_PAGE_FIXTURES,
  ...SUPPORT_PAGE_FIXTURES,
  ...INTEGRATION_PAGE_FIXTURES,
  { name: 'admin home', route: '/admin', path: '/admin', prepare: signInAsStaff, heading: 'Home' },
  {
    name: 'admin missing page',
    route: '/admin/*',
    path: '/admin/nowhere',
    prepare: signInAsStaff,
    status: 404,
    heading: 'This page is not here',
  },
  { name: 'admin sales', route: '/admin/sales', path: '/admin/sales', prepare: signInAsStaff, heading: 'Sales' },
  {
    name: 'admin payments',
    route: '/admin/payments',
    path: '/admin/payments',
    prepare: async (shop, page) => void (await orderForStaff(shop, page)),
    heading: 'Payment tasks',
  },
  {
    name: 'admin orders',
    route: '/admin/orders',
    path: '/admin/orders',
    prepare: async (shop, page) => void (await orderForStaff(shop, page)),
    heading: /^Orders/,
  },
  {
    name: 'admin new order',
    route: '/admin/orders/new',
    path: '/admin/orders/new',
    prepare: signInAsStaff,
    heading: 'New order',
  },
  {
    name: 'admin ship orders',
    route: '/admin/orders/ship',
    path: '',
    prepare: async (shop, page) => `/admin/orders/ship?id=${await orderForStaff(shop, page)}`,
    heading: 'Ship orders',
  },
  {
    name: 'admin pick list',
    route: '/admin/orders/pick-list',
    path: '',
    prepare: async (shop, page) => `/admin/orders/pick-list?id=${await orderForStaff(shop, page)}`,
    heading: 'Pick list',
  },
  {
    name: 'admin packing slips',
    route: '/admin/orders/packing-slips',
    path: '',
    prepare: async (shop, page) => `/admin/orders/packing-slips?id=${await orderForStaff(shop, page)}`,
    heading: 'Packing slips',
  },
  {
    name: 'admin orders to ship',
    route: '/admin/orders',
    path: '/admin/orders?queue=to-ship',
    prepare: async (shop, page) => void (await orderForStaff(shop, page)),
    heading: /^Orders to ship/,
  },
  {
    name: 'admin invoice currency',
    route: '/admin/invoice-currency',
    path: '/admin/invoice-currency',
    prepare: signInAsOwner,
    heading: 'Invoice currency',
  },
  {
    name: 'admin serial numbers',
    route: '/admin/serial-numbers',
    path: '/admin/serial-numbers',
    prepare: signInAsOwner,
    heading: 'Serial numbers',
  },
  {
    name: 'admin carriers',
    route: '/admin/carriers',
    path: '/admin/carriers',
    prepare: signInAsOwner,
    heading: 'Carriers',
  },
  {
    name: 'admin invoices',
    route: '/admin/invoices',
    path: '/admin/invoices',
    prepare: async (shop, page) => void (await orderForStaff(shop, page)),
    heading: /^Invoices/,
  },
  {
    name: 'admin order',
    route: '/admin/orders/:id',
    path: '',
    prepare: async (shop, page) => `/admin/orders/${await orderForStaff(shop, page)}`,
    heading: /^Order CM-/,
  },
  {
    name: 'admin audit log',
    route: '/admin/audit',
    path: '/admin/audit',
    prepare: async (shop, page) => {
      await createPromotionPath(shop, page);
      await signInAsOwner(shop, page);
    },
    heading: /^Audit log/,
  },
  {
    name: 'admin chain',
    route: '/admin/chain',
    path: '/admin/chain',
    prepare: async (shop, page) => void (await orderForStaff(shop, page)),
    heading: 'Chain',
  },
  {
    name: 'admin reservations',
    route: '/admin/reservations',
    path: '/admin/reservations',
    prepare: reserveStock,
    heading: 'Reserved stock',
  },
  {
    name: 'admin inventory',
    route: '/admin/inventory',
    path: '/admin/inventory',
    prepare: reserveStock,
    heading: /^Inventory/,
  },
  {
    name: 'admin variant',
    route: '/admin/inventory/:id',
    path: '',
    prepare: createStockHistoryPath,
    heading: /./,
  },
  {
    name: 'admin promotions',
    route: '/admin/promotions',
    path: '/admin/promotions',
    prepare: async (shop, page) => void (await createPromotionPath(shop, page)),
    heading: /^Promotions/,
  },
  {
    name: 'admin new promotion',
    route: '/admin/promotions/:id',
    path: '/admin/promotions/new',
    prepare: signInAsStaff,
    heading: 'Create promotion',
  },
  {
    name: 'admin promotion',
    route: '/admin/promotions/:id',
    path: '',
    prepare: createPromotionPath,
    heading: /^LONG-/,
  },
  {
    name: 'admin settings',
    route: '/admin/settings',
    path: '/admin/settings',
    prepare: signInAsOwner,
    heading: 'General',
  },
  { name: 'admin tax', route: '/admin/tax', path: '/admin/tax', prepare: signInAsOwner, heading: 'Tax' },
  {
    name: 'admin shipping',
    route: '/admin/shipping',
    path: '/admin/shipping',
    prepare: signInAsOwner,
    heading: 'Delivery',
  },
  {
    name: 'admin pictures',
    route: '/admin/pictures',
    path: '/admin/pictures',
    prepare: uploadPictures,
    heading: 'Pictures',
  },
  {
    name: 'admin security',
    route: '/admin/security',
    path: '/admin/security',
    prepare: signInAsStaff,
    heading: 'Security',
  },
  { name: 'admin owner', route: '/admin/owner', path: '/admin/owner', prepare: signInAsOwner, heading: 'Team' },
  {
    name: 'admin settings payments',
    route: '/admin/settings/payments',
    path: '/admin/settings/payments',
    prepare: signInAsOwner,
    heading: 'Payments',
  },
  {
    name: 'admin settings mail',
    route: '/admin/settings/mail',
    path: '/admin/settings/mail',
    prepare: signInAsOwner,
    heading: 'Mail',
  },
  {
    name: 'admin settings retention',
    route: '/admin/settings/retention',
    path: '/admin/settings/retention',
    prepare: signInAsOwner,
    heading: 'Retention',
  },
  {
    name: 'admin settings texts',
    route: '/admin/settings/texts',
    path: '/admin/settings/texts',
    prepare: signInAsOwner,
    heading: 'Texts',
  },
  {
    name: 'admin settings team',
    route: '/admin/settings/team',
    path: '/admin/settings/team',
    prepare: signInAsOwner,
    heading: 'Team',
  },
  {
    name: 'admin settings team with an invitation',
    route: '/admin/settings/team',
    path: '/admin/settings/team',
    prepare: async (shop, page) => {
      await inviteToTeam(shop);
      await signInAsOwner(shop, page);
    },
    heading: 'Team',
  },
  {
    name: 'admin settings integrations',
    route: '/admin/settings/integrations',
    path: '/admin/settings/integrations',
    prepare: signInAsOwner,
    heading: 'Integrations',
  },
  {
    name: 'admin settings system',
    route: '/admin/settings/system',
    path: '/admin/settings/system',
    prepare: signInAsOwner,
    heading: 'System',
  },
  {
    name: 'admin accounting',
    route: '/admin/accounting',
    path: '/admin/accounting',
    prepare: signInAsOwner,
    heading: 'Accounting',
  },
  {
    name: 'admin content',
    route: '/admin/content',
    path: '/admin/content',
    prepare: signInAsStaff,
    heading: 'Content',
  },
  {
    name: 'admin delivery',
    route: '/admin/content',
    path: '/admin/content?part=delivery',
    prepare: signInAsStaff,
    heading: 'Content',
  },
  {
    name: 'admin how to buy',
    route: '/admin/content',
    path: '/admin/content?part=guide',
    prepare: signInAsStaff,
    heading: 'Content',
  },
  {
    name: 'admin questions',
    route: '/admin/content',
    path: '/admin/content?part=faq',
    prepare: signInAsStaff,
    heading: 'Content',
  },
  {
    name: 'admin legal text',
    route: '/admin/content',
    path: '/admin/content?part=terms&version=1',
    prepare: signInAsOwner,
    heading: 'Content',
  },
];
