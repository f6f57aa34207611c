/** The pay step: titles, QR code, copying, and links of a paid order. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Locator, Page } from '@playwright/test';
import { openPage } from '../support/browser.ts';
import { openCartAsBuyer, mine, payOrder, getPayPath, placeOrder, visit } from '../support/buyer.ts';
import { shareTestShop } from '../support/shared-shop.ts';
import type { TestShop } from '../support/shop.ts';

const PHONE = { width: 390, height: 844, hasTouch: true } as const;
const LAPTOP = { width: 1440, height: 900 } as const;

let shop: TestShop;
before(async () => {
  shop = await shareTestShop();
});

const getHeading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true });
/** The value of a term such as 'Status'. */
const readFact = (page: Page, term: string): Promise<string> =>
  page.locator('dl > div').filter({ hasText: term }).locator('dd').first().innerText();
const stepStates = (page: Page): Promise<(string | null)[]> =>
  page
    .getByRole('banner')
    .locator('li[data-state]')
    .evaluateAll((steps) => steps.map((step) => step.getAttribute('data-state')));

/** Whether the element is completely visible and its centre uncovered. */
const isInView = (locator: Locator): Promise<boolean> =>
  locator.evaluate((element) => {
    const { left, right, top, bottom } = element.getBoundingClientRect();
    const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    return top >= 0 && bottom <= window.innerHeight && hit !== null && (hit === element || element.contains(hit));
  });

const measureTop = async (locator: Locator): Promise<number> => (await locator.boundingBox())?.y ?? Number.NaN;

test('[PAY-01] waits for confirmation while the full amount is seen or confirming', async () => {
  const { page, context, close } = await openPage(shop);
  await openCartAsBuyer(shop, page);
  const orderId = await placeOrder(shop, page);
  assert.equal(await readFact(page, 'Status'), 'Awaiting payment');
  await page.getByRole('timer').waitFor();
  const payPath = await getPayPath(shop, page);
  await payOrder(shop, orderId);
  const other = await context.newPage();
  for (const text of ['Payment seen', '1 of 2 confirmations']) {
    await page.getByText(text, { exact: true }).first().waitFor();
    await getHeading(page, 'Waiting for confirmation').waitFor();
    assert.equal(await readFact(page, 'Status'), 'Awaiting confirmation');
    assert.equal(await page.getByRole('timer').count(), 0);
    await visit(other, payPath);
    await getHeading(other, 'Waiting for confirmation').waitFor();
    assert.equal(await readFact(other, 'Status'), 'Awaiting confirmation');
    await visit(other, '/dashboard');
    await other.getByRole('link', { name: 'Awaiting confirmation' }).waitFor();
    if (text === 'Payment seen') await mine(shop, 1);
  }
  await close();
});

test('[PAY-01] shows title, steps and links of a paid order on phones', async () => {
  const { page, close } = await openPage(shop, PHONE);
  await openCartAsBuyer(shop, page);
  const orderId = await placeOrder(shop, page);
  assert.deepEqual(await stepStates(page), ['done', 'done', 'current']);
  await page.getByRole('button', { name: 'Copy wallet address' }).scrollIntoViewIfNeeded();
  await payOrder(shop, orderId);
  await mine(shop, 2);
  const assertPaid = async (): Promise<void> => {
    await page.getByRole('heading', { level: 1, name: 'Order paid.', exact: true }).waitFor();
    assert.equal(await getHeading(page, 'Order paid.').count(), 1);
    // Title and scroll position follow the heading in an effect.
    await page.waitForFunction(() => document.title === 'Order paid. · Crypto Market' && window.scrollY === 0);
    assert.deepEqual(await stepStates(page), ['done', 'done', 'done']);
    for (const name of ['View order and receipt', 'Continue shopping']) {
      assert.ok(await isInView(page.getByRole('link', { name })), `${name} is in view`);
    }
  };
  await assertPaid();
  await page.reload();
  await assertPaid();
  await page.getByRole('link', { name: 'View order and receipt' }).click();
  await page.waitForURL(`**/dashboard/orders/${orderId}`);
  // The title of the page before begins with "Order" too.
  await page.waitForFunction(() => /^Order (?!paid)/.test(document.title));
  await close();
});

test('[PAY-08] the QR code is scannable on laptops and phones', async () => {
  const sizes = [];
  for (const screen of [LAPTOP, PHONE]) {
    const { page, close } = await openPage(shop, screen);
    await openCartAsBuyer(shop, page);
    await placeOrder(shop, page);
    // The dark modules, without the white around them.
    const code = page.locator('figure svg path');
    sizes.push((await code.boundingBox())?.width ?? 0);
    await close();
  }
  const [laptop = 0, phone = 0] = sizes;
  assert.ok(laptop >= 240, `${laptop} px on a laptop`);
  assert.ok(phone >= 240, `${phone} px on a phone`);
});

test('[PAY-03] copies the payment link from the QR code by tap or Enter', async () => {
  const { page, context, close } = await openPage(shop, PHONE);
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await openCartAsBuyer(shop, page);
  await placeOrder(shop, page);
  const link = await page.getByRole('link', { name: 'Open in wallet' }).getAttribute('href');
  const code = page.getByRole('button', { name: 'QR code: copy the payment link' });
  for (const press of [() => code.tap(), () => code.press('Enter')]) {
    await page.evaluate(() => navigator.clipboard.writeText(''));
    await press();
    await code.getByText('Copied', { exact: true }).waitFor();
    await page.getByText('Copied to clipboard!').waitFor();
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), link);
    await code.getByText('Copied', { exact: true }).waitFor({ state: 'detached' });
  }
  for (const what of ['amount', 'sats', 'wallet address', 'payment link', 'page link']) {
    const button = page.getByRole('button', { name: `Copy ${what}` });
    await button.tap();
    await button.getByText('Copied', { exact: true }).waitFor();
  }
  await close();
});

test('[PAY-13] offers a refund address right after the payment details', async () => {
  const { page, close } = await openPage(shop, LAPTOP);
  await openCartAsBuyer(shop, page);
  await placeOrder(shop, page);
  const facts = await measureTop(page.getByText('Paying from an exchange?', { exact: false }));
  const refund = await measureTop(page.getByText('Refund address'));
  const paid = await measureTop(page.getByRole('button', { name: 'I paid' }));
  assert.ok(facts < refund && refund < paid, `${facts} < ${refund} < ${paid}`);
  await close();
});
