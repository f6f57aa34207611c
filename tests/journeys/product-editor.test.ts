/** The sections of the product editor, and the values of its options. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Locator, Page } from '@playwright/test';
import { assertAccessible } from '../support/axe.ts';
import { openPage } from '../support/browser.ts';
import type { PageOptions } from '../support/browser.ts';
import { signIn, visit } from '../support/buyer.ts';
import { CatalogueEditor } from '../support/catalogue-editor.ts';
import { listAt, numberAt, textAt } from '../support/read-json.ts';
import { shareTestShop } from '../support/shared-shop.ts';
import type { TestShop } from '../support/shop.ts';
import { waitUntil } from '../support/wait-until.ts';

let shop: TestShop;
let editor: CatalogueEditor;
before(async () => {
  shop = await shareTestShop();
  editor = await CatalogueEditor.open(shop);
});

/** The page of a product with the values A1 to A3 of the five of its category. */
async function openProduct(options: PageOptions = {}) {
  const category = await editor.createCategory();
  const [values = []] = await editor.addProperties(category.id, [5]);
  const content = await editor.createContent({ category_id: category.id });
  const { id } = await editor.publish({
    ...content,
    values: values.slice(0, 3).map((value) => ({ id: value, increase_usd: 0, pictures: [] })),
  });
  const { page, close } = await openPage(shop, { width: 1440, ...options });
  await signIn(shop, page, 'staff', 'crypto-market');
  await visit(page, `/admin/products/${id}`);
  const listStored = async (): Promise<string[]> =>
    listAt((await editor.findCategory(category.slug)).value, 'properties', 0, 'values').map((one) =>
      textAt(one, 'value'),
    );
  const main = page.getByRole('main');
  return { id, category, page, close, main, listStored, add: main.getByRole('combobox', { name: /^Add / }) };
}

const listChips = (main: Locator): Promise<string[]> =>
  main
    .getByRole('region', { name: 'Options and variants' })
    .getByRole('button', { name: /^Remove / })
    .evaluateAll((all) => all.map((button) => (button.getAttribute('aria-label') ?? '').replace('Remove ', '')));
const getCurrent = (page: Page): Promise<string | null> =>
  page.getByRole('navigation', { name: 'On this page' }).locator('[aria-current]').textContent();
const hasFocus = (element: Locator): Promise<boolean> => element.evaluate((one) => one === document.activeElement);

test('[OPS-08] a value is found by typing, created in place and saved with the product', async () => {
  const { id, page, main, add, close, listStored } = await openProduct();
  await add.click();
  const options = main.getByRole('listbox').getByRole('option');
  assert.deepEqual(await options.allTextContents(), ['A4', 'A5']);
  await assertAccessible(page);
  await add.fill('a5');
  // An existing name, whatever its capital letters, is not created twice.
  assert.deepEqual(await options.allTextContents(), ['A5']);
  await page.keyboard.press('Enter');
  await main.getByText('4 variants.', { exact: false }).waitFor();
  assert.deepEqual(await listChips(main), ['A1', 'A2', 'A3', 'A5']);
  await add.fill('a1');
  await main.getByText('A1 is chosen already.').waitFor();
  await add.fill('Teal');
  await main.getByRole('option', { name: 'Create “Teal”' }).waitFor();
  await page.keyboard.press('Enter');
  await main.getByRole('button', { name: 'Remove Teal' }).waitFor();
  assert.deepEqual(await listStored(), ['A1', 'A2', 'A3', 'A4', 'A5', 'Teal']);
  await main.getByRole('button', { name: 'Teal', exact: true }).click();
  await main.getByLabel('Increase for Teal in USD').fill('10');
  await assertAccessible(page);
  await main.getByRole('button', { name: 'Publish changes' }).click();
  await page.getByText('Published', { exact: true }).first().waitFor();
  const { body } = await editor.call('GET', `/products/${id}`);
  assert.equal(listAt(body, 'product', 'content', 'variants').length, 5);
  assert.match(JSON.stringify(body), /"increase_usd":10/);
  await close();
});

