/** Reviews: written on the order page, shown on the product page after approval. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { assertAccessible } from '../support/axe.ts';
import { openPage } from '../support/browser.ts';
import { openCartAsBuyer, getOpenOrderId, placeOrder, visit } from '../support/buyer.ts';
import { listAt, textAt } from '../support/read-json.ts';
import { shareTestShop } from '../support/shared-shop.ts';
import type { TestShop } from '../support/shop.ts';

let shop: TestShop;
before(async () => {
  shop = await shareTestShop();
});

test('[REV-03] accepts one review per paid product, shown after approval', async () => {
  const { page, close } = await openPage(shop, { expectedStatuses: [400] });
  await openCartAsBuyer(shop, page);
  await placeOrder(shop, page);
  const id = await getOpenOrderId(shop, page);
  const offer = page.getByText('write a review');
  await visit(page, `/dashboard/orders/${id}`);
  assert.equal(await offer.count(), 0, 'nothing is paid yet');
  await shop.api('POST', '/dev/pay', { body: { order_id: id } });
  await shop.api('POST', '/dev/mine', { body: { blocks: 3 } });
  await visit(page, `/dashboard/orders/${id}`);
  await offer.click();
  await page.getByRole('button', { name: 'Send review' }).click();
  await page.getByText('Choose 1 to 5 stars').waitFor();
  await page.getByText('Write a few words about the product').waitFor();
  assert.equal(
    await page.getByRole('group', { name: 'Your rating' }).evaluate((stars) => getComputedStyle(stars).borderTopStyle),
    'none',
  );
  await page.getByRole('radio', { name: '4 stars' }).check();
  await page.getByText('Choose 1 to 5 stars').waitFor({ state: 'detached' });
  await page.getByText('Write a few words about the product').waitFor();
  await page.getByRole('textbox', { name: 'Your review' }).fill('Thin');
  await page.getByText('Write a few words about the product').waitFor({ state: 'detached' });
  await page.getByRole('textbox', { name: 'Your review' }).fill('Thin and light.\nI like it.');
  const name = page.getByRole('textbox', { name: 'Name to show' });
  assert.equal(await name.inputValue(), 'Ada');
  await name.fill('buy at evil.com');
  await page.getByRole('button', { name: 'Send review' }).click();
  await page.getByText('Name to show must not contain a web address').waitFor();
  await name.fill('Ada from Turin');
  await page.getByText('Name to show must not contain a web address').waitFor({ state: 'detached' });
  await assertAccessible(page);
  await page.getByRole('button', { name: 'Send review' }).click();
  await page.getByText('Thank you. Your review appears after we approve it.').waitFor();
  await page.reload();
  await page.getByText('4/5').waitFor();
  assert.equal(await offer.count(), 0);

  const account = { username: 'staff', password: 'crypto-market' };
  const token = textAt((await shop.api('POST', '/users/login', { body: account })).body, 'tokens', 'accessToken');
  const waiting = listAt((await shop.api('GET', '/support/reviews?state=waiting', { token })).body, 'reviews');
  const review = waiting.find((row) => textAt(row, 'name') === 'Ada from Turin');
  await visit(page, '/catalog/product/iphone-air');
  assert.equal(await page.getByText('Thin and light.').count(), 0);
  await shop.api('POST', `/support/reviews/${textAt(review, 'id')}/approve`, { token });
  await visit(page, '/catalog/product/iphone-air');
  await page.getByRole('article').filter({ hasText: 'Ada from Turin' }).getByText('Thin and light.').waitFor();
  await visit(page, `/dashboard/orders/${id}`);
  await page.getByText('Published on the product page.').waitFor();
  await close();
});
