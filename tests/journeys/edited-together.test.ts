/** Two owners edit the same document in two browsers. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Locator, Page } from '@playwright/test';
import { sql } from 'kysely';
import { assertAccessibleInBothSchemes } from '../support/axe.ts';
import { openPage } from '../support/browser.ts';
import type { PageOptions } from '../support/browser.ts';
import { signIn, visit } from '../support/buyer.ts';
import { CatalogueEditor } from '../support/catalogue-editor.ts';
import { GERMAN_TAX, logInAs, putSettings } from '../support/charge-settings.ts';
import { createPromotionFields } from '../support/promotion-fields.ts';
import { listAt, textAt, valueAt } from '../support/read-json.ts';
import { startTestShop } from '../support/shop.ts';
import type { TestShop } from '../support/shop.ts';
import { runWithShopDatabase } from '../support/stock-stress.ts';
import { saveScreenshots } from '../support/screenshots.ts';

const PASSWORD = 'crypto-market';

let shop: TestShop;
let owner: string;
before(async () => {
  shop = await startTestShop();
  await shop.api('POST', '/users/register', {
    body: { username: 'dana', email: 'dana@shop.example', password: PASSWORD },
  });
  await runWithShopDatabase(shop, (db) => sql`update users set role = 'owner' where username = 'dana'`.execute(db));
  owner = await logInAs(shop, 'owner');
});
after(() => shop.stop());

/** Opens the page as both owners. */
async function openBoth(path: string, options: PageOptions = {}) {
  const mine = await openPage(shop, { width: 1440, expectedStatuses: [409], ...options });
  const theirs = await openPage(shop, { width: 1440 });
  await signIn(shop, mine.page, 'owner', PASSWORD);
  await signIn(shop, theirs.page, 'dana', PASSWORD);
  for (const { page } of [mine, theirs]) await visit(page, path);
  const close = async (): Promise<void> => {
    await theirs.close();
    await mine.close();
  };
  return { page: mine.page, theirs: theirs.page, close };
}

const getDialog = (page: Page, title: string): Locator => page.getByRole('dialog', { name: title, exact: true });
const press = (of: Page | Locator, name: string): Promise<void> =>
  of.getByRole('button', { name, exact: true }).click();
const readTax = async () => (await shop.api('GET', '/tax/settings', { token: owner })).body;
const readRates = async () => listAt(await readTax(), 'rates').map((rate) => valueAt(rate, 'basis_points'));

const getRate = (of: Page, at: number): Locator =>
  of.getByRole('group', { name: `Country ${at}`, exact: true }).getByLabel('Standard rate in %');

test('[OPS-15] changes of different tax fields are merged after a reload, and not saved', async () => {
  await putSettings(shop, 'tax', GERMAN_TAX, owner);
  const { page, theirs, close } = await openBoth('/admin/tax');
  await getRate(page, 1).fill('21');
  await theirs.getByLabel('Name of the tax').fill('MwSt');
  await getRate(theirs, 2).fill('5.5');
  await press(theirs, 'Save tax');
  await theirs.getByText('Tax saved').first().waitFor();

  // The browser asks before it leaves the page.
  page.on('dialog', (question) => void question.accept());
  await page.reload();
  const unnamed = getDialog(page, 'Someone changed these tax settings');
  await unnamed.getByText('From VAT to MwSt').waitFor();
  await page.keyboard.press('Escape');
  await unnamed.waitFor({ state: 'hidden' });
  assert.equal(await getRate(page, 1).inputValue(), '21');
  assert.equal(await getRate(page, 2).inputValue(), '20', 'closing the dialog decides nothing');
  await saveScreenshots(page, 'conflict-notice');
  await press(page, 'Compare changes');
  await unnamed.waitFor();
  await press(unnamed, 'Close');

  await press(page, 'Save tax');
  const dialog = getDialog(page, 'dana changed these tax settings');
  await dialog.getByText('Tax name').waitFor();
  await assertAccessibleInBothSchemes(page);
  await saveScreenshots(page, 'conflict-tax');
  await press(dialog, 'Keep mine');
  await dialog.waitFor({ state: 'hidden' });
  assert.equal(await page.getByLabel('Name of the tax').inputValue(), 'MwSt');
  assert.deepEqual([await getRate(page, 1).inputValue(), await getRate(page, 2).inputValue()], ['21', '5.5']);
  await page.getByText('Unsaved changes').waitFor();
  assert.deepEqual(await readRates(), [1900, 700, 550], 'nothing is saved yet');
  await press(page, 'Save tax');
  await page.getByText('Tax saved').first().waitFor();
  await page.getByText('All changes are saved').waitFor();
  assert.deepEqual(await readRates(), [2100, 700, 550]);
  assert.equal(textAt(await readTax(), 'tax_name'), 'MwSt');
  await close();
});

