/** Staff and owner edit products, categories and brands in the browser. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from '@playwright/test';
import { assertAccessible } from '../support/axe.ts';
import { openPage } from '../support/browser.ts';
import type { PageOptions } from '../support/browser.ts';
import { signIn, visit } from '../support/buyer.ts';
import { CatalogueEditor } from '../support/catalogue-editor.ts';
import { makePicture } from '../support/hostile-pictures.ts';
import { textAt } from '../support/read-json.ts';
import { clickWhenEnabledAgain } from '../support/pages/click-when-enabled.ts';
import { startTestShop } from '../support/shop.ts';
import type { TestShop } from '../support/shop.ts';
import { waitUntil } from '../support/wait-until.ts';

const PASSWORD = 'crypto-market';
let shop: TestShop;
let editor: CatalogueEditor;
before(async () => {
  shop = await startTestShop();
  editor = await CatalogueEditor.open(shop);
});
after(() => shop.stop());

async function open(username: string, path: string, options: PageOptions = {}) {
  const opened = await openPage(shop, options);
  await signIn(shop, opened.page, username, PASSWORD);
  await visit(opened.page, path);
  return opened;
}
const waitForToast = (page: Page, text: string) => page.getByText(text, { exact: true }).first().waitFor();
/** Presses Tab until the element has the focus. */
async function tabTo(page: Page, isThere: () => Promise<boolean>): Promise<void> {
  for (let presses = 0; presses < 200; presses += 1) {
    if (await isThere()) return;
    await page.keyboard.press('Tab');
  }
  assert.fail('Tab does not reach it');
}

for (const options of [
  { width: 390, colorScheme: 'light', username: 'staff' },
  { width: 1440, colorScheme: 'dark', username: 'owner' },
] as const) {
  test(`[OPS-02] ${options.username} creates, publishes and withdraws a product at ${options.width} px`, async () => {
    const { page, close } = await open(options.username, '/admin/products', {
      ...options,
      expectedStatuses: [400],
    });
    await page.getByRole('link', { name: 'Add product' }).click();
    await page.getByRole('heading', { level: 1, name: 'New product' }).waitFor();
    const main = page.getByRole('main');
    await main.getByRole('button', { name: 'Publish', exact: true }).click();
    await main.getByText('Enter a name').first().waitFor();
    assert.ok(await main.getByLabel('Name', { exact: true }).evaluate((field) => field === document.activeElement));
    await assertAccessible(page);

    const name = `Travel cable ${options.width}`;
    await main.getByLabel('Name', { exact: true }).fill(name);
    assert.equal(await main.getByLabel('URL', { exact: true }).inputValue(), `travel-cable-${options.width}`);
    await main.getByLabel('Base price in USD').fill('19.90');
    await main.getByLabel('Article number').fill(`TC-${options.width}`);
    await main.getByLabel('Category', { exact: true }).selectOption({ label: 'Accessories' });
    await main.getByRole('button', { name: 'Save draft' }).click();
    await page.getByRole('heading', { level: 1, name }).waitFor();
    await main.getByText('Draft', { exact: true }).waitFor();

    // The bar says what is missing, and each press leads there.
    const missing = main.locator('output', { hasText: 'Add at least one picture before you publish' });
    const hasFocus = () =>
      main
        .getByRole('group', { name: 'Pictures' })
        .first()
        .evaluate((group) => group === document.activeElement);
    for (const button of ['Publish', 'Publish', 'Show']) {
      await main.getByRole('button', { name: button, exact: true }).click();
      await missing.waitFor();
      await waitUntil(hasFocus);
      await main.getByLabel('Name', { exact: true }).focus();
    }
    const buffer = await makePicture('png', { seed: options.width });
    await main.locator('input[type=file]').first().setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer });
    await main.getByLabel('Alternative text of picture 1').fill('A cable');
    await main.getByRole('button', { name: 'Publish', exact: true }).click();
    await main.getByText('Active', { exact: true }).waitFor();
    await assertAccessible(page);
    assert.equal((await shop.api('GET', `/products/travel-cable-${options.width}`)).status, 200);

    await main.getByRole('button', { name: 'Withdraw' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click();
    await main.getByText('Withdrawn', { exact: true }).waitFor();
    assert.equal((await shop.api('GET', `/products/travel-cable-${options.width}`)).status, 404);
    await main.getByRole('button', { name: 'Bring back' }).click();
    await main.getByText('Active', { exact: true }).waitFor();
    await close();
  });
}

