/** Staff edit the variants of a product in a grid, like a spreadsheet. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Locator, Page } from '@playwright/test';
import { assertAccessible } from '../support/axe.ts';
import { openPage } from '../support/browser.ts';
import type { PageOptions } from '../support/browser.ts';
import { signIn, visit } from '../support/buyer.ts';
import { CatalogueEditor } from '../support/catalogue-editor.ts';
import { resize } from '../support/pages/frames.ts';
import { listAt, numberAt, textAt, valueAt } from '../support/read-json.ts';
import { shareTestShop } from '../support/shared-shop.ts';
import type { TestShop } from '../support/shop.ts';
import { waitUntil } from '../support/wait-until.ts';

let shop: TestShop;
let editor: CatalogueEditor;
before(async () => {
  shop = await shareTestShop();
  editor = await CatalogueEditor.open(shop);
});

/** The page of a product with the variants A1 to A3. */
async function openProduct(options: PageOptions = {}) {
  const content = await editor.createContent();
  const values = await editor.addProperties(content.category_id, [3]);
  const { id } = await editor.publish({
    ...content,
    values: values.flat().map((value) => ({ id: value, increase_usd: 0, pictures: [] })),
  });
  const { page, close } = await openPage(shop, { width: 1440, ...options });
  await signIn(shop, page, 'staff', 'crypto-market');
  await visit(page, `/admin/products/${id}`);
  const readVariants = async () =>
    listAt((await editor.call('GET', `/products/${id}`)).body, 'product', 'content', 'variants');
  return { id, content, page, close, main: page.getByRole('main'), readVariants };
}

const getCell = (main: Locator, column: string, name: string): Locator =>
  main.getByRole('textbox', { name: `${column} of ${name}`, exact: true });
const hasFocus = (cell: Locator): Promise<boolean> => cell.evaluate((field) => field === document.activeElement);

/** Pastes into the field that has the focus, as a spreadsheet does. */
const paste = (page: Page, text: string): Promise<void> =>
  page.evaluate((pasted) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', pasted);
    document.activeElement?.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
    );
  }, text);
const readColumn = (main: Locator, column: string): Promise<string[]> =>
  Promise.all(['A1', 'A2', 'A3'].map((name) => getCell(main, column, name).inputValue()));

test('[OPS-08] Enter and arrow keys move along a column of variants', async () => {
  const { page, main, close } = await openProduct();
  const requests: string[] = [];
  page.on('request', (request) => request.method() !== 'GET' && requests.push(request.url()));
  await getCell(main, 'Own price', 'A1').click();
  await page.keyboard.type('21');
  await page.keyboard.press('Enter');
  assert.ok(await hasFocus(getCell(main, 'Own price', 'A2')));
  await page.keyboard.type('22');
  // Left and right stay with the text.
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.type('0');
  await page.keyboard.press('ArrowDown');
  assert.ok(await hasFocus(getCell(main, 'Own price', 'A3')));
  await page.keyboard.type('23');
  // The last row keeps the focus, and nothing is sent.
  await page.keyboard.press('Enter');
  assert.ok(await hasFocus(getCell(main, 'Own price', 'A3')));
  await page.keyboard.press('Shift+Enter');
  await page.keyboard.press('ArrowUp');
  assert.ok(await hasFocus(getCell(main, 'Own price', 'A1')));
  // What has the focus is selected, so that typing replaces it.
  await page.keyboard.type('20');
  await page.keyboard.press('Tab');
  assert.ok(await hasFocus(getCell(main, 'SKU', 'A1')));
  assert.deepEqual(await readColumn(main, 'Own price'), ['20', '202', '23']);
  assert.deepEqual(requests, []);
  await close();
});

