/** Import and export of the catalogue by staff, in the browser. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import type { Page } from '@playwright/test';
import { assertAccessible } from '../support/axe.ts';
import { openPage } from '../support/browser.ts';
import { signIn, visit } from '../support/buyer.ts';
import { SHOPIFY_EXPORT } from '../support/imports/shopify-export.ts';
import { waitUntil } from '../support/wait-until.ts';
import { startTestShop } from '../support/shop.ts';
import type { TestShop } from '../support/shop.ts';
import { saveScreenshots } from '../support/screenshots.ts';

let shop: TestShop;
before(async () => {
  shop = await startTestShop();
});
after(() => shop.stop());

const chooseFile = (page: Page, content: string) =>
  page
    .getByLabel('CSV file')
    .setInputFiles({ name: 'products.csv', mimeType: 'text/csv', buffer: Buffer.from(content) });

const confirmImport = (page: Page) =>
  page.getByRole('dialog').getByRole('button', { name: 'Import', exact: true }).click();

for (const username of ['staff', 'owner']) {
  test(`[OPS-12] ${username} checks a file, corrects it and imports it`, async () => {
    const { page, close } = await openPage(shop);
    await signIn(shop, page, username, 'crypto-market');
    await visit(page, '/admin/import');
    await page.getByRole('button', { name: 'Upload and check' }).click();
    await page.getByText('Choose a CSV file.').waitFor();
    assert.equal(await page.getByLabel('CSV file').getAttribute('aria-invalid'), 'true');

    await chooseFile(page, SHOPIFY_EXPORT.replace('49.00', 'cheap').replace('9.5', 'free'));
    await page.getByRole('button', { name: 'Upload and check' }).click();
    await page.getByRole('heading', { name: 'Has errors' }).waitFor();
    await page.getByText('All 2 products of the file have errors').waitFor();
    await page.getByText('“cheap” is not a price such as 1299.00').waitFor();
    assert.equal(await page.getByRole('button', { name: /^Import/ }).count(), 0);
    await assertAccessible(page);
    await saveScreenshots(page, `import-errors-${username}`);

    await page.getByRole('link', { name: 'All imports' }).click();
    const file = SHOPIFY_EXPORT.replaceAll('desk-lamp', `lamp-of-${username}`).replaceAll('LUNA', `L-${username}`);
    // A name that never resolves.
    const unreachable = file.replace('cdn.shopify.com', 'pictures.invalid');
    await chooseFile(page, unreachable.replaceAll('Größe_XL', `Poster-${username}`));
    await page.getByRole('button', { name: 'Upload and check' }).click();
    await page.getByRole('heading', { name: 'Ready to import' }).waitFor();
    await page.getByText('Desk Lamp "Luna"').first().click();
    await page.getByRole('cell', { name: 'Black / EU' }).first().waitFor();
    await page.getByText('1 picture of other sites will be loaded first').waitFor();
    await assertAccessible(page);
    await saveScreenshots(page, `import-checked-${username}`);
    await page.getByRole('button', { name: 'Import 2 products' }).click();
    await confirmImport(page);
    await page.getByText('1 picture of other sites could not be loaded').waitFor();
    await page.getByRole('cell', { name: /^The picture could not be loaded.*pictures\.invalid/ }).waitFor();
    await assertAccessible(page);
    await saveScreenshots(page, `import-missing-${username}`);
    await page.getByRole('button', { name: 'Import without 1 picture' }).click();
    await confirmImport(page);
    await page.getByRole('heading', { name: 'Imported', exact: true }).waitFor();
    await visit(page, `/catalog/product/lamp-of-${username}`);
    await page.getByRole('heading', { level: 1, name: 'Desk Lamp "Luna"' }).waitFor();
    await visit(page, '/admin/import');
    await saveScreenshots(page, `import-${username}`);
    await close();
  });
}

const importedFile = (title: string): string =>
  [
    ['Handle', 'Title', 'Vendor', 'Type', 'Variant Price', 'Image Src'],
    ['pine-shelf', title, 'Oakley', 'Shelves', '120', '/images/products/airtag/front.avif'],
    ['oak-shelf', 'Oak shelf', 'Oakley', 'Shelves', 'free', ''],
    ['elm-shelf', 'Elm shelf', 'Oakley', 'Shelves', '90', 'elm.jpg'],
  ]
    .map((cells) => `${cells.join(',')}\n`)
    .join('');

test('[OPS-31] staff filter what is left out and import the rest', async () => {
  const { page, close } = await openPage(shop);
  await signIn(shop, page, 'staff', 'crypto-market');
  await visit(page, '/admin/import');
  await chooseFile(page, importedFile('Pine shelf'));
  await page.getByRole('button', { name: 'Upload and check' }).click();
  await page.getByRole('heading', { name: 'Ready to import' }).waitFor();
  await page.getByText('2 products have errors, as listed below').waitFor();
  const table = page.getByRole('region', { name: 'Errors and notices' });
  await assertAccessible(page);
  await saveScreenshots(page, 'import-some-left-out');
  await page.getByLabel('Show').selectOption('Errors: left out');
  await page.getByLabel('Line, column, product or text').fill('image');
  await page.getByRole('button', { name: 'Filter' }).click();
  await page.waitForURL(/severity=error/);
  await table.getByRole('cell', { name: 'elm-shelf' }).waitFor();
  await waitUntil(async () => (await table.getByRole('row').count()) === 2);
  await assertAccessible(page);
  await saveScreenshots(page, 'import-filtered');
  await page.getByLabel('Line, column, product or text').fill('nothing like it');
  await page.getByRole('button', { name: 'Filter' }).click();
  await page.getByText('Nothing matches this filter.').waitFor();
  await saveScreenshots(page, 'import-no-match');
  await page.getByRole('link', { name: 'Show all' }).click();
  await table.getByRole('cell', { name: 'oak-shelf' }).first().waitFor();
  await page.getByRole('button', { name: 'Import 1 product, leave out 2' }).click();
  await page.getByRole('dialog').getByText('2 products with errors are not imported.').waitFor();
  await saveScreenshots(page, 'import-left-out-question');
  await confirmImport(page);
  await page.getByRole('heading', { name: 'Imported', exact: true }).waitFor();
  await visit(page, '/catalog/product/pine-shelf');
  await page.getByRole('heading', { level: 1, name: 'Pine shelf' }).waitFor();

  // The product without errors is unchanged now, so that nothing is left to import.
  await visit(page, '/admin/import');
  await page.getByText('1 new, 0 changed, 2 left out').waitFor();
  await chooseFile(page, importedFile('Pine shelf'));
  await page.getByRole('button', { name: 'Upload and check' }).click();
  await page.getByRole('heading', { name: 'Nothing to import' }).waitFor();
  await page.getByText('The catalogue already has the other products of this file.').waitFor();
  assert.equal(await page.getByRole('button', { name: /^Import/ }).count(), 0);
  await saveScreenshots(page, 'import-rest-unchanged');
  await close();
});

test('[OPS-12] staff download the catalogue as a file', async () => {
  const { page, close } = await openPage(shop);
  await signIn(shop, page, 'staff', 'crypto-market');
  await visit(page, '/admin/import');
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download products as CSV' }).click();
  const download = await downloading;
  assert.equal(download.suggestedFilename(), 'products.csv');
  assert.match(readFileSync(await download.path(), 'utf8'), /^Handle,Title,.*\r\n/);
  await close();
});
