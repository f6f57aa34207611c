/** A day of a shop, from the first setting to the books. One of its two processes dies at noon. */
import { after, before, test } from 'node:test';
import { compareBooks, readAuditLog, readSales } from '../support/shop-day/book-steps.ts';
import { buyTag, buyWithPromotion, payRest, underpay } from '../support/shop-day/purchase-steps.ts';
import { refundOneTag } from '../support/shop-day/refund-steps.ts';
import { askForPaidOrderMails, setTaxAndShipping } from '../support/shop-day/set-up-steps.ts';
import { downloadInvoice, printPackingSlip, ship } from '../support/shop-day/shipping-steps.ts';
import { closeShopDay, openShopDay } from '../support/shop-day/shop-day.ts';
import { answerTicket, killFirstProcess, seeOrder, watchOrders } from '../support/shop-day/support-steps.ts';
import { startTwoProcessShop } from '../support/day-shop.ts';
import type { TwoProcessShop } from '../support/day-shop.ts';

let shop: TwoProcessShop;
before(async () => {
  shop = await startTwoProcessShop();
});
after(() => shop.stop());

test('[OPS-03] [OPS-04] [OPS-05] [OPS-06] [OPS-13] [OPS-15] [OPS-16] [OPS-18] [OPS-23] a day of a shop', async () => {
  const day = await openShopDay(shop);
  await setTaxAndShipping(day);
  await askForPaidOrderMails(day);
  await watchOrders(day);
  const order = await buyWithPromotion(day);
  await underpay(day, order);
  await seeOrder(day, order, 'Underpaid');
  await payRest(day, order);
  await seeOrder(day, order, 'Paid');

  await killFirstProcess(day, shop);
  const small = await buyTag(day);
  await seeOrder(day, small, 'Paid');
  await printPackingSlip(day, order);
  await ship(day, order);
  await downloadInvoice(day, order);
  await answerTicket(day, order);
  const note = await refundOneTag(day, order);

  await readSales(day, [order, small], note.usd);
  await compareBooks(day, [order, small], { order, note });
  await readAuditLog(day);
  await closeShopDay(day);
});
