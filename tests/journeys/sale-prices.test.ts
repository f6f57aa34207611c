/** Staff and owner schedule sale prices in the browser, and buyers see them. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { assertAccessible } from '../support/axe.ts';
import { openPage } from '../support/browser.ts';
import type { PageOptions } from '../support/browser.ts';
import { signIn, visit } from '../support/buyer.ts';
import { CatalogueEditor } from '../support/catalogue-editor.ts';
import { listAt, textAt } from '../support/read-json.ts';
import { startTestShop } from '../support/shop.ts';
import type { TestShop } from '../support/shop.ts';

const PASSWORD = 'crypto-market';
const PHONE = 'iphone-17-pro';
let shop: TestShop;
let editor: CatalogueEditor;
let phoneId: string;
before(async () => {
  shop = await startTestShop();
  editor = await CatalogueEditor.open(shop);
  phoneId = textAt((await shop.api('GET', `/products/${PHONE}`)).body, 'id');
});
after(() => shop.stop());

async function open(username: string, path: string, options: PageOptions = {}) {
  const opened = await openPage(shop, options);
  await signIn(shop, opened.page, username, PASSWORD);
  await visit(opened.page, path);
  return opened;
}

for (const options of [
  { width: 390, colorScheme: 'dark', username: 'staff' },
  { width: 1440, colorScheme: 'light', username: 'owner' },
] as const) {
  test(`[OPS-09] ${options.username} schedules, ends and deletes sale prices at ${options.width} px`, async () => {
    const content = await editor.createContent({ base_price_usd: 100 });
    const { id } = await editor.publish(content);
    const { page, close } = await open(options.username, `/admin/products/${id}`, {
      ...options,
      expectedStatuses: [400, 409],
    });
    const section = page.getByRole('region', { name: 'Sale prices' });
    const dialog = page.getByRole('dialog');
    const priceField = section.getByLabel('Sale price in USD', { exact: true });
    await section.getByRole('button', { name: 'Add sale price' }).click();
    await section.getByRole('button', { name: 'Schedule sale price' }).click();
    await section.getByText('Enter a price in dollars, such as 899 or 899.50').waitFor();
    assert.ok(await priceField.evaluate((field) => field === document.activeElement));
    await priceField.fill('100');
    await page.keyboard.press('Enter');
    await section.getByText('The sale price must be above zero and below $100.00').waitFor();
    await assertAccessible(page);
    await priceField.fill('89.90');
    await page.keyboard.press('Enter');
    await section.getByText('$89.90 instead of $100.00').waitFor();
    await section.getByText('Running', { exact: true }).waitFor();
    await section.getByText('Shown as a reduction: was $100.00, the lowest price in the 30 days before').waitFor();
    await assertAccessible(page);
    assert.equal((await shop.api('GET', `/products?q=${encodeURIComponent(content.name)}&price_max=90`)).status, 200);

    await section.getByRole('button', { name: 'Add sale price' }).click();
    await section.getByLabel('Reduction').selectOption({ label: 'Percentage off' });
    await section.getByLabel('Percent off').fill('40');
    await section.getByLabel('Start (optional)').fill('2099-01-01T10:00');
    await section.getByRole('button', { name: 'Schedule sale price' }).click();
    await section.getByText('Another sale price is in force in this time').waitFor();
    await section.getByRole('button', { name: 'Cancel' }).click();

    await section.getByRole('button', { name: 'End now' }).click();
    await dialog.getByRole('button', { name: 'End now' }).click();
    await section.getByText('Ended sale prices (1)').waitFor();

    await section.getByRole('button', { name: 'Add sale price' }).click();
    await section.getByLabel('Reduction').selectOption({ label: 'Percentage off' });
    await section.getByLabel('Percent off').fill('50');
    await section.getByLabel('Start (optional)').fill('2099-01-01T10:00');
    await section.getByRole('button', { name: 'Schedule sale price' }).click();
    // A sale price of at most half is asked about.
    await dialog.getByText('$100.00 → $50.00').waitFor();
    await dialog.getByRole('button', { name: 'Save these prices' }).click();
    await section.getByText('50% off: $50.00 instead of $100.00').waitFor();
    await section.getByRole('button', { name: 'Change', exact: true }).click();
    await section.getByLabel('Percent off').fill('25');
    await section.getByLabel('End (optional)').fill('2099-02-01T10:00');
    await section.getByRole('button', { name: 'Save sale price' }).click();
    await section.getByText('25% off: $75.00 instead of $100.00').waitFor();
    await section.getByRole('button', { name: 'Delete' }).click();
    await dialog.getByRole('button', { name: 'Delete sale price' }).click();
    await section.getByText('25% off').waitFor({ state: 'detached' });
    await close();
  });
}

test('[OPS-09] refuses an edit of a sale price that changed meanwhile', async () => {
  const { id } = await editor.publish(await editor.createContent({ base_price_usd: 100 }));
  const body = { reduction: { kind: 'percent', percent: 10 }, starts_at: '2099-01-01T10:00:00Z', ends_at: null };
  const created = await editor.call('POST', `/products/${id}/sale-prices`, body);
  const saleId = textAt(created.body, 'sale_prices', 0, 'id');
  const { page, close } = await open('owner', `/admin/products/${id}`, { expectedStatuses: [409] });
  const section = page.getByRole('region', { name: 'Sale prices' });
  await section.getByRole('button', { name: 'Change', exact: true }).click();
  await section.getByLabel('Percent off').fill('20');
  const other = { ...body, reduction: { kind: 'percent', percent: 30 }, version: 1 };
  assert.equal((await editor.call('PUT', `/sale-prices/${saleId}`, other)).status, 200);
  await section.getByRole('button', { name: 'Save sale price' }).click();
  const dialog = page.getByRole('dialog', { name: /changed this sale price/ });
  await dialog.getByRole('button', { name: 'Take theirs' }).click();
  await section.getByLabel('Percent off').and(page.locator('[value="30"]')).waitFor();
  await close();
});

test('[OPS-09] a buyer sees the reduction until the sale price ends', async () => {
  const end = new Date(Date.now() + 86_400_000).toISOString();
  const body = { reduction: { kind: 'percent', percent: 10 }, starts_at: null, ends_at: end };
  const created = await editor.call('POST', `/products/${phoneId}/sale-prices`, body);
  assert.equal(created.status, 201, JSON.stringify(created.body));
  const saleId = textAt(created.body, 'sale_prices', 0, 'id');
  const { page, close } = await openPage(shop, { width: 390, expectedStatuses: [409] });
  await visit(page, `/catalog/product/${PHONE}`);
  const main = page.getByRole('main');
  await main
    .getByText(/Was \$1,099\.00, the lowest price in the 30 days before/)
    .first()
    .waitFor();
  await main.getByText(/^Sale ends /).waitFor();
  await assertAccessible(page);
  // Another variant has its own reduction.
  await main.getByText('512GB').click();
  await main
    .getByText(/Was \$1,\d99\.00, the lowest/)
    .first()
    .waitFor();
  await main.getByText('256GB').first().click();
  await main
    .getByText(/Was \$1,099\.00, the lowest/)
    .first()
    .waitFor();
  await main.getByRole('button', { name: 'Add to Cart' }).click();
  await main.getByRole('link', { name: 'Go to cart' }).waitFor();
  await page.waitForLoadState('networkidle');
  await visit(page, '/cart');
  await main.getByText('989.10 each').waitFor();
  await main.getByText('Was $1,099.00, the lowest price in the 30 days before').waitFor();
  await assertAccessible(page);
  const ended = await editor.call('POST', `/sale-prices/${saleId}/end`, { version: 1 });
  assert.equal(ended.status, 200);
  assert.equal(textAt(listAt(ended.body, 'sale_prices')[0], 'state'), 'ended');
  await visit(page, '/cart');
  await main.getByText('The price increased: it was $989.10 when you added it.').waitFor();
  await close();
});
