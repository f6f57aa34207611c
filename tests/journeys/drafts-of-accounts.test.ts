/** Unsaved changes of staff stay in their tab for their account, and are never shown to another one. */
import '../support/built-pages.ts';
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from '@playwright/test';
import { sql } from 'kysely';
import { openPage } from '../support/browser.ts';
import { logIn, visit } from '../support/buyer.ts';
import { CatalogueEditor } from '../support/catalogue-editor.ts';
import { startTestShop } from '../support/shop.ts';
import type { TestShop } from '../support/shop.ts';
import { runWithShopDatabase } from '../support/stock-stress.ts';

const PASSWORD = 'crypto-market';
const TYPED = 'Only I may read this yet';

let shop: TestShop;
let path: string;
const change = (statement: ReturnType<typeof sql>): Promise<unknown> =>
  runWithShopDatabase(shop, (db) => statement.execute(db));
before(async () => {
  shop = await startTestShop();
  const body = { username: 'dana', email: 'dana@shop.example', password: PASSWORD };
  await shop.api('POST', '/users/register', { body });
  await change(sql`update users set role = 'owner' where username = 'dana'`);
  const editor = await CatalogueEditor.open(shop);
  path = `/admin/products/${(await editor.create(await editor.createContent())).id}`;
});
after(() => shop.stop());

const getSummary = (page: Page) => page.getByLabel('Summary, in one line');
const countDrafts = (page: Page): Promise<number> =>
  page.evaluate(() => Object.keys(sessionStorage).filter((key) => key.startsWith('document_draft_')).length);

async function openEditor(page: Page, username: string): Promise<void> {
  await visit(page, `/login?to=${path}`);
  await logIn(page, username, PASSWORD);
  await page.waitForURL(`**${path}`);
  await getSummary(page).waitFor();
}

async function openWithDraft() {
  const opened = await openPage(shop, { width: 1440, expectedStatuses: [401, 404] });
  const { page } = opened;
  // The browser asks before it leaves the page.
  page.on('dialog', (question) => void question.accept());
  await openEditor(page, 'owner');
  await getSummary(page).fill(TYPED);
  await page.getByText('Unsaved changes').first().waitFor();
  assert.equal(await countDrafts(page), 1);
  return opened;
}

async function assertNotShown(page: Page): Promise<void> {
  assert.notEqual(await getSummary(page).inputValue(), TYPED);
  assert.equal(await page.getByText('Your changes are here again').count(), 0);
  assert.equal(await countDrafts(page), 0);
}

test('[OPS-02] [ACC-08] a logout removes unsaved changes of staff', async () => {
  const { close, page } = await openWithDraft();
  await page.getByRole('button', { name: 'Owner' }).click();
  await page.getByRole('button', { name: 'Log out' }).click();
  await page.waitForURL('**/login**');
  assert.equal(await countDrafts(page), 0);
  await openEditor(page, 'dana');
  await assertNotShown(page);
  await close();
});

test('[OPS-02] [ACC-08] only the same account finds unsaved changes of an ended session', async () => {
  const { close, page } = await openWithDraft();
  await change(sql`delete from sessions`);
  await openEditor(page, 'owner');
  assert.equal(await getSummary(page).inputValue(), TYPED);
  await change(sql`delete from sessions`);
  await openEditor(page, 'dana');
  await assertNotShown(page);
  await close();
});

test('[OPS-02] [ACC-08] an account that logs in in another tab finds no unsaved changes', async () => {
  const { close, context, page } = await openWithDraft();
  const second = await context.newPage();
  await second.goto(new URL('/', page.url()).href);
  await change(sql`delete from sessions`);
  await openEditor(second, 'dana');
  await assertNotShown(second);
  await page.goto(page.url());
  await getSummary(page).waitFor();
  await assertNotShown(page);
  await second.close();
  await close();
});

test('[OPS-02] [ACC-08] an account that loses its role and gets it back keeps its changes', async () => {
  const { close, page } = await openWithDraft();
  await change(sql`update users set role = 'customer' where username = 'owner'`);
  await page.goto(page.url());
  assert.equal(await getSummary(page).count(), 0);
  await change(sql`update users set role = 'owner' where username = 'owner'`);
  await visit(page, path);
  assert.equal(await getSummary(page).inputValue(), TYPED);
  await close();
});
