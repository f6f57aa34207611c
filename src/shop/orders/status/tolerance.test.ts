import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { openOrderShop, WINDOW_MINUTES } from '../../../../tests/support/order-shop.ts';
import type { OrderShop } from '../../../../tests/support/order-shop.ts';
import { writeAccountingExport } from '#src/shop/accounting-export/service.ts';

let shop: OrderShop;
before(async () => {
  shop = await openOrderShop();
  await shop.setStock(1000);
});

async function readExportLines(number: string, name = 'short_sats'): Promise<readonly string[]> {
  let csv = '';
  await writeAccountingExport(shop.db, { from: null, to: null }, (text) => void (csv += text));
  const [head = '', ...lines] = csv.trimEnd().split('\r\n');
  const column = head.split(',').indexOf(name);
  return lines.filter((line) => line.startsWith(number)).map((line) => line.split(',')[column] ?? '');
}

test('[PAY-15] an order short by the tolerance is paid; exports the difference', async () => {
  shop.toleranceSats = 500n;
  const user = await shop.createBuyer();
  const { id, number, payment } = await shop.placeOrder(user);
  const half = { amount: payment.amount_btc / 2n, firstSeen: shop.now, height: shop.tip - 5 };
  const rest = { ...half, amount: payment.amount_btc - half.amount - 500n };
  await shop.setChainState(id, [half, { ...rest, amount: rest.amount - 1n }]);
  assert.equal((await shop.getShownOrder(user, id)).payment.state, 'underpaid');
  assert.deepEqual(await readExportLines(number), ['', '']);
  await shop.setChainState(id, [half, rest]);
  const shown = await shop.getShownOrder(user, id);
  assert.deepEqual([shown.payment_status, shown.payment.state, shown.payment.bip21], ['paid', 'paid', null]);
  assert.deepEqual((await readExportLines(number)).toSorted(), ['', '500']);
  assert.deepEqual((await readExportLines(number, 'short_because')).toSorted(), ['', 'tolerance']);
  await shop.setChainState(id, [half, { ...rest, amount: rest.amount + 350n }]);
  assert.deepEqual((await readExportLines(number)).toSorted(), ['', '150']);
  assert.deepEqual((await readExportLines(number, 'short_because')).toSorted(), ['', 'dust']);
});

test('[PAY-15] always asks for the full amount', async () => {
  shop.toleranceSats = 500n;
  const { payment } = await shop.placeOrder(await shop.createBuyer());
  assert.match(payment.bip21 ?? '', new RegExp(`amount=0\\.0*${payment.amount_btc}\\b`));
});

test('[PAY-15] a changed tolerance does not affect existing quotes', async () => {
  shop.toleranceSats = 0n;
  const user = await shop.createBuyer();
  const { id, payment } = await shop.placeOrder(user);
  shop.toleranceSats = 500n;
  const part = { amount: payment.amount_btc - 500n, firstSeen: shop.now, height: shop.tip - 5 };
  await shop.setChainState(id, [part]);
  assert.equal((await shop.getShownOrder(user, id)).payment.state, 'underpaid');
  shop.advanceMinutes(WINDOW_MINUTES);
  await shop.orderStatus.expireDue(shop.now);
  // A requote uses the present tolerance.
  assert.ok((await shop.orderStatus.requote(user, id)).ok);
  assert.equal((await shop.getShownOrder(user, id)).payment_status, 'paid');
});

test('[PAY-10] [PAY-15] accepts a late payment short by the tolerance', async () => {
  shop.toleranceSats = 500n;
  const user = await shop.createBuyer();
  const { id, payment } = await shop.createExpiredOrder(user);
  await shop.setChainState(id, [{ amount: payment.amount_btc - 500n, firstSeen: shop.now, height: shop.tip - 5 }]);
  assert.equal((await shop.getShownOrder(user, id)).payment_status, 'paid');
});
