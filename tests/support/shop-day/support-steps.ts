/** What support sees and does without reloading a page. */
import assert from 'node:assert/strict';
import { visit } from '../buyer.ts';
import type { BoughtOrder } from './purchase-steps.ts';
import { assertSameDocument, markDocument, waitForLiveStaff } from '../pages/live-page.ts';
import { confirm, follow } from './shop-day.ts';
import type { ShopDay } from './shop-day.ts';
import type { TwoProcessShop } from '../day-shop.ts';

/** Opens the list of orders, which stays open. */
export async function watchOrders({ support }: ShopDay): Promise<void> {
  await follow(support, '/admin/orders');
  await markDocument(support.page);
}

/** Waits until the open list shows an order in this state. */
export async function seeOrder({ support: { page } }: ShopDay, { number }: BoughtOrder, state: string): Promise<void> {
  await page.getByRole('row').filter({ hasText: number }).getByText(state, { exact: true }).waitFor();
  await assertSameDocument(page);
}

/** Kills the process of the staff pages, which continue at the other one. */
export async function killFirstProcess({ owner, support }: ShopDay, { first }: TwoProcessShop): Promise<void> {
  for (const { page } of [owner, support]) await page.waitForLoadState('networkidle');
  const reconnected = waitForLiveStaff(support.page);
  await first.kill9();
  await reconnected;
}

const say = async ({ page }: ShopDay['support'], text: string): Promise<void> => {
  await page.getByRole('textbox', { name: 'Message', exact: true }).fill(text);
  await page.getByRole('button', { name: 'Send', exact: true }).click();
};

/** The customer asks in a ticket; support sees it appear, answers and closes it. */
export async function answerTicket({ customer, support }: ShopDay, { number }: BoughtOrder): Promise<void> {
  await follow(support, '/admin/tickets');
  await markDocument(support.page);
  await visit(customer.page, '/dashboard/tickets/create');
  await customer.page.getByLabel('Enter Title').fill('A tag too many');
  await customer.page.getByLabel('Theme').fill('Refund');
  await customer.page.getByLabel('Description').fill(`I need one tag of ${number} only.`);
  await customer.page.getByRole('button', { name: 'Create ticket' }).click();
  await customer.page.waitForURL(/\/dashboard\/tickets\/[0-9a-f-]{36}/);

  await support.page.getByRole('link', { name: 'A tag too many' }).click();
  await support.page.getByText(`I need one tag of ${number} only.`).first().waitFor();
  await say(support, 'You get one back.');
  await customer.page.getByRole('log', { name: 'Messages' }).getByText('You get one back.').waitFor();
  await say(customer, 'Thank you!');
  await support.page.getByRole('log', { name: 'Messages' }).getByText('Thank you!').waitFor();
  await support.page.getByRole('button', { name: 'Close ticket' }).click();
  await confirm(support.page, 'Close ticket');
  await customer.page.getByText('This ticket is closed. Need more help? Create a new ticket.').waitFor();
  await assertSameDocument(support.page);
  assert.equal(await customer.page.getByRole('button', { name: 'Send', exact: true }).count(), 0);
}
