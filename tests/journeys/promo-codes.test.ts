/** Promo codes in the cart and on the order. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from '@playwright/test';
import { sql } from 'kysely';
import { assertAccessible } from '../support/axe.ts';
import { openPage } from '../support/browser.ts';
import { addPromotion } from '../support/add-promotion.ts';
import { openCartAsBuyer, waitForCartLines, waitForEffects, fillBilling, placeOrder, visit } from '../support/buyer.ts';
import { startTestShop } from '../support/shop.ts';
import type { TestShop } from '../support/shop.ts';
import { runWithShopDatabase } from '../support/stock-stress.ts';

let shop: TestShop;
before(async () => {
  shop = await startTestShop();
});
after(() => shop.stop());

const getTotals = (page: Page) => page.getByRole('complementary', { name: 'Cart Totals' });
const getField = (page: Page) => page.getByLabel('Promo code', { exact: true });
const applyButton = (page: Page) => page.getByRole('button', { name: 'Apply', exact: true });

const getGift = (page: Page) => page.getByRole('main').getByRole('listitem').filter({ hasText: 'Gift with code GIFT' });

async function addPhoneAsGuest(page: Page): Promise<void> {
  await visit(page, '/catalog/product/iphone-air');
  await page.getByRole('button', { name: 'Add to Cart', exact: true }).click();
  await waitForCartLines(page, 1);
  await visit(page, '/cart');
}

async function apply(page: Page, code: string): Promise<void> {
  await getField(page).fill(code);
  await applyButton(page).click();
}

test('[CART-06] [PROMO-01] [PROMO-02] [PROMO-06] applies, shows and removes a code', async () => {
  const { page, close } = await openPage(shop);
  await addPhoneAsGuest(page);
  assert.ok(await applyButton(page).isDisabled(), 'nothing to apply');
  await getField(page).fill('   ');
  assert.ok(await applyButton(page).isDisabled(), 'blanks count as empty');
  await Promise.all([page.getByText('Promo code applied successfully').waitFor(), apply(page, ' welcome10 ')]);
  await getTotals(page).getByText('Discount 10%').waitFor();
  await getTotals(page).getByText('−$99.90').waitFor();
  await getTotals(page).getByText('$899.10').waitFor();
  await getTotals(page).getByText('0.008100 BTC', { exact: false }).first().waitFor();
  assert.equal(await getField(page).inputValue(), 'WELCOME10');
  assert.ok(!(await getField(page).isEditable()));
  assert.ok(await applyButton(page).isDisabled());
  await assertAccessible(page);
  await page.getByRole('button', { name: 'Remove promo code WELCOME10' }).click();
  await getTotals(page).getByText('Discount 10%').waitFor({ state: 'detached' });
  assert.ok(await getField(page).isEditable());
  await close();
});

test('[PROMO-01] the form stands beside an empty cart too, disabled', async () => {
  const { page, close } = await openPage(shop);
  await page.goto('/cart');
  await page.getByText('No items in cart').first().waitFor();
  assert.ok(await page.getByLabel('Promo code').isDisabled());
  assert.ok(await page.getByRole('button', { name: 'Apply', exact: true }).isDisabled());
  await close();
});

test('[PROMO-02] shows an unknown code in place for 3 seconds', async () => {
  const { page, close } = await openPage(shop, { expectedStatuses: [404] });
  await addPhoneAsGuest(page);
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 20_000);
  await apply(page, 'NOTHING');
  await page.getByText('Promo code not found').waitFor();
  await waitForEffects(page);
  assert.equal(await getField(page).getAttribute('aria-invalid'), 'true');
  assert.equal(await getField(page).inputValue(), 'NOTHING', 'the input stays');
  await page.clock.runFor(2800);
  assert.equal(await page.getByText('Promo code not found').count(), 1);
  await page.clock.runFor(300);
  await page.getByText('Promo code not found').waitFor({ state: 'detached' });
  await close().catch((error: unknown) => assert.match(String(error), /Changing the promo code failed/));
});

test('[PROMO-04] suggests the code that saves most, applied by one click', async () => {
  const { page, close } = await openPage(shop);
  await addPhoneAsGuest(page);
  await page.getByRole('button', { name: 'Use SPRING15' }).click();
  await getTotals(page).getByText('Discount 15%').waitFor();
  assert.equal(await page.getByRole('button', { name: /^Use / }).count(), 0, 'no code saves more');
  await close();
});

test('[PROMO-03] [CART-04] adds and removes a gift automatically in both tabs', async () => {
  const { page, context, close } = await openPage(shop);
  await addPhoneAsGuest(page);
  const otherTab = await context.newPage();
  await visit(otherTab, '/cart');
  await apply(page, 'GIFT');
  await getGift(page).getByText('Free', { exact: false }).first().waitFor();
  await getGift(page).getByText('0 BTC', { exact: true }).waitFor();
  assert.equal(await getGift(page).getByRole('button').count(), 0, 'no controls on it');
  await getGift(otherTab).waitFor();
  assert.equal(await getField(otherTab).inputValue(), 'GIFT');
  await otherTab.getByRole('button', { name: 'Remove promo code GIFT' }).click();
  await getGift(page).waitFor({ state: 'detached' });
  await apply(page, 'GIFT');
  await getGift(page).waitFor();
  await page.getByRole('button', { name: 'Remove iPhone Air' }).click();
  await page.getByText('No items in cart').waitFor();
  await otherTab.getByText('No items in cart').waitFor();
  await close();
});

test('[PROMO-01] [PROMO-05] stores the code with the order and hides the form', async () => {
  const { page, close } = await openPage(shop);
  await openCartAsBuyer(shop, page);
  await apply(page, 'MINUS50');
  await getTotals(page).getByText('$949.00').waitFor();
  await placeOrder(shop, page);
  assert.equal(await getField(page).count(), 0);
  await getTotals(page).getByText('Fixed amount $50 off').waitFor();
  await getTotals(page).getByText('−$50.00').waitFor();
  await getTotals(page).getByText('$949', { exact: true }).waitFor();
  await visit(page, '/dashboard/orders');
  await page.getByRole('article').getByText('Fixed amount $50 off').waitFor();
  await close();
});

test('[PROMO-02] [PROMO-06] applies and removes a code without JavaScript', async () => {
  const { page, close } = await openPage(shop, { javaScript: false, expectedStatuses: [404] });
  await page.goto('/catalog/product/iphone-air');
  await page.getByRole('button', { name: 'Add to Cart', exact: true }).click();
  await page.waitForURL('**/cart');
  await apply(page, 'WELCOME10');
  await getTotals(page).getByText('Discount 10%').waitFor();
  await page.getByRole('button', { name: 'Remove promo code WELCOME10' }).click();
  await getTotals(page).getByText('Discount 10%').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Use SPRING15' }).click();
  await getTotals(page).getByText('Discount 15%').waitFor();
  await page.getByRole('button', { name: 'Remove promo code SPRING15' }).click();
  await apply(page, 'NOTHING');
  await page.getByRole('alert').getByText('Promo code not found').waitFor();
  await close();
});

