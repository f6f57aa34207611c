/** Tax and shipping in the browser: set by owners, estimated in the cart, and part of the order. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from '@playwright/test';
import { assertAccessible } from '../support/axe.ts';
import { openPage } from '../support/browser.ts';
import { fillBilling, openCartAsBuyer, signIn, visit } from '../support/buyer.ts';
import { GERMAN_TAX, logInAs, PAID_SHIPPING, putSettings } from '../support/charge-settings.ts';
import { FakeEcb, respondWithDays } from '../support/fake-ecb.ts';
import { startTestShop } from '../support/shop.ts';
import type { TestShop } from '../support/shop.ts';
import { saveScreenshots } from '../support/screenshots.ts';

const PASSWORD = 'crypto-market';

const ecb = new FakeEcb();
let shop: TestShop;
let owner: string;
before(async () => {
  await ecb.open();
  shop = await startTestShop({ settings: { ECB_RATES_URL: ecb.url } });
  owner = await logInAs(shop, 'owner');
});
after(async () => {
  await shop.stop();
  ecb.close();
});

/** The value beside a label of the totals. */
const readTotal = (page: Page, label: string): Promise<string> =>
  page.getByRole('complementary').locator('dl > div', { hasText: label }).locator('dd').first().innerText();
const waitForTotal = (page: Page, label: string, text: string): Promise<void> =>
  page
    .getByRole('complementary')
    .locator('dl > div', { hasText: label })
    .locator('dd', { hasText: text })
    .first()
    .waitFor();

test('[OPS-15] owners set zones and rates, and read what is wrong', async () => {
  const { page, close } = await openPage(shop, { expectedStatuses: [400] });
  await signIn(shop, page, 'owner', PASSWORD);
  await visit(page, '/admin/shipping');
  await assertAccessible(page);
  await page.getByRole('button', { name: 'Add zone' }).click();
  const zone = page.getByRole('group', { name: 'Zone 2', exact: true });
  await page.getByRole('button', { name: 'Save shipping' }).click();
  await zone.getByText('Enter a name, such as Europe.').waitFor();
  assert.equal(
    await zone.getByLabel('Name', { exact: true }).evaluate((field) => field === document.activeElement),
    true,
  );
  await zone.getByLabel('Name', { exact: true }).fill('Germany');
  await zone.getByLabel('Countries', { exact: true }).selectOption({ label: 'Germany' });
  await zone.getByLabel('Shipping costs $').fill('4.90');
  await zone.getByLabel('Free from $').fill('5000');
  await page.getByLabel('Not delivered to').selectOption({ label: 'Japan' });
  await saveScreenshots(page, 'admin-shipping');
  await page.getByRole('button', { name: 'Save shipping' }).click();
  await page.getByText('Shipping saved').first().waitFor();

  await visit(page, '/admin/tax');
  // A first rate is offered: that of the shop's country.
  const home = page.getByLabel('Country of the shop');
  await home.selectOption({ label: 'Germany' });
  const country = page.getByRole('group', { name: 'Country 1', exact: true });
  assert.equal(await country.getByLabel('Country', { exact: true }).inputValue(), 'DE');
  // A second one is of another country.
  await page.getByRole('button', { name: 'Add country' }).click();
  const second = page.getByRole('group', { name: 'Country 2', exact: true });
  assert.equal(await second.getByLabel('Country', { exact: true }).inputValue(), '');
  await second.getByRole('button', { name: 'Remove country 2' }).click();
  await country.getByRole('button', { name: 'Remove country 1' }).and(page.locator(':focus')).waitFor();
  await country.getByLabel('Standard rate in %').fill('nineteen');
  await home.selectOption({ label: 'Not set' });
  assert.equal(await country.getByLabel('Country', { exact: true }).inputValue(), 'DE');
  // A rate that was typed is not dropped when its field is emptied.
  await country.getByLabel('Standard rate in %').fill('');
  await page.getByRole('button', { name: 'Save tax' }).click();
  await country.getByText('Enter the standard rate.').waitFor();
  await country.getByLabel('Standard rate in %').fill('nineteen');
  await page.getByRole('button', { name: 'Save tax' }).click();
  await country.getByText('Enter a percentage from 0 to 100').waitFor();
  await country.getByLabel('Standard rate in %').fill('19');
  await assertAccessible(page);
  await saveScreenshots(page, 'admin-tax');
  await page.getByRole('button', { name: 'Save tax' }).click();
  await page.getByText('Enter the tax number of the shop first').waitFor();
  await page.getByRole('link', { name: 'Enter tax number' }).click();
  const legal = page.locator('#legal');
  await legal.getByLabel('Tax number').fill('DE123456789');
  await page.getByText('Unsaved changes').waitFor();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('All changes are saved').waitFor();
  await visit(page, '/admin/tax');
  await page.getByRole('button', { name: 'Save tax' }).click();
  await page.getByText('Tax saved').first().waitFor();
  await visit(page, '/admin/tax');
  assert.equal(await page.getByLabel('Standard rate in %').inputValue(), '19');
  await close();
});

