/** Pages of returns, of buyers and of staff. */
import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { callAs, getOpenOrderId, openCartAsBuyer, placeOrder, signIn } from '../buyer.ts';
import { makePicture } from '../hostile-pictures.ts';
import { listAt, numberAt, textAt } from '../read-json.ts';
import type { TestShop } from '../shop.ts';
import { getStaffToken } from '../staff-fixtures.ts';
import { LABEL_PDF, uploadBytes } from '../upload-picture.ts';
import { waitUntil } from '../wait-until.ts';
import type { PageFixture } from './page-fixture.ts';

/** A shipped order of the buyer who is signed in on the page. */
async function createShippedOrder(shop: TestShop, page: Page): Promise<string> {
  await openCartAsBuyer(shop, page);
  await placeOrder(shop, page);
  const id = await getOpenOrderId(shop, page);
  await shop.api('POST', '/dev/pay', { body: { order_id: id } });
  await shop.api('POST', '/dev/mine', { body: { blocks: 3 } });
  await shop.api('POST', `/orders/${id}/ship`, { token: await getStaffToken(shop), body: {} });
  return id;
}

/** Pictures of a defect, one wide and one tall. */
async function addPictures(shop: TestShop, page: Page, id: string): Promise<void> {
  const token = await page.evaluate(() => localStorage.getItem('apple_user_token'));
  const cookie = (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join('; ');
  const sizes = [
    { width: 400, height: 300, seed: 1 },
    { width: 300, height: 500, seed: 2 },
  ];
  for (const size of sizes) {
    const picture = await makePicture('jpeg', size);
    const added = await uploadBytes(shop, `/returns/${id}/pictures`, token, picture, { cookie });
    if (added.status !== 201) throw new Error(`a picture of a defect was refused: ${JSON.stringify(added.body)}`);
  }
}

/** An approved return with two pictures, both kinds of label and the longest words. */
async function createReturn(shop: TestShop, page: Page): Promise<string> {
  const orderId = await createShippedOrder(shop, page);
  const body = { cause: 'defect', lines: [{ position: 0, quantity: 1 }], reason: `Broken ${'w'.repeat(200)}` };
  const requested = await callAs(shop, page, 'POST', `/orders/${orderId}/returns`, body);
  const id = textAt(requested, 'return', 'id');
  await addPictures(shop, page, id);
  const token = await getStaffToken(shop);
  await shop.api('POST', `/support/returns/${id}/approve`, { token, body: { version: 1 } });
  const label = { version: 2, label_url: `https://carrier.example/${'l'.repeat(100)}` };
  await shop.api('PUT', `/support/returns/${id}/label`, { token, body: label });
  const uploaded = await uploadBytes(shop, `/support/returns/${id}/label-file?version=3`, token, LABEL_PDF);
  if (uploaded.status !== 200) throw new Error(`a label was refused: ${JSON.stringify(uploaded.body)}`);
  return id;
}

/** A return of which a unit arrived, as staff see it. */
async function createReturnForStaff(shop: TestShop, page: Page): Promise<string> {
  const id = await createReturn(shop, page);
  const token = await getStaffToken(shop);
  const found = await shop.api('GET', `/support/returns/${id}`, { token });
  const body = { version: numberAt(found.body, 'return', 'version'), position: 0 };
  await shop.api('POST', `/support/returns/${id}/receive`, { token, body });
  await signIn(shop, page, 'staff', 'crypto-market');
  return id;
}

/** A statement of withdrawal with the longest words, which names no order. */
async function stateUnmatched(shop: TestShop): Promise<void> {
  const order = { order_number: '9'.repeat(40), order_email: `${'w'.repeat(60)}@${'withdrawn'.repeat(6)}.example` };
  const body = { ...order, name: 'W'.repeat(120), units: null, acknowledgement_email: null, reason: 'r'.repeat(300) };
  const stated = await shop.api('POST', '/withdrawal', { body: { ...body, key: randomUUID() } });
  const reference = textAt(stated.body, 'reference');
  const token = await getStaffToken(shop);
  await waitUntil(async () => {
    const listed = await shop.api('GET', '/support/withdrawals', { token });
    return listAt(listed.body, 'withdrawals').some((one) => textAt(one, 'reference') === reference);
  });
}

export const RETURN_PAGE_FIXTURES: readonly PageFixture[] = [
  {
    name: 'new return',
    route: '/dashboard/orders/:id/return',
    path: '',
    prepare: async (shop, page) => `/dashboard/orders/${await createShippedOrder(shop, page)}/return`,
    heading: 'Return items',
  },
  {
    name: 'return',
    route: '/dashboard/returns/:id',
    path: '',
    prepare: async (shop, page) => `/dashboard/returns/${await createReturn(shop, page)}`,
    heading: /^Return R-/,
  },
  {
    name: 'admin returns',
    route: '/admin/returns',
    path: '/admin/returns',
    prepare: async (shop, page) => void (await createReturnForStaff(shop, page)),
    heading: /^Returns/,
  },
  {
    name: 'admin withdrawals',
    route: '/admin/withdrawals',
    path: '/admin/withdrawals',
    prepare: async (shop, page) => {
      await stateUnmatched(shop);
      await signIn(shop, page, 'staff', 'crypto-market');
    },
    heading: /^Withdrawals without order/,
  },
  {
    name: 'admin return',
    route: '/admin/returns/:id',
    path: '',
    prepare: async (shop, page) => `/admin/returns/${await createReturnForStaff(shop, page)}`,
    heading: /^Return R-/,
  },
];
