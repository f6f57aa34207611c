/** The back office pages for the merchant's texts, in the browser, as staff and as owner. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from '@playwright/test';
import { assertAccessibleInBothSchemes } from '../support/axe.ts';
import { openPage } from '../support/browser.ts';
import { signIn, visit } from '../support/buyer.ts';
import { clickWhenEnabledAgain } from '../support/pages/click-when-enabled.ts';
import { startTestShop } from '../support/shop.ts';
import type { TestShop } from '../support/shop.ts';
import { waitUntil } from '../support/wait-until.ts';

let shop: TestShop;
before(async () => {
  shop = await startTestShop();
});
after(() => shop.stop());

async function openAs(username: 'staff' | 'owner', path: string, size = { width: 1440, height: 900 }) {
  const opened = await openPage(shop, { ...size, expectedStatuses: [400, 404, 409] });
  await signIn(shop, opened.page, username, 'crypto-market');
  await visit(opened.page, path);
  return opened;
}
const openSection = async (page: Page, title: string): Promise<void> => {
  await page.getByRole('heading', { level: 2, name: title, exact: true }).click();
  await page.getByRole('button', { name: `Save ${title.toLowerCase()}` }).waitFor();
};
const readHome = async (): Promise<string> => (await fetch(shop.url)).text();

test('[OPS-07] staff change the hero with a preview of its prices', async () => {
  const { page, close } = await openAs('staff', '/admin/content');
  await openSection(page, 'Hero');
  const save = page.getByRole('button', { name: 'Save hero' });
  assert.ok(await save.isDisabled(), 'nothing is changed');
  const preview = page.getByRole('region', { name: 'Buy out gadgets with cryptocurrency', includeHidden: true });
  await preview.getByText('From 0.009 BTC or $999').waitFor();
  await page.getByLabel('Subtitle').first().fill('Only {from_usd} or {from_btc}');
  await preview.getByText('Only $999 or 0.009 BTC').waitFor();
  await page.getByText('Unsaved changes').first().waitFor();
  await page.keyboard.press('Enter');
  await page.getByText('Hero saved').waitFor();
  assert.match(await readHome(), /Only \$999 or 0\.009 BTC/);
  await close();
});

test('[OPS-07] a refused text is marked, gets the focus and is kept', async () => {
  const { page, close } = await openAs('staff', '/admin/content', { width: 390, height: 844 });
  await openSection(page, 'Hero');
  const subtitle = page.getByLabel('Subtitle').first();
  await subtitle.fill('From {price}');
  await page.getByRole('button', { name: 'Save hero' }).click();
  await page.getByRole('alert').filter({ hasText: 'Correct the marked fields' }).waitFor();
  await page.waitForFunction(() => document.activeElement?.getAttribute('aria-invalid') === 'true');
  assert.equal(await subtitle.inputValue(), 'From {price}');
  await page.getByText('contains {price}, which is not a placeholder').first().waitFor();
  await assertAccessibleInBothSchemes(page);
  await close();
});

test('[OPS-07] unsaved changes remain after leaving the page', async () => {
  const { page, close } = await openAs('staff', '/admin/content');
  await openSection(page, 'Promo banner');
  await page.getByLabel('Title', { exact: true }).last().waitFor();
  const title = page.locator('details[open]').getByLabel('Title', { exact: true });
  await title.fill('A half-written banner');
  await page.getByRole('link', { name: 'Orders', exact: true }).click();
  await page.waitForURL('**/admin/orders');
  await page.goBack();
  await page.getByText('Unsaved changes').first().waitFor();
  await openSection(page, 'Promo banner');
  assert.equal(await title.inputValue(), 'A half-written banner');
  await page.getByText('Your changes are here again.', { exact: false }).waitFor();
  await page.locator('details[open]').getByRole('button', { name: 'Discard changes' }).click();
  assert.equal(await title.inputValue(), 'Buy out gadgets with Bitcoin on Apple Tech Today!');
  await close();
});