test('[PROMO-02] [PROMO-03] shows when the minimum of a code is missed, reapplies it later', async () => {
  await runWithShopDatabase(shop, (db) => addPromotion(db, { code: 'BIG', minimumCents: 150_000 }));
  const { page, close } = await openPage(shop);
  await addPhoneAsGuest(page);
  await page.getByRole('button', { name: 'Increase quantity' }).click();
  await getTotals(page).getByText('$1,998.00').first().waitFor();
  await apply(page, 'BIG');
  await getTotals(page).getByText('Discount 10%').waitFor();
  await page.getByRole('button', { name: 'Decrease quantity' }).click();
  await page.getByText('The promo code BIG requires an order of at least $1,500').waitFor();
  await getTotals(page).getByText('Discount 10%').waitFor({ state: 'detached' });
  await assertAccessible(page);
  await page.getByRole('button', { name: 'Increase quantity' }).click();
  await getTotals(page).getByText('Discount 10%').waitFor();
  await page.getByText('requires an order of', { exact: false }).waitFor({ state: 'detached' });
  await close();
});

test('[PROMO-03] [BILL-03] refuses checkout with a lapsed code, never silently dearer', async () => {
  await runWithShopDatabase(shop, (db) => addPromotion(db, { code: 'SHORT' }));
  const { page, getProblems, context } = await openPage(shop, { expectedStatuses: [409] });
  await openCartAsBuyer(shop, page);
  await apply(page, 'SHORT');
  await getTotals(page).getByText('$899.10').waitFor();
  await page.getByRole('button', { name: 'Continue to Checkout' }).click();
  await fillBilling(page);
  await runWithShopDatabase(shop, (db) =>
    sql`update promotions set ends_at = now() - interval '1 second' where code = 'SHORT'`.execute(db),
  );
  await page.getByRole('button', { name: 'Order with obligation to pay' }).click();
  await page.getByRole('alert').getByText('The promo code SHORT has expired.').waitFor();
  await getTotals(page).getByText('$999.00').first().waitFor();
  await page.getByRole('button', { name: 'Remove promo code SHORT' }).click();
  await page.getByRole('button', { name: 'Order with obligation to pay' }).click();
  await page.getByRole('heading', { name: 'Complete your order' }).waitFor();
  assert.deepEqual(
    getProblems().filter((line) => !line.includes('the checkout failed')),
    [],
  );
  await context.close();
});

test('[PROMO-03] [PAY-01] pays a free order, refuses one below dust', async () => {
  await runWithShopDatabase(shop, (db) => addPromotion(db, { code: 'ALL', type: 'fixed_amount', cents: 1_000_000 }));
  await runWithShopDatabase(shop, (db) => addPromotion(db, { code: 'NEARLY', type: 'fixed_amount', cents: 99_890 }));
  const { page, getProblems, context } = await openPage(shop, { expectedStatuses: [400] });
  await openCartAsBuyer(shop, page);
  await apply(page, 'NEARLY');
  await getTotals(page).getByText('$0.10').waitFor();
  await page.getByRole('button', { name: 'Continue to Checkout' }).click();
  await fillBilling(page);
  await page.getByRole('button', { name: 'Order with obligation to pay' }).click();
  await page
    .getByRole('alert')
    .getByText(/too small/)
    .waitFor();
  await page.getByRole('button', { name: 'Remove promo code NEARLY' }).click();
  await getTotals(page).getByText('Discount', { exact: false }).waitFor({ state: 'detached' });
  await apply(page, 'ALL');
  await getTotals(page).getByText('$0.00').waitFor();
  await page.getByRole('button', { name: 'Order with obligation to pay' }).click();
  await page.getByRole('heading', { name: 'Order paid.' }).waitFor();
  await page.getByText('There is nothing to pay', { exact: false }).waitFor();
  assert.equal(await page.getByRole('link', { name: 'Open in wallet' }).count(), 0);
  assert.deepEqual(
    getProblems().filter((line) => !line.includes('the checkout failed')),
    [],
  );
  await context.close();
});