test('[OPS-08] a column is filled down by key and button, and undone', async () => {
  const { page, main, close, readVariants } = await openProduct();
  await getCell(main, 'Own price', 'A2').fill('25.50');
  await page.keyboard.press('Control+d');
  await main.getByText('Filled 1 cell below with 25.50.').waitFor();
  assert.deepEqual(await readColumn(main, 'Own price'), ['', '25.50', '25.50']);
  await getCell(main, 'Weight in grams', 'A1').fill('80');
  await main.getByRole('button', { name: 'Fill down Grams from A1' }).click();
  assert.deepEqual(await readColumn(main, 'Weight in grams'), ['80', '80', '80']);
  await assertAccessible(page);
  // What was typed after the fill stays.
  await getCell(main, 'Weight in grams', 'A3').fill('90');
  await main.getByRole('button', { name: 'Undo' }).click();
  assert.deepEqual(await readColumn(main, 'Weight in grams'), ['80', '', '90']);
  const skus = await readColumn(main, 'SKU');
  await getCell(main, 'SKU', 'A1').focus();
  await page.keyboard.press('Control+d');
  await main.getByText('Not filled: it is another one for each variant.').waitFor();
  assert.deepEqual(await readColumn(main, 'SKU'), skus);
  await main.getByRole('button', { name: 'Publish changes' }).click();
  await page.getByText('Published', { exact: true }).first().waitFor();
  const stored = JSON.stringify(await readVariants());
  assert.deepEqual(
    [...stored.matchAll(/"own_price_usd":([\d.]+|null)/g)].map((found) => found[1]),
    ['null', '25.5', '25.5'],
  );
  await close();
});

test('[OPS-08] cells of a spreadsheet are pasted to the right and down', async () => {
  const { page, main, close, content } = await openProduct({ expectedStatuses: [400] });
  const sku = `${content.article}-NEW`;
  await getCell(main, 'Own price', 'A2').focus();
  await paste(page, `24.00\t${sku}-2\r\n$1,299\t${sku}-3\tcheap\r\n30\t${sku}-4\r\n`);
  await main.getByText('Pasted 5 cells. Left out, because the table ends: 1 row.').waitFor();
  assert.deepEqual(await readColumn(main, 'Own price'), ['', '24.00', '$1,299']);
  assert.deepEqual((await readColumn(main, 'SKU')).slice(1), [`${sku}-2`, `${sku}-3`]);
  assert.deepEqual(await readColumn(main, 'GTIN'), ['', '', 'cheap']);
  // A text of one cell is pasted by the browser.
  const stopped = await getCell(main, 'GTIN', 'A1').evaluate((field) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', '42');
    return !field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  });
  assert.equal(stopped, false);
  await main.getByRole('button', { name: 'Publish changes' }).click();
  const price = getCell(main, 'Own price', 'A3');
  await waitUntil(() => hasFocus(price));
  await main.getByText('“$1,299” is unclear.', { exact: false }).first().waitFor();
  await price.fill('21');
  await main.getByRole('button', { name: 'Publish changes' }).click();
  await waitUntil(() => hasFocus(getCell(main, 'GTIN', 'A3')));
  await assertAccessible(page);
  await close();
});

test('[OPS-08] names of variants have room beside every column, at every width', async () => {
  const { page, main, close } = await openProduct();
  const { body } = await shop.api('GET', '/products/iphone-17-pro');
  await visit(page, `/admin/products/${textAt(body, 'id')}`);
  // Without its role, since the list of narrow windows is none.
  const grid = main.locator('table').filter({ hasText: 'SKU' });
  await grid.getByRole('columnheader', { name: /^Cost in USD/ }).waitFor();
  await grid.getByRole('columnheader', { name: /^On hand/ }).waitFor();
  const faults: string[] = [];
  for (let width = 1000; width <= 1960; width += 40) {
    await resize(page, width, 900);
    const { isList, name, excess } = await grid.evaluate((table) => ({
      isList: !table.querySelector('thead')?.checkVisibility(),
      name: Math.round(table.querySelector('tbody th')?.clientWidth ?? 0),
      excess: Math.round(
        table.getBoundingClientRect().right - (table.parentElement?.getBoundingClientRect().right ?? 0),
      ),
    }));
    if (excess > 1) faults.push(`${width} px: the grid is ${excess} px too wide`);
    if (!isList && name < 90) faults.push(`${width} px: names have ${name} px`);
    if (isList && width > 1160) faults.push(`${width} px: a list instead of the grid`);
  }
  assert.deepEqual(faults, []);
  await close();
});

