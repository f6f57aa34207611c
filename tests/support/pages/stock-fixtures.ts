/** States of the pages about stock. */
import type { Page } from '@playwright/test';
import { signIn } from '../buyer.ts';
import { createOrder, findFirstProduct } from '../new-order.ts';
import { textAt } from '../read-json.ts';
import type { TestShop } from '../shop.ts';
import { getStaffToken } from '../staff-fixtures.ts';
import { setStock } from '../stock-stress.ts';

const LONGEST_NAME = 60;

/** Creates an unpaid order with reserved stock, by a buyer with the longest name. */
export async function reserveStock(shop: TestShop, page: Page): Promise<void> {
  await setStock(shop, await findFirstProduct(shop), 1000);
  await createOrder(shop, 'a-name-that-goes-on-and-on-'.repeat(3).slice(0, LONGEST_NAME - 13) + Date.now());
  await signIn(shop, page, 'staff', 'crypto-market');
}

/** A variant with a long note in its history. */
export async function createStockHistoryPath(shop: TestShop, page: Page): Promise<string> {
  await reserveStock(shop, page);
  const token = await getStaffToken(shop);
  const { body } = await shop.api('GET', '/inventory?sort=most_available', { token });
  const id = textAt(body, 'variants', 0, 'variant_id');
  const adjustment = { by: 5, reason: 'received', note: 'w'.repeat(200) };
  await shop.api('POST', `/inventory/${id}/adjustments`, { token, body: adjustment });
  return `/admin/inventory/${id}`;
}