test('[OPS-07] the second of two editors gets a conflict, with the text kept', async () => {
  const first = await openAs('staff', '/admin/content');
  const second = await openAs('owner', '/admin/content');
  for (const { page } of [first, second]) {
    await openSection(page, 'Promo banner');
    await page
      .locator('details[open]')
      .getByLabel('Title', { exact: true })
      .fill(`Title of ${page === first.page}`);
  }
  await first.page.getByRole('button', { name: 'Save promo banner' }).click();
  await first.page.getByText('Promo banner saved').waitFor();
  await second.page.getByRole('button', { name: 'Save promo banner' }).click();
  const dialog = second.page.getByRole('dialog', { name: 'staff changed “Promo banner”' });
  await dialog.getByRole('button', { name: 'Close' }).click();
  await second.page.getByRole('alert').filter({ hasText: 'staff changed “Promo banner”.' }).waitFor();
  assert.equal(
    await second.page.locator('details[open]').getByLabel('Title', { exact: true }).inputValue(),
    'Title of false',
  );
  await first.close();
  await second.close();
});

test('[OPS-07] rows are moved and removed by keyboard', async () => {
  const { page, close } = await openAs('staff', '/admin/content');
  await openSection(page, 'Rows of products');
  const open = page.locator('details[open]');
  await open.getByRole('button', { name: 'Move up Row 4' }).focus();
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.activeElement?.textContent === 'Move up Row 3');
  await open.getByRole('button', { name: 'Remove Row 1' }).click();
  await page.getByRole('button', { name: 'Save rows of products' }).click();
  await page.getByText('Rows of products saved').waitFor();
  await page.goto('/');
  const headings = await page.getByRole('main').getByRole('heading', { level: 2 }).allInnerTexts();
  assert.deepEqual(
    headings.filter((heading) => heading.startsWith('Buy new ')),
    ['Buy new Iphone', 'Buy new iPad', 'Buy new Macbook'],
  );
  await close();
});

test('[OPS-07] a refused move of a question leaves the focus on its button', async () => {
  const { page, close } = await openAs('staff', '/admin/content?part=faq');
  const refusal = { status: 409, json: { error: { code: 'changed-meanwhile', message: 'Somebody changed the list' } } };
  await page.route('**/api/content/faq-order', (route) => route.fulfill(refusal), { times: 1 });
  const button = page.getByRole('button', { name: /^Move down/ }).first();
  const name = await button.textContent();
  await button.click();
  await page.getByText('Somebody changed the list.').waitFor();
  await page.waitForFunction((text) => document.activeElement?.textContent === text, name);
  await close();
});

test('[OPS-07] a question is moved again as soon as it can be', async () => {
  const { page, close } = await openAs('staff', '/admin/content?part=faq');
  const listMoves = () => page.getByRole('button', { name: /^Move down/ }).allTextContents();
  const [first = '', ...others] = await listMoves();
  const button = page.getByRole('button', { name: first, exact: true });
  await clickWhenEnabledAgain(button);
  await button.click();
  await waitUntil(async () => (await listMoves()).indexOf(first) === 2);
  assert.deepEqual(await listMoves(), others.toSpliced(2, 0, first));
  await page.waitForFunction((text) => document.activeElement?.textContent === text, first);
  assert.equal(await page.getByRole('alert').count(), 0);
  await close();
});