test('[OPS-13] [OPS-15] a new order begins with the country of the shop', async () => {
  const former = Object.assign({}, (await shop.api('GET', '/tax/settings', { token: owner })).body);
  assert.equal((await putSettings(shop, 'tax', { ...former, home_country: 'FR' }, owner)).status, 200);
  const { page, close } = await openPage(shop);
  await signIn(shop, page, 'staff', PASSWORD);
  await visit(page, '/admin/orders/new');
  await page.getByRole('button', { name: 'New customer' }).click();
  assert.equal(await page.getByLabel('Region').inputValue(), 'Europe');
  const country = page.getByLabel('Country');
  assert.equal(await country.inputValue(), 'FR');
  await country.selectOption({ label: 'Germany' });
  await page.getByRole('button', { name: 'Find a customer instead' }).click();
  assert.equal(await country.inputValue(), 'DE');
  await close();
  assert.equal((await putSettings(shop, 'tax', former, owner)).status, 200);
});

test('[OPS-15] staff read tax and shipping without being able to change them', async () => {
  const { page, close } = await openPage(shop);
  await signIn(shop, page, 'staff', PASSWORD);
  for (const path of ['/admin/tax', '/admin/shipping']) {
    await visit(page, path);
    await page.getByText('Only owners can change').waitFor();
    assert.equal(await page.getByRole('button', { name: /^Save/ }).count(), 0);
    assert.equal(await page.getByRole('main').getByRole('textbox').first().isEnabled(), false);
    await assertAccessible(page);
  }
  await close();
});

test('[OPS-15] shows shipping and tax from cart to order', async () => {
  await putSettings(shop, 'tax', { ...GERMAN_TAX, price_mode: 'net' }, owner);
  await putSettings(shop, 'shipping', PAID_SHIPPING, owner);
  const { page, close } = await openPage(shop);
  await openCartAsBuyer(shop, page);
  await waitForTotal(page, 'Shipping', 'Calculated at the next step');
  await waitForTotal(page, 'VAT', 'Calculated at the next step');
  await saveScreenshots(page, 'cart-unknown');
  await page.getByRole('button', { name: 'Continue to Checkout' }).click();
  await fillBilling(page);
  await waitForTotal(page, 'Shipping', '$20.00');
  await page.getByLabel('Country').selectOption({ label: 'Germany' });
  await page.getByLabel('Postcode').fill('10115');
  await waitForTotal(page, 'Shipping', '$4.90');
  await waitForTotal(page, 'VAT 19%', '$');
  const total = await readTotal(page, 'Total');

  // A business in France pays no VAT.
  await page.getByLabel('Country').selectOption({ label: 'France' });
  await page.getByLabel('VAT number (optional)').fill('DE123456789');
  await page.getByLabel('VAT number (optional)').blur();
  await page.getByText('Not a VAT number of France. It starts with FR.').waitFor();
  await page.getByLabel('VAT number (optional)').fill('FR83404833048');
  await page.getByLabel('VAT number (optional)').blur();
  await waitForTotal(page, 'VAT', 'Reverse charge');
  await assertAccessible(page);
  await saveScreenshots(page, 'billing-vat');

  await page.getByLabel('Country').selectOption({ label: 'Germany' });
  await page.getByLabel('VAT number (optional)').fill('');
  await page.getByLabel('VAT number (optional)').blur();
  await waitForTotal(page, 'VAT 19%', '$');
  assert.equal(await readTotal(page, 'Total'), total);
  await page.getByRole('button', { name: 'Order with obligation to pay' }).click();
  await page.getByRole('heading', { name: 'Complete your order' }).waitFor();
  await waitForTotal(page, 'Shipping', '$4.90');
  assert.equal(await readTotal(page, 'Total'), total, 'what was shown is what is due');
  await saveScreenshots(page, 'order-net');
  await visit(page, '/dashboard/orders');
  await page
    .getByRole('link', { name: /View order|CM-|Details/ })
    .first()
    .click();
  await page.getByText('VAT 19%').waitFor();
  await saveScreenshots(page, 'order-page');
  await close();
});