test('[OPS-08] staff choose values and set the price of one variant by keyboard', async () => {
  const content = await editor.createContent();
  await editor.addProperties(content.category_id, [2]);
  const { id } = await editor.publish(content);
  const { page, close } = await open('staff', `/admin/products/${id}`, { width: 1440 });
  const main = page.getByRole('main');
  const add = main.getByRole('combobox', { name: /^Add / });
  await tabTo(page, () => add.evaluate((field) => field === document.activeElement));
  for (const name of ['A1', 'A2']) {
    await page.keyboard.type(name.toLowerCase());
    await page.keyboard.press('Enter');
    await main.getByRole('button', { name: `Remove ${name}` }).waitFor();
  }
  const price = main.getByLabel('Own price of A2');
  assert.equal(await price.getAttribute('placeholder'), '29.99');
  await tabTo(page, () => price.evaluate((field) => field === document.activeElement));
  await page.keyboard.type('25');
  const publish = main.getByRole('button', { name: 'Publish changes' });
  await tabTo(page, () => publish.evaluate((button) => button === document.activeElement));
  await page.keyboard.press('Enter');
  await waitForToast(page, 'Published');
  assert.equal(await main.getByLabel('SKU of A1').inputValue(), `${content.article}-1`);
  await assertAccessible(page);
  const { body } = await editor.call('GET', `/products/${id}`);
  assert.match(JSON.stringify(body), /"own_price_usd":25/);
  await close();
});

test('[OPS-08] a product with 240 variants is edited and saved', async () => {
  const content = await editor.createContent();
  const values = await editor.addProperties(content.category_id, [4, 4, 5, 3]);
  const { id } = await editor.publish({
    ...content,
    // More than browsers send with keepalive.
    description: 'Long. '.repeat(3000),
    values: values.flat().map((valueId) => ({ id: valueId, increase_usd: 0, pictures: [] })),
  });
  const { page, close } = await open('staff', `/admin/products/${id}`);
  const main = page.getByRole('main');
  await main.getByText('240 variants.', { exact: false }).waitFor();
  await main.getByLabel('Own price of A4, B4, C5, D3').fill('77,50');
  await main.getByRole('button', { name: 'Publish changes' }).click();
  // A price that changes by half or more is asked about.
  const dialog = page.getByRole('dialog');
  await dialog.getByText('$19.99 → $77.50').waitFor();
  await dialog.getByRole('button', { name: 'Save these prices' }).click();
  await waitForToast(page, 'Published');
  assert.match(JSON.stringify((await editor.call('GET', `/products/${id}`)).body), /"own_price_usd":77.5/);
  await close();
});

test('[OPS-02] the second of two editors chooses between both versions', async () => {
  const content = await editor.createContent();
  const { id, version } = await editor.publish(content);
  const { page, close } = await open('owner', `/admin/products/${id}`, { expectedStatuses: [409] });
  const main = page.getByRole('main');
  await main.getByLabel('Summary, in one line').fill('Mine');
  await editor.save(id, { version, publish: true, content: { ...content, sub_description: 'Theirs' } });
  await main.getByRole('button', { name: 'Publish changes' }).click();
  const dialog = page.getByRole('dialog', { name: 'staff changed this product' });
  await dialog.getByText('Summary').waitFor();
  await assertAccessible(page);
  await dialog.getByRole('button', { name: 'Take theirs' }).click();
  await main.getByText('All changes are saved').waitFor();
  assert.equal(await main.getByLabel('Summary, in one line').inputValue(), 'Theirs');
  await main.getByLabel('Summary, in one line').fill('Mine');
  await main.getByRole('button', { name: 'Publish changes' }).click();
  await waitForToast(page, 'Published');
  assert.equal(textAt((await shop.api('GET', `/products/${content.slug}`)).body, 'sub_description'), 'Mine');
  await close();
});