test('[OPS-08] a phone folds variants, opens one at a time and shows problems', async () => {
  const { page, main, close } = await openProduct({ width: 390, colorScheme: 'dark' });
  const price = (name: string): Locator => getCell(main, 'Own price', name);
  const opener = (name: string): Locator => main.getByRole('button', { name: `${name} $`, exact: false });
  await opener('A1').waitFor();
  assert.equal(await main.getByRole('textbox', { name: /^Own price of/ }).count(), 0);
  await opener('A1').click();
  await price('A1').fill('free');
  await opener('A2').click();
  // The row with a price that cannot be read is folded again, until it is refused.
  assert.deepEqual([await price('A1').isVisible(), await price('A2').isVisible()], [false, true]);
  await assertAccessible(page);
  await price('A2').focus();
  await page.keyboard.press('Enter');
  await waitUntil(() => hasFocus(price('A3')));
  await main.getByRole('button', { name: 'Save draft' }).click();
  await waitUntil(() => hasFocus(price('A1')));
  await price('A1').fill('');
  await price('A1').waitFor({ state: 'hidden' });
  await close();
});

/** Costs of the variants, as they are stored. */
async function readCosts(id: string): Promise<unknown[]> {
  const { body } = await editor.call('GET', `/products/${id}/costs`);
  return listAt(body, 'variants').map((one) => valueAt(one, 'cost_usd'));
}

test('[OPS-05] prices and costs are saved by one button', async () => {
  const { id, page, main, close, readVariants } = await openProduct();
  await getCell(main, 'Own price', 'A1').fill('21');
  await getCell(main, 'Cost', 'A1').fill('free');
  const sent: string[] = [];
  page.on('request', (request) => request.method() === 'PUT' && sent.push(request.url()));
  await main.getByRole('button', { name: 'Publish changes' }).click();
  await main.getByText('Enter a cost in dollars, such as 450 or 450.50').first().waitFor();
  await waitUntil(() => hasFocus(getCell(main, 'Cost', 'A1')));
  assert.deepEqual(sent, []);
  await getCell(main, 'Cost', 'A1').fill('12.50');
  await page.keyboard.press('Control+d');
  await assertAccessible(page);
  await main.getByRole('button', { name: 'Publish changes' }).click();
  await page.getByText('Published', { exact: true }).first().waitFor();
  await main.getByText('All changes are saved').waitFor();
  assert.deepEqual(await readCosts(id), [12.5, 12.5, 12.5]);
  assert.match(JSON.stringify(await readVariants()), /"own_price_usd":21/);
  // Without a change of the product, only the costs are sent.
  sent.length = 0;
  await getCell(main, 'Cost', 'A3').fill('');
  await main.getByRole('button', { name: 'Save draft' }).click();
  await page.getByText('Costs saved', { exact: true }).first().waitFor();
  assert.deepEqual(await readCosts(id), [12.5, 12.5, null]);
  assert.deepEqual(
    sent.map((url) => new URL(url).pathname),
    [`/api/catalogue/products/${id}/costs`],
  );
  await close();
});

test('[OPS-05] a save that reaches only the product says so, and keeps the costs', async () => {
  const { id, page, main, close } = await openProduct({ expectedStatuses: [429] });
  const path = `**/api/catalogue/products/${id}/costs`;
  await page.route(path, (route) =>
    route.fulfill({ status: 429, json: { error: { code: 'too-many-requests', message: 'Too many requests' } } }),
  );
  await main.getByLabel('Summary, in one line').fill('Saved without its costs');
  await getCell(main, 'Cost', 'A2').fill('9');
  await main.getByRole('button', { name: 'Save draft' }).click();
  await main.getByText('The product was saved, but its costs were not. Too many attempts.', { exact: false }).waitFor();
  const stored = await editor.call('GET', `/products/${id}`);
  assert.equal(textAt(stored.body, 'product', 'content', 'sub_description'), 'Saved without its costs');
  assert.equal(await getCell(main, 'Cost', 'A2').inputValue(), '9');
  await main.getByText('Unsaved changes').waitFor();
  await page.unroute(path);
  await main.getByRole('button', { name: 'Save draft' }).click();
  await page.getByText('Costs saved', { exact: true }).first().waitFor();
  assert.deepEqual(await readCosts(id), [null, 9, null]);
  await close();
});