test('[OPS-11] the changes of a promotion are discarded for those of another owner', async () => {
  const body = createPromotionFields({ code: 'TOGETHER' });
  const created = await shop.api('POST', '/support/promotions', { token: owner, body });
  const { page, theirs, close } = await openBoth(`/admin/promotions/${textAt(created.body, 'promotion', 'id')}`);
  await page.getByLabel('Discount in percent').fill('20');
  await page.getByLabel('Minimum order in dollars (optional)').fill('50');
  await theirs.getByLabel('Discount in percent').fill('30');
  await press(theirs, 'Save changes');
  await theirs.getByText('Promotion saved').first().waitFor();
  // While somebody types, a notice appears and no dialog.
  await page.getByRole('alert').getByText('changed this promotion. Your changes are still here').waitFor();
  assert.equal(await page.getByRole('dialog').count(), 0);
  await press(page, 'Save changes');
  const dialog = getDialog(page, 'dana changed this promotion');
  await dialog.getByText('From 10 to 30, yours is 20').waitFor();
  await saveScreenshots(page, 'conflict-promotion');
  await press(dialog, 'Take theirs');
  await dialog.waitFor({ state: 'hidden' });
  await page.getByText('All changes are saved').waitFor();
  assert.equal(await page.getByLabel('Discount in percent').inputValue(), '30');
  assert.equal(await page.getByLabel('Minimum order in dollars (optional)').inputValue(), '');
  await page.reload();
  assert.equal(await page.getByLabel('Discount in percent').inputValue(), '30');
  assert.equal(await page.getByText('Your changes are here again.', { exact: false }).count(), 0);
  await close();
});

test('[OPS-02] two owners change the same field of a product', async () => {
  const editor = await CatalogueEditor.open(shop);
  const { id } = await editor.create(await editor.createContent());
  const { page, theirs, close } = await openBoth(`/admin/products/${id}`, { width: 390 });
  const summary = page.getByLabel('Summary, in one line');
  await summary.fill('Charges everything');
  await theirs.getByLabel('Summary, in one line').fill('Charges phones and laptops');
  await theirs.getByLabel('Article number').fill('CABLE-2');
  await press(theirs, 'Save draft');
  await theirs.getByText('Saved', { exact: true }).first().waitFor();
  await press(page, 'Save draft');
  const dialog = getDialog(page, 'dana changed this product');
  await dialog.getByText('You changed it too').first().waitFor();
  await saveScreenshots(page, 'conflict-product');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  await page.waitForFunction(() => document.activeElement?.textContent === 'Compare changes');
  await press(page, 'Compare changes');
  await press(dialog, 'Keep mine');
  await page.waitForFunction(() => document.activeElement?.textContent === 'Unsaved changes');
  assert.equal(await summary.inputValue(), 'Charges everything');
  assert.equal(await page.getByLabel('Article number').inputValue(), 'CABLE-2');
  await page.reload();
  await page.getByText('Your changes are here again.', { exact: false }).waitFor();
  await saveScreenshots(page, 'restored-draft');
  await press(page, 'Save draft');
  await page.getByText('Saved', { exact: true }).first().waitFor();
  const { body } = await editor.call('GET', `/products/${id}`);
  assert.equal(textAt(body, 'product', 'content', 'sub_description'), 'Charges everything');
  assert.equal(textAt(body, 'product', 'content', 'article'), 'CABLE-2');
  await close();
});

const getChapter = (of: Page): Locator => of.getByRole('group', { name: 'Chapter 1' });

test('[OPS-02] [OPS-10] a draft is merged with chapters and stock of another owner', async () => {
  const editor = await CatalogueEditor.open(shop);
  const content = await editor.createContent();
  const values = await editor.addProperties(content.category_id, [2]);
  const chapters = [{ figure: '22 hours', title: 'of video', sentence: 'A whole day.', picture_id: null }];
  const { id } = await editor.publish({
    ...content,
    chapters,
    values: values.flat().map((value) => ({ id: value, increase_usd: 0, pictures: [] })),
  });
  const { page, theirs, close } = await openBoth(`/admin/products/${id}`);
  await getChapter(page).getByLabel('Sentence').fill('A day and a night.');
  await page.getByRole('textbox', { name: 'Units on hand of A1', exact: true }).fill('5');
  await getChapter(theirs).getByLabel('Title').fill('of films');
  await theirs.getByLabel('Summary, in one line').fill('Published by dana');
  await theirs.getByRole('textbox', { name: 'Units on hand of A1', exact: true }).fill('8');
  await press(theirs, 'Publish changes');
  await theirs.getByText('Published', { exact: true }).first().waitFor();
  await theirs.getByText('All changes are saved').waitFor();
  await press(page, 'Save draft');
  const dialog = getDialog(page, 'dana changed this product');
  await dialog.getByText('From of video to of films').waitFor();
  await saveScreenshots(page, 'conflict-chapters');
  await press(dialog, 'Keep mine');
  // The stock is a document of its own, with a conflict of its own.
  const ofStock = page.getByRole('dialog', { name: /changed the stock of this product/ });
  await ofStock.getByText('Units on hand of A1').waitFor();
  await ofStock.getByText('From empty to 8, yours is 5').waitFor();
  await press(ofStock, 'Keep mine');
  await ofStock.waitFor({ state: 'hidden' });
  assert.equal(await page.getByLabel('Summary, in one line').inputValue(), 'Published by dana');
  assert.equal(await getChapter(page).getByLabel('Title').inputValue(), 'of films');
  await press(page, 'Save draft');
  await page.getByText('All changes are saved').waitFor();
  const { body } = await editor.call('GET', `/products/${id}`);
  const [chapter] = listAt(body, 'product', 'content', 'chapters');
  assert.deepEqual([textAt(chapter, 'title'), textAt(chapter, 'sentence')], ['of films', 'A day and a night.']);
  const stock = (await shop.api('GET', `/inventory/products/${id}`, { token: owner })).body;
  assert.equal(valueAt(listAt(stock, 'variants')[0], 'on_hand'), 5);
  await close();
});
