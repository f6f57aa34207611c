import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { assertAccessible } from '../support/axe.ts';
import { openPage } from '../support/browser.ts';
import { openCartAsBuyer, placeOrder } from '../support/buyer.ts';
import { startTestShop } from '../support/shop.ts';
import type { TestShop } from '../support/shop.ts';

let shop: TestShop;
before(async () => {
  shop = await startTestShop();
});
after(() => shop.stop());

test('the wallet page pays, mines, replaces, reorganises and moves the clock', async () => {
  const { page, close } = await openPage(shop, { expectedStatuses: [409] });
  await openCartAsBuyer(shop, page);
  const orderId = await placeOrder(shop, page);
  await page.goto('/dev/wallet');
  const pay = page.getByRole('region', { name: 'Pay an order' });
  assert.equal(await pay.getByLabel('Order id').inputValue(), orderId);
  await pay.getByLabel('Amount in BTC').fill('0.001');
  await pay.getByRole('button', { name: 'Pay' }).click();
  await pay.getByText(/^Sent\. Transaction [0-9a-f]{64} is in the mempool/).waitFor();
  const replace = page.getByRole('region', { name: 'Replace a payment' });
  await replace.getByRole('button', { name: 'Replace' }).click();
  await replace.getByText(/^Replaced by [0-9a-f]{64}/).waitFor();

  await pay.getByLabel('Amount in BTC').fill('');
  await pay.getByRole('button', { name: 'Pay' }).click();
  await pay.getByText(/: nothing is missing/).waitFor();
  const mine = page.getByRole('region', { name: 'Mine blocks' });
  await mine.getByRole('button', { name: 'Mine' }).click();
  await mine.getByText(/^One block mined\. The chain is \d+ blocks high\.$/).waitFor();
  const reorg = page.getByRole('region', { name: 'Reorganise the chain' });
  await reorg.getByRole('button', { name: 'Reorganise' }).click();
  await reorg.getByText(/^One block replaced\./).waitFor();
  await pay.getByRole('button', { name: 'Pay' }).click();
  await pay.getByText('Nothing is missing. The order is covered.').waitFor();

  const clock = page.getByRole('region', { name: 'Move the clock' });
  for (const name of ['+ 2 hours', 'Set', 'Back to real time']) {
    await clock.getByRole('button', { name }).click();
    await clock.getByText(/^The shop’s clock is at .* UTC\.$/).waitFor();
  }
  await assertAccessible(page);
  await close();
});