test('[OPS-02] unsaved changes stay when the page is left', async () => {
  const content = await editor.createContent();
  const { id } = await editor.create(content);
  const { page, close } = await open('staff', `/admin/products/${id}`);
  await page.getByRole('main').getByLabel('Name', { exact: true }).fill('Half done');
  await page.getByRole('link', { name: 'Brands', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Brands' }).waitFor();
  await visit(page, `/admin/products/${id}`);
  const main = page.getByRole('main');
  await main.getByText('Unsaved changes').waitFor();
  assert.equal(await main.getByLabel('Name', { exact: true }).inputValue(), 'Half done');
  await main.getByRole('button', { name: 'Discard changes' }).click();
  await main.getByText('All changes are saved').waitFor();
  assert.equal(await main.getByLabel('Name', { exact: true }).inputValue(), content.name);
  await close();
});

test('[OPS-02] the editor previews the Markdown of a description', async () => {
  const content = await editor.createContent({ description: 'Up to 5 * 3 metres\n\n# of cable' });
  const { id } = await editor.publish(content);
  const { page, close } = await open('staff', `/admin/products/${id}`, { width: 390, expectedStatuses: [400] });
  const main = page.getByRole('main');
  const field = main.getByLabel('Description', { exact: true });
  // A plain text is shown as it is.
  await main.getByText('This text is shown as it is.', { exact: false }).waitFor();
  await main.getByRole('paragraph').filter({ hasText: '# of cable' }).waitFor();
  await field.fill('Made of **steel**\n\n# In the box\n\n- One cable\n- [Terms](/terms)');
  await main.getByRole('heading', { level: 3, name: 'In the box' }).waitFor();
  await main.getByRole('listitem').filter({ hasText: 'One cable' }).waitFor();
  await assertAccessible(page);
  await main.getByRole('button', { name: 'Publish changes' }).click();
  await waitForToast(page, 'Published');
  await field.fill('`a` '.repeat(3000));
  await main.getByText('No preview: the text has too many headings', { exact: false }).waitFor();
  await main.getByRole('button', { name: 'Publish changes' }).click();
  await main.getByText('The description has too many headings', { exact: false }).first().waitFor();
  assert.ok(await field.evaluate((element) => element === document.activeElement));

  await visit(page, `/catalog/product/${content.slug}`);
  const about = page.getByRole('region', { name: `About ${content.name}` });
  await about.getByRole('heading', { level: 3, name: 'In the box' }).waitFor();
  assert.equal(await about.locator('strong').textContent(), 'steel');
  await assertAccessible(page);
  await about.getByRole('link', { name: 'Terms' }).click();
  await page.getByRole('heading', { level: 1 }).filter({ hasText: 'Terms' }).waitFor();
  await close();
});

test('[OPS-02] the preview shows a draft to staff only', async () => {
  const content = await editor.createContent({ name: 'Secret cable' });
  const { id } = await editor.create(content);
  const { page, close } = await open('staff', `/admin/products/${id}/preview`);
  await page.getByRole('heading', { level: 1, name: 'Secret cable' }).waitFor();
  await close();
  const customer = await openPage(shop, { expectedStatuses: [404] });
  await signIn(shop, customer.page, 'alice', PASSWORD);
  for (const path of [`/admin/products/${id}/preview`, '/admin/products', '/admin/categories', '/admin/brands']) {
    assert.equal((await customer.page.goto(path))?.status(), 404, path);
  }
  await visit(customer.page, '/');
  await customer.close();
});

test('[OPS-02] staff reduce the prices of selected products after a review', async () => {
  const content = await editor.createContent({ base_price_usd: 40 });
  await editor.publish({ ...content, name: 'Bulk cable' });
  const { page, close } = await open('staff', '/admin/products?q=bulk', { width: 390, colorScheme: 'dark' });
  const main = page.getByRole('main');
  await main.getByLabel('Select Bulk cable').check();
  await main.getByLabel('Change 1 selected').selectOption({ label: 'Change prices by percent' });
  await main.getByLabel('Percent').fill('-25');
  await main.getByRole('button', { name: 'Review changes' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('$40.00 → $30.00').waitFor();
  await assertAccessible(page);
  await dialog.getByRole('button', { name: 'Change 1 product' }).click();
  await main.getByText('$30.00').waitFor();
  await close();
});

test('[OPS-02] a category is not saved again before its new version is shown', async () => {
  const { slug } = await editor.createCategory();
  const { page, close } = await open('staff', '/admin/categories');
  const main = page.getByRole('main');
  await main.getByText(slug.replace('cables', 'Cables').replace('-', ' '), { exact: true }).click();
  const saves: string[] = [];
  page.on('request', (request) => request.method() === 'PUT' && saves.push(request.url()));
  const form = main.locator('form').filter({ has: page.getByRole('button', { name: 'Save category' }) });
  await form.getByLabel('Name').fill(`Renamed ${slug}`);
  const save = form.getByRole('button', { name: 'Save category' });
  await clickWhenEnabledAgain(save);
  await save.click();
  await main.getByText(`Renamed ${slug}`, { exact: true }).waitFor();
  assert.equal(saves.length, 1);
  await close();
});

test('[OPS-02] staff give a category a property and delete an unused brand', async () => {
  const { slug } = await editor.createCategory();
  const name = slug.replace('cables', 'Cables').replace('-', ' ');
  const { page, close } = await open('staff', '/admin/categories', { width: 390 });
  const main = page.getByRole('main');
  await main.getByText(name, { exact: true }).click();
  await main.getByRole('button', { name: 'Add property' }).click();
  await main.getByLabel('Property', { exact: true }).fill('Plug');
  await main.getByRole('button', { name: 'Add value' }).click();
  await main.getByLabel('Value 1 of Plug').fill('USB-C');
  await assertAccessible(page);
  await main.getByRole('button', { name: 'Save category' }).click();
  await waitForToast(page, 'Saved');
  await visit(page, '/admin/brands');
  const add = main.getByRole('region', { name: 'Add a brand' });
  await add.getByLabel('Name').fill('Short lived');
  await add.getByRole('button', { name: 'Add brand' }).click();
  await main.getByText('Short lived', { exact: true }).click();
  await main.getByRole('button', { name: 'Delete brand' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await main.getByText('Short lived', { exact: true }).waitFor({ state: 'detached' });
  await close();
});