test('[OPS-07] staff add, move and delete a question', async () => {
  const { page, close } = await openAs('staff', '/admin/content?part=faq');
  const add = page.getByRole('region', { name: 'Add a question' });
  await add.getByLabel('Question').fill('Do you wrap gifts?');
  await add.getByLabel('Answer').fill('Yes, for {payment_window}.');
  await add.getByRole('button', { name: 'Add question' }).click();
  const question = page.getByRole('region', { name: 'Do you wrap gifts?' });
  await question.waitFor();
  await waitUntil(async () => (await add.getByLabel('Question').inputValue()) === '');
  await question.getByRole('button', { name: 'Move up Do you wrap gifts?' }).click();
  await page.getByText('Order saved').waitFor();
  await page.waitForFunction(() => document.activeElement?.textContent === 'Move up Do you wrap gifts?');
  assert.match(await readHome(), /Yes, for two hours\./);
  await question.getByRole('button', { name: 'Edit' }).click();
  await question.getByRole('textbox', { name: 'Question' }).fill('Do you wrap presents?');
  await question.getByRole('button', { name: 'Save question' }).click();
  const renamed = page.getByRole('region', { name: 'Do you wrap presents?' });
  await renamed.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete question' }).click();
  await renamed.waitFor({ state: 'detached' });
  assert.doesNotMatch(await readHome(), /Do you wrap/);
  await close();
});

test('[OPS-07] an owner publishes a legal text that staff wrote', async () => {
  const staff = await openAs('staff', '/admin/content?part=returns');
  const text = staff.page.getByLabel('Text', { exact: true });
  await text.fill(
    'Intro <script>alert(1)</script>\n\n# Sending it back\n\nSee [contact](/contact) or [x](javascript:alert(1)).',
  );
  await staff.page.getByRole('heading', { level: 3, name: 'Sending it back' }).waitFor();
  await staff.page.getByRole('button', { name: 'Save draft' }).click();
  await staff.page.getByText('Draft saved', { exact: true }).waitFor();
  await staff.page.getByText('Only an owner can publish it.').waitFor();
  assert.equal(await staff.page.getByRole('button', { name: 'Publish' }).count(), 0);
  await staff.close();

  const { page, close } = await openAs('owner', '/admin/content?part=returns');
  await page.getByRole('button', { name: 'Publish' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).click();
  await page.getByText('Version 2 (in force)').waitFor();
  await page.goto('/returns');
  const main = page.getByRole('main');
  assert.deepEqual(await main.getByRole('heading', { level: 2 }).allInnerTexts(), ['Sending it back']);
  await main.getByText('Intro <script>alert(1)</script>').waitFor();
  assert.equal(await main.getByRole('link').count(), 1);
  assert.equal(await main.getByRole('link', { name: 'contact' }).getAttribute('href'), '/contact');
  await visit(page, '/admin/content?part=returns');
  await page.getByRole('link', { name: 'View version 1' }).click();
  await page.getByRole('heading', { level: 2, name: 'Version 1', exact: true }).waitFor();
  await page.getByRole('heading', { level: 3, name: 'Compared with version 2, which is in force' }).waitFor();
  const lines = page.getByRole('region', { name: 'Version 1' }).getByRole('list').first();
  await lines.getByRole('insertion').filter({ hasText: '# Sending it back' }).waitFor();
  const removed = lines.getByRole('deletion').filter({ hasText: '## 14 days to change your mind' });
  assert.equal(await removed.textContent(), 'Removed: ## 14 days to change your mind');
  assert.match(await lines.innerText(), /^−$/m);
  await assertAccessibleInBothSchemes(page);
  await page.getByRole('button', { name: 'Restore as draft' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click();
  await page.getByText('The saved draft is not published yet.').waitFor();
  assert.match(await page.getByLabel('Text', { exact: true }).inputValue(), /## 14 days to change your mind/);
  await page.getByRole('link', { name: 'View version 2' }).click();
  await page.getByRole('heading', { level: 3, name: 'Compared with the saved draft' }).waitFor();
  await page.getByRole('insertion').filter({ hasText: '## 14 days to change your mind' }).waitFor();
  await close();
});

test('[OPS-07] customers get 404 at the pages for texts', async () => {
  const { page, close } = await openPage(shop, { expectedStatuses: [404] });
  await signIn(shop, page, 'alice', 'crypto-market');
  for (const path of ['/admin/content', '/admin/content?part=faq']) {
    assert.equal((await page.goto(path))?.status(), 404, path);
  }
  await close();
});