test('[OPS-05] costs that somebody else changed meanwhile are compared', async () => {
  const { id, page, main, close } = await openProduct({ expectedStatuses: [409] });
  await getCell(main, 'Cost', 'A1').fill('5');
  const { body } = await editor.call('GET', `/products/${id}/costs`);
  const costs = listAt(body, 'variants').map((one) => ({ variant_id: textAt(one, 'id'), cost_usd: 7 }));
  await editor.call('PUT', `/products/${id}/costs`, { version: numberAt(body, 'version'), costs });
  await main.getByRole('button', { name: 'Save draft' }).click();
  const dialog = page.getByRole('dialog', { name: /changed the costs of this product/ });
  await dialog.getByRole('button', { name: 'Keep mine' }).click();
  await dialog.waitFor({ state: 'hidden' });
  await main.getByRole('button', { name: 'Save draft' }).click();
  await page.getByText('Costs saved', { exact: true }).first().waitFor();
  assert.deepEqual(await readCosts(id), [5, 7, 7]);
  await close();
});

/** What is on hand of the variants, as it is stored. */
async function readStock(id: string): Promise<readonly unknown[]> {
  const { body } = await shop.api('GET', `/inventory/products/${id}`, { token: editor.token });
  return listAt(body, 'variants');
}
const readOnHand = async (id: string): Promise<unknown[]> =>
  (await readStock(id)).map((one) => valueAt(one, 'on_hand'));

test('[OPS-08] [OPS-10] what is on hand of variants is saved with the product', async () => {
  const { id, page, main, close } = await openProduct();
  const sent: string[] = [];
  page.on('request', (request) => request.method() === 'PUT' && sent.push(new URL(request.url()).pathname));
  await getCell(main, 'Units on hand', 'A1').fill('many');
  await main.getByRole('button', { name: 'Save draft' }).click();
  await main.getByText('Enter a whole number from 0 to 1,000,000').first().waitFor();
  await waitUntil(() => hasFocus(getCell(main, 'Units on hand', 'A1')));
  assert.deepEqual(sent, []);
  await getCell(main, 'Units on hand', 'A1').fill('7');
  await page.keyboard.press('Control+d');
  await getCell(main, 'Units on hand', 'A3').fill('');
  await assertAccessible(page);
  await main.getByRole('button', { name: 'Save draft' }).click();
  await page.getByText('Stock saved', { exact: true }).first().waitFor();
  await main.getByText('All changes are saved').waitFor();
  assert.deepEqual(await readOnHand(id), [7, 7, null]);
  assert.deepEqual(sent, ['/api/inventory'], 'nothing else was changed');
  // With the product and its costs, in this order.
  sent.length = 0;
  await main.getByLabel('Summary, in one line').fill('In stock again');
  await getCell(main, 'Cost', 'A1').fill('3');
  await getCell(main, 'Units on hand', 'A3').fill('0');
  await main.getByRole('button', { name: 'Publish changes' }).click();
  await page.getByText('Published', { exact: true }).first().waitFor();
  await main.getByText('All changes are saved').waitFor();
  assert.deepEqual(await readOnHand(id), [7, 7, 0]);
  assert.deepEqual(sent, [`/api/catalogue/products/${id}`, `/api/catalogue/products/${id}/costs`, '/api/inventory']);
  await close();
});

test('[OPS-08] [OPS-10] stock that changed meanwhile is compared before it is saved', async () => {
  const { id, page, main, close } = await openProduct({ expectedStatuses: [409] });
  const [first] = await readStock(id);
  const path = `/inventory/${textAt(first, 'variant_id')}`;
  const count = (quantity: number, seen: unknown) =>
    shop.api('PUT', path, { token: editor.token, body: { of: 'on_hand', quantity, seen, reason: 'counted' } });
  await getCell(main, 'Units on hand', 'A1').fill('5');
  assert.equal((await count(8, valueAt(first, 'on_hand'))).status, 200);
  await main.getByRole('button', { name: 'Save draft' }).click();
  const dialog = page.getByRole('dialog', { name: /the stock of this product/ });
  await dialog.getByRole('button', { name: 'Take theirs' }).click();
  await dialog.waitFor({ state: 'hidden' });
  assert.equal(await getCell(main, 'Units on hand', 'A1').inputValue(), '8');
  await getCell(main, 'Units on hand', 'A1').fill('5');
  await main.getByRole('button', { name: 'Save draft' }).click();
  await page.getByText('Stock saved', { exact: true }).first().waitFor();
  assert.deepEqual((await readOnHand(id))[0], 5);
  await close();
});