test('[OPS-15] offers only countries that are delivered to', async () => {
  await putSettings(shop, 'tax', GERMAN_TAX, owner);
  await putSettings(
    shop,
    'shipping',
    { ...PAID_SHIPPING, zones: PAID_SHIPPING.zones.slice(0, 1), excluded_countries: [] },
    owner,
  );
  const { page, close } = await openPage(shop);
  await openCartAsBuyer(shop, page);
  await page.getByRole('button', { name: 'Continue to Checkout' }).click();
  const regions = await page.getByLabel('Region').locator('option').allInnerTexts();
  assert.deepEqual(regions, ['Choose a region', 'Europe']);
  await page.getByLabel('Region').selectOption('Europe');
  const countries = await page.getByLabel('Country').locator('option').allInnerTexts();
  assert.deepEqual(countries, ['Choose a country', 'France', 'Germany']);
  await page.getByLabel('Country').selectOption({ label: 'Germany' });
  await waitForTotal(page, 'Includes VAT 19%', '$');
  await saveScreenshots(page, 'billing-gross');
  await visit(page, '/free-shipping');
  await page.getByRole('heading', { level: 1, name: 'Shipping', exact: true }).waitFor();
  await page.getByText('$4.90').waitFor();
  await assertAccessible(page);
  await saveScreenshots(page, 'shipping-page');
  await close();
});

test('[OPS-16] owners choose the currency of invoices and enter its rates', async () => {
  const { page, close } = await openPage(shop);
  await signIn(shop, page, 'owner', PASSWORD);
  await visit(page, '/admin/invoice-currency');
  await assertAccessible(page);
  await saveScreenshots(page, 'invoice-currency-none');
  await page.getByLabel('Amount of tax also in').selectOption('EUR');
  await page.getByLabel('Days for which a rate counts').fill('40');
  await page.getByRole('button', { name: 'Save currency' }).click();
  await page.getByText('Enter a whole number from 0 to 31.').waitFor();
  await page.getByLabel('Days for which a rate counts').fill('4');
  await page.getByRole('button', { name: 'Save currency' }).click();
  await page.getByText('There are no rates yet.').waitFor();
  const rates = page.getByLabel('Day and rate, one per line');
  await rates.fill('2026-11-26,0.8601\n2026-11-27,nothing');
  await page.getByRole('button', { name: 'Save rates' }).click();
  await page.getByText(/^Line 2: Enter one rate above 0/).waitFor();
  assert.equal(await page.getByRole('dialog').count(), 0);
  await rates.fill('day;rate\n2026-11-26;0.8601\n2026-11-27;0.86');
  await page.getByRole('button', { name: 'Save rates' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Save rates' }).click();
  await page.getByRole('cell', { name: '0.8601' }).waitFor();
  await assertAccessible(page);
  await saveScreenshots(page, 'invoice-currency');
  await page.getByRole('button', { name: 'Delete the rate of 2026-11-26' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('cell', { name: '0.8601' }).waitFor({ state: 'detached' });
  await page.getByLabel('Amount of tax also in').selectOption('');
  await page.getByRole('button', { name: 'Save currency' }).click();
  await page.getByRole('heading', { name: 'Rates: EUR for 1 USD' }).waitFor({ state: 'detached' });
  await close();
});

test('[OPS-16] owners choose the rates of the European Central Bank, and read why there are none', async () => {
  const { page, close } = await openPage(shop);
  await signIn(shop, page, 'owner', PASSWORD);
  await visit(page, '/admin/invoice-currency');
  await page.getByLabel('Amount of tax also in').selectOption('SEK');
  await page.getByLabel('Source of the rates').selectOption('European Central Bank');
  await page.getByLabel('Days for which a rate counts').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Save currency' }).click();
  await page.getByText('The file does not have the form that the shop can read.').waitFor();
  await page.getByText('There are no rates yet.').waitFor();
  assert.equal(await page.getByRole('button', { name: 'Save rates' }).count(), 0);
  await assertAccessible(page);
  await saveScreenshots(page, 'invoice-currency-ecb-failed');
  const [today, yesterday] = [0, 1].map((days) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10));
  ecb.history = respondWithDays({
    [today ?? '']: { USD: '1.1575', SEK: '10.9520' },
    [yesterday ?? '']: { USD: '1.1601', SEK: '10.9475' },
  });
  // Another source and back: the file is requested anew.
  await page.getByLabel('Source of the rates').selectOption('A table of my own');
  await page.getByRole('button', { name: 'Save currency' }).click();
  await page.getByRole('button', { name: 'Save rates' }).waitFor();
  await page.getByLabel('Source of the rates').selectOption('European Central Bank');
  await page.getByRole('button', { name: 'Save currency' }).click();
  await page.getByRole('cell', { name: '9.46177106' }).waitFor();
  await assertAccessible(page);
  await saveScreenshots(page, 'invoice-currency-ecb');
  await page.getByLabel('Amount of tax also in').selectOption('');
  await page.getByRole('button', { name: 'Save currency' }).click();
  await page.getByRole('heading', { name: 'Rates: SEK for 1 USD' }).waitFor({ state: 'detached' });
  await close();
});
