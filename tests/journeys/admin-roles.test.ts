/** What support and shipping see of the back office. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from '@playwright/test';
import { assertAccessibleInBothSchemes } from '../support/axe.ts';
import { openPage } from '../support/browser.ts';
import { createBuyer, logIn, visit } from '../support/buyer.ts';
import { createOrder } from '../support/new-order.ts';
import type { NewOrder } from '../support/new-order.ts';
import { textAt } from '../support/read-json.ts';
import { startTestShop } from '../support/shop.ts';
import type { TestShop } from '../support/shop.ts';

const EVERYBODY = ['/admin', '/admin/security'];
const ORDERS = ['/admin/orders', '/admin/invoices'];
const SHIPPING = ['/admin/orders/ship', '/admin/orders/pick-list', '/admin/orders/packing-slips', '/admin/carriers'];
const STOCK = ['/admin/reservations', '/admin/inventory'];
const SUPPORT = ['/admin/tickets', '/admin/canned-answers', '/admin/messages', '/admin/reviews', '/admin/customers'];
const PATHS = [
  ...EVERYBODY,
  ...ORDERS,
  ...SHIPPING,
  ...STOCK,
  ...SUPPORT,
  '/admin/payments',
  '/admin/chain',
  '/admin/sales',
  '/admin/products',
  '/admin/products/new',
  '/admin/categories',
  '/admin/brands',
  '/admin/import',
  '/admin/pictures',
  '/admin/promotions',
  '/admin/promotions/new',
  '/admin/content',
  '/admin/settings',
  '/admin/tax',
  '/admin/shipping',
  '/admin/audit',
  '/admin/owner',
  '/admin/accounting',
  ...['payments', 'mail', 'texts', 'team', 'integrations', 'system'].map((name) => `/admin/settings/${name}`),
];
const OF_ROLE = {
  support: {
    menu: ['Home', 'Orders', 'Customers', 'Support', 'Settings'],
    paths: [...EVERYBODY, ...ORDERS, ...SHIPPING, ...SUPPORT],
  },
  shipping: {
    menu: ['Home', 'Orders', 'Inventory', 'Settings'],
    paths: [...EVERYBODY, ...ORDERS, ...SHIPPING, ...STOCK],
  },
} as const;

let shop: TestShop;
let order: NewOrder;
before(async () => {
  shop = await startTestShop();
  order = await createOrder(shop, 'role-buyer');
  await shop.api('POST', '/dev/pay', { body: { order_id: order.id } });
  await shop.api('POST', '/dev/mine', { body: { blocks: 6 } });
});
after(() => shop.stop());

async function openAs(role: keyof typeof OF_ROLE, width = 1440) {
  const username = await createBuyer(shop);
  const login = await shop.api('POST', '/users/login', { body: { username: 'owner', password: 'crypto-market' } });
  const token = textAt(login.body, 'tokens', 'accessToken');
  const changed = await shop.api('PUT', '/staff/role', { token, body: { username, role } });
  assert.equal(changed.status, 200);
  const opened = await openPage(shop, { width, expectedStatuses: [404] });
  await opened.page.goto('/login?to=%2Fadmin');
  await logIn(opened.page, username);
  await opened.page.getByRole('heading', { level: 1, name: 'Home', exact: true }).waitFor();
  return opened;
}

for (const role of ['support', 'shipping'] as const) {
  test(`[OPS-17] [OPS-01] ${role} finds the pages of its own areas only`, async () => {
    const { page, close } = await openAs(role);
    const links = page.getByRole('navigation', { name: 'Back office' }).getByRole('link');
    assert.deepEqual(await links.allInnerTexts(), OF_ROLE[role].menu);
    for (const name of ['Revenue of the last 30 days', 'State of the shop']) {
      assert.equal(await page.getByRole('heading', { name }).count(), 0, `${role} sees ${name}`);
    }
    for (const path of PATHS) {
      const isOwn = OF_ROLE[role].paths.some((own) => own === path);
      assert.equal((await page.request.get(path)).status(), isOwn ? 200 : 404, path);
    }
    await assertAccessibleInBothSchemes(page);
    await close();
  });
}

/** Buttons of the actions on an order, in alphabetic order. */
const listActions = async (page: Page): Promise<string[]> =>
  (await page.getByRole('main').locator('form button[type=submit]').allTextContents()).toSorted();

test('[OPS-17] support sees an order without actions on money', async () => {
  const { page, close } = await openAs('support');
  await visit(page, `/admin/orders/${order.id}`);
  await page.getByRole('heading', { name: 'Transactions' }).waitFor();
  assert.deepEqual(await listActions(page), ['Add note', 'Change address', 'Mark as shipped', 'Send again']);
  await close();
});

test('[OPS-17] shipping marks an order as shipped and moves no money', async () => {
  const { page, close } = await openAs('shipping', 390);
  await visit(page, `/admin/orders/${order.id}`);
  const main = page.getByRole('main');
  await main.getByRole('button', { name: 'Mark as shipped' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Mark as shipped' }).click();
  await main.getByRole('button', { name: 'Mark as delivered' }).waitFor();
  assert.deepEqual(await listActions(page), [
    'Add note',
    'Mark as delivered',
    'Save tracking details',
    'Send again',
    'Undo parcel',
  ]);
  await close();
});