test('[OPS-08] several values are created and chosen in one step, or none', async () => {
  const { page, main, add, close, listStored } = await openProduct();
  await add.click();
  await main.getByText('Separate several values with commas,', { exact: false }).waitFor();
  const option = main.getByRole('listbox').getByRole('option');
  // What is chosen already, named twice or empty is left out.
  await add.fill('Teal, a5,, A1 , TEAL, Navy,');
  assert.deepEqual(await option.allTextContents(), ['Add “a5”, create “Teal”, “Navy”']);
  await assertAccessible(page);
  await page.keyboard.press('Enter');
  await main.getByText('6 variants.', { exact: false }).waitFor();
  assert.deepEqual(await listChips(main), ['A1', 'A2', 'A3', 'A5', 'Teal', 'Navy']);
  assert.equal(await add.inputValue(), '');
  const stored = ['A1', 'A2', 'A3', 'A4', 'A5', 'Teal', 'Navy'];
  assert.deepEqual(await listStored(), stored);
  await main.getByText('Teal, a5, Navy were added.').waitFor({ state: 'attached' });
  await add.fill('teal, navy');
  await main.getByText('Teal, Navy are chosen already.').waitFor();
  await add.fill(`Red, ${'x'.repeat(81)}`);
  await main.getByText('At most 80 characters.').waitFor();
  await page.keyboard.press('Enter');
  assert.deepEqual([await option.count(), await listStored()], [0, stored]);
  await add.fill('');
  // Lines and cells of a spreadsheet are separate values, at the cursor.
  await add.evaluate((field) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', '256GB\r\n512GB\t1,5 m\r\n');
    field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  });
  assert.equal(await add.inputValue(), '256GB; 512GB; 1,5 m');
  assert.deepEqual(await option.allTextContents(), ['Create “256GB”, “512GB”, “1,5 m”']);
  await add.fill('256GB, 512GB');
  await option.getByText('Create “256GB”, “512GB”').click();
  await main.getByText('8 variants.', { exact: false }).waitFor();
  assert.deepEqual(await listStored(), [...stored, '256GB', '512GB']);
  await close();
});

test('[OPS-08] names of values stay typed if they could not be created', async () => {
  const { page, main, add, close, listStored } = await openProduct({ expectedStatuses: [400] });
  // A property has at most 250 values.
  const names = Array.from({ length: 246 }, (_, at) => `T${at}`).join(', ');
  const held = Promise.withResolvers<void>();
  await page.route('**/api/catalogue/categories/*', async (route) => {
    await held.promise;
    await route.continue();
  });
  await add.fill(names);
  await page.keyboard.press('Enter');
  await add.fill('Teal');
  held.resolve();
  await main.getByRole('alert').waitFor();
  // What was typed meanwhile stays too.
  assert.deepEqual([await add.inputValue(), await listChips(main)], [`${names}, Teal`, ['A1', 'A2', 'A3']]);
  assert.deepEqual(await listStored(), ['A1', 'A2', 'A3', 'A4', 'A5']);
  await close();
});

test('[OPS-08] a value that others created has their increase, and no failure stays', async () => {
  const { category, page, main, add, close } = await openProduct({ expectedStatuses: [409] });
  const createGold = async (): Promise<void> => {
    const { value } = await editor.findCategory(category.slug);
    const [property] = listAt(value, 'properties');
    const values = listAt(property, 'values').map((one) => ({
      id: textAt(one, 'id'),
      value: textAt(one, 'value'),
      increase_usd: numberAt(one, 'increase_usd'),
    }));
    const { status } = await editor.call('PUT', `/categories/${category.id}`, {
      version: numberAt(value, 'version'),
      name: textAt(value, 'name'),
      slug: category.slug,
      properties: [{ id: textAt(property, 'id'), name: 'A', values: [...values, { value: 'Gold', increase_usd: 25 }] }],
    });
    assert.equal(status, 200);
  };
  let isCreated: Promise<void> | null = null;
  await page.route('**/api/catalogue/structure', async (route) => {
    await (isCreated ??= createGold());
    await route.continue();
  });
  await add.fill('Gold');
  await page.keyboard.press('Enter');
  await main.getByRole('button', { name: 'Gold', exact: false }).getByText('+$25').waitFor();

  // Stored, but the second call is refused.
  await page.route('**/api/catalogue/categories/*', async (route) => {
    await route.fetch();
    await route.continue();
  });
  await add.fill('Teal, Navy');
  await page.keyboard.press('Enter');
  await main.getByRole('alert').getByText('changed this category meanwhile', { exact: false }).waitFor();
  await main.getByRole('option', { name: 'Add “Teal”, “Navy”' }).waitFor();
  await page.keyboard.press('Enter');
  await main.getByRole('button', { name: 'Remove Navy' }).waitFor();
  assert.equal(await main.getByRole('alert').count(), 0);
  await close();
});

