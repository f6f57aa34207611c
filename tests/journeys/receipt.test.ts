/** The receipt of a long order, on paper. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Page } from '@playwright/test';
import { openPage } from '../support/browser.ts';
import { openCartAsBuyer, callAs, mine, payOrder, visit } from '../support/buyer.ts';
import { listAt, textAt } from '../support/read-json.ts';
import { shareTestShop } from '../support/shared-shop.ts';
import type { TestShop } from '../support/shop.ts';
import { BILLING } from '../support/stress-buyer.ts';

const LINES = 50;
const MARGIN = '15mm';

let shop: TestShop;
before(async () => {
  shop = await shareTestShop();
});

async function countSheets(page: Page): Promise<number> {
  const margin = { top: MARGIN, bottom: MARGIN, left: MARGIN, right: MARGIN };
  const pdf = (await page.pdf({ format: 'A4', margin })).toString('latin1');
  return [...pdf.matchAll(/\/Type\s*\/Page\b(?!s)/g)].length;
}

test('[DASH-04] a fifty-line receipt breaks pages only between lines', async () => {
  const { page, close } = await openPage(shop);
  await openCartAsBuyer(shop, page);
  const products = listAt((await shop.api('GET', '/products?limit=100')).body).map((one) => textAt(one, 'id'));
  let lines = 1;
  for (const product_id of products) {
    if (lines === LINES) break;
    const cart = await callAs(shop, page, 'POST', '/cart/add', { product_id, quantity: 1 });
    lines = listAt(cart, 'cart_items').length;
  }
  assert.equal(lines, LINES);
  const orderId = textAt(await callAs(shop, page, 'POST', '/cart/checkout', BILLING), 'order', 'id');
  await payOrder(shop, orderId);
  await mine(shop, 7);
  await visit(page, `/dashboard/orders/${orderId}`);
  const head = page.getByText(/^Items of order CM-\d+$/);
  assert.ok(await head.isHidden(), 'on paper only');

  await page.emulateMedia({ media: 'print' });
  assert.ok(await head.isVisible());
  const styles = await head.evaluate((element) => {
    const [group, sheet] = [element.parentElement?.parentElement, element.parentElement?.parentElement?.parentElement];
    if (!group || !sheet) return null;
    const listBreaks = (selector: string) =>
      [...sheet.querySelectorAll(selector)].map((one) => getComputedStyle(one).breakInside);
    const { display, breakInside } = getComputedStyle(group);
    return { head: `${display} ${breakInside}`, lines: listBreaks('li'), totals: listBreaks('dl') };
  });
  assert.deepEqual(styles, {
    head: 'table-header-group avoid',
    lines: Array.from({ length: LINES }, () => 'avoid'),
    totals: ['avoid'],
  });
  assert.equal(await countSheets(page), 3);
  await close();
});
