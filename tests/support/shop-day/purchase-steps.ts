/** A purchase from Germany: with a promotion, paid in two parts. */
import assert from 'node:assert/strict';
import { formatDecimalBtc, sats } from '#src/shop/money.ts';
import { callAs, fillBilling, getOpenOrderId, visit, waitForCartLines } from '../buyer.ts';
import { numberAt, textAt, valueAt } from '../read-json.ts';
import { CUSTOMER, getSecondShop, pay, waitForMail } from './shop-day.ts';
import type { ShopDay } from './shop-day.ts';

export interface BoughtOrder {
  readonly id: string;
  readonly number: string;
  readonly address: string;
  readonly dueSats: bigint;
}

export const readOrder = async (day: ShopDay, id: string): Promise<unknown> =>
  valueAt(await callAs(getSecondShop(day), day.customer.page, 'GET', `/orders/${id}`), 'order');

const toBoughtOrder = (order: unknown): BoughtOrder => ({
  id: textAt(order, 'id'),
  number: textAt(order, 'number'),
  address: textAt(order, 'payment', 'address'),
  dueSats: BigInt(Math.round(numberAt(order, 'payment', 'amount_btc') * 1e8)),
});

/** A phone and two tags, with 10 % off. */
export async function buyWithPromotion(day: ShopDay): Promise<BoughtOrder> {
  const { page } = day.customer;
  const totals = page.getByRole('complementary');
  await visit(page, '/catalog/product/iphone-air');
  await page.getByRole('button', { name: 'Add to Cart', exact: true }).first().click();
  await waitForCartLines(page, 1);
  await visit(page, '/catalog/product/airtag');
  await page.getByRole('button', { name: 'Add to Cart', exact: true }).first().click();
  await waitForCartLines(page, 2);
  await visit(page, '/cart');
  await page.getByRole('button', { name: 'Increase quantity' }).last().click();
  await page.getByLabel('Promo code', { exact: true }).fill('WELCOME10');
  await page.getByRole('button', { name: 'Apply', exact: true }).click();
  await totals.getByText('Discount 10%').waitFor();
  await page.getByRole('button', { name: 'Continue to Checkout' }).click();
  await fillBilling(page);
  await page.getByLabel('Country').selectOption({ label: 'Germany' });
  await page.getByLabel('Postcode').fill('10115');
  await totals.getByText('$4.90').first().waitFor();
  await totals.getByText('Includes VAT 19%').waitFor();
  await page.getByRole('button', { name: 'Order with obligation to pay' }).click();
  await page.getByRole('heading', { name: 'Complete your order' }).waitFor();
  const id = await getOpenOrderId(getSecondShop(day), page);
  return toBoughtOrder(await readOrder(day, id));
}

const PART_SATS = 400_000n;

/** Pays a part of the amount; page and mail say what is missing. */
export async function underpay(day: ShopDay, { address, dueSats, number }: BoughtOrder): Promise<void> {
  await pay(day, address, PART_SATS, 2);
  const missing = `${formatDecimalBtc(sats(dueSats - PART_SATS)).replace(/00$/, '')} BTC`;
  await waitForMail(day, CUSTOMER.email, `Order ${number}: ${missing} still missing`);
  await day.customer.page.getByText(missing.replace(' ', '\u{a0}')).first().waitFor();
}

/** Pays what is missing; the open page, the customer’s mail and the mail to staff say that it is paid. */
export async function payRest(day: ShopDay, { address, dueSats, id, number }: BoughtOrder): Promise<void> {
  const { page } = day.customer;
  await pay(day, address, dueSats - PART_SATS, 2);
  await page.getByRole('heading', { name: 'Order paid.' }).waitFor();
  const receipt = await waitForMail(day, CUSTOMER.email, `Receipt for order ${number}`);
  assert.match(receipt, /VAT 19%/);
  const notice = await waitForMail(day, 'support@shop.example', `Order ${number} is paid`);
  assert.match(notice, /Germany/);
  assert.ok(notice.includes(`${day.shop.url}/admin/orders/${id}`), notice);
}

/** A second, small order without a promotion, paid at once. */
export async function buyTag(day: ShopDay): Promise<BoughtOrder> {
  const [shop, { page }] = [getSecondShop(day), day.customer];
  const product = textAt((await shop.api('GET', '/products/airtag')).body, 'id');
  await callAs(shop, page, 'POST', '/cart/add', { product_id: product, quantity: 1 });
  const billing = valueAt(await callAs(shop, page, 'GET', '/orders/billing'), 'billing');
  const order = toBoughtOrder(valueAt(await callAs(shop, page, 'POST', '/cart/checkout', billing), 'order'));
  await pay(day, order.address, order.dueSats, 2);
  return order;
}