test('[OPS-08] values are moved by keyboard and by dragging, for the category', async () => {
  const { page, main, close, listStored } = await openProduct();
  await main.getByRole('button', { name: 'A1', exact: true }).click();
  const [earlier, later] = ['earlier', 'later'].map((way) => main.getByRole('button', { name: `Move ${way} A1` }));
  assert.ok(earlier && later);
  assert.ok(await earlier.isDisabled());
  await later.focus();
  await page.keyboard.press('Enter');
  await main.getByText('A1 is now 2 of 3.').waitFor();
  await waitUntil(() => hasFocus(later));
  await page.keyboard.press('Enter');
  await main.getByText('A1 is now 3 of 3.').waitFor();
  // At the end the other button has the focus.
  await waitUntil(() => hasFocus(earlier));
  assert.deepEqual(await listChips(main), ['A2', 'A3', 'A1']);
  assert.deepEqual(await listStored(), ['A2', 'A3', 'A1', 'A4', 'A5']);
  await main.getByRole('button', { name: 'A1', exact: true }).click();
  await main
    .getByRole('button', { name: 'A3', exact: true })
    .dragTo(main.getByRole('button', { name: 'A2', exact: true }));
  await main.getByText('A3 is now 1 of 3.').waitFor();
  assert.deepEqual(await listStored(), ['A3', 'A2', 'A1', 'A4', 'A5']);
  await main.getByText('All changes are saved').waitFor();
  await close();
});

test('[OPS-08] removing a saved value says which variants go, and can be undone by adding it', async () => {
  const { page, main, add, close } = await openProduct({ width: 390, colorScheme: 'dark' });
  await add.fill('A4');
  await page.keyboard.press('Enter');
  // One that was never saved goes at once.
  await main.getByRole('button', { name: 'Remove A4' }).click();
  await waitUntil(async () => (await listChips(main)).length === 3);
  await main.getByRole('button', { name: 'A2 $', exact: false }).click();
  await main.getByLabel('SKU of A2').fill('KEEP-ME');
  await main.getByRole('button', { name: 'Remove A2' }).click();
  const dialog = page.getByRole('dialog', { name: 'Remove A2?' });
  await dialog.getByText('1 variant is no longer offered once you publish.', { exact: false }).waitFor();
  await assertAccessible(page);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  assert.deepEqual(await listChips(main), ['A1', 'A2', 'A3']);
  await main.getByRole('button', { name: 'Remove A2' }).click();
  await dialog.getByRole('button', { name: 'Remove' }).click();
  await main.getByText('2 variants.', { exact: false }).waitFor();
  await add.fill('A2');
  await main.getByRole('option', { name: 'A2', exact: true }).click();
  await main.getByRole('button', { name: 'A2 $', exact: false }).click();
  assert.equal(await main.getByLabel('SKU of A2').inputValue(), 'KEEP-ME');
  await close();
});

for (const width of [390, 1440]) {
  test(`[OPS-02] a list of sections follows and marks the current one at ${width} px`, async () => {
    const { page, main, close } = await openProduct({ width });
    const nav = main.getByRole('navigation', { name: 'On this page' });
    await waitUntil(async () => (await getCurrent(page)) === 'Product');
    await nav.getByRole('link', { name: 'Specifications' }).focus();
    await page.keyboard.press('Enter');
    await waitUntil(async () => (await getCurrent(page)) === 'Specifications');
    const section = main.getByRole('region', { name: 'Specifications' });
    assert.ok(await hasFocus(section));
    await nav.getByRole('link', { name: 'Pictures' }).click();
    await waitUntil(async () => (await getCurrent(page)) === 'Pictures');
    await nav.getByRole('link', { name: 'Specifications' }).click();
    const [above, below] = [await nav.boundingBox(), await section.boundingBox()];
    assert.ok(above && below && below.y >= above.y + above.height, 'the list covers the section');
    assert.ok(above.y >= 0 && above.y < 100, `the list is at ${above.y}`);
    // The marked link is in view, also where the list scrolls.
    const link = await nav.locator('[aria-current]').boundingBox();
    assert.ok(link && link.x >= 0 && link.x + link.width <= width, JSON.stringify(link));
    await page.keyboard.press('End');
    await waitUntil(async () => (await getCurrent(page)) === 'More actions');
    await page.keyboard.press('Home');
    await waitUntil(async () => (await getCurrent(page)) === 'Product');
    await close();
  });
}
