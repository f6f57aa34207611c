/** Pictures of a defect and a label on the pages of a return, of the buyer and of staff. */
import '../support/built-pages.ts';
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from '@playwright/test';
import sharp from 'sharp';
import { assertAccessibleInBothSchemes } from '../support/axe.ts';
import { openPage } from '../support/browser.ts';
import { logIn, visit } from '../support/buyer.ts';
import { logInAs } from '../support/charge-settings.ts';
import { listAt, textAt, valueAt } from '../support/read-json.ts';
import { openRefundShop } from '../support/refund-shop.ts';
import type { Buyer, RefundShop } from '../support/refund-shop.ts';
import { openReturns } from '../support/returns.ts';
import type { ReturnCalls } from '../support/returns.ts';
import { saveScreenshots } from '../support/screenshots.ts';
import { LABEL_PDF } from '../support/upload-picture.ts';
import { waitUntil } from '../support/wait-until.ts';

const PASSWORD = 'crypto-market';
let shop: RefundShop;
let calls: ReturnCalls;
before(async () => {
  shop = await openRefundShop();
  await shop.setStock(50);
  calls = openReturns(shop);
});
after(() => shop.shop.stop());

const photo = async (name: string, view: string, width: number) => {
  const source = `public/images/products/iphone-air/${view}`;
  const buffer = await sharp(source).resize({ width }).flatten({ background: '#68a' }).jpeg().toBuffer();
  return { name, mimeType: 'image/jpeg', buffer };
};
const openAs = async (login: string, path: string): Promise<Awaited<ReturnType<typeof openPage>>> => {
  const opened = await openPage(shop.shop, { expectedStatuses: [400, 404, 409] });
  await visit(opened.page, `/login?to=${path}`);
  await logIn(opened.page, login, PASSWORD);
  await opened.page.waitForURL(`**${path}`);
  return opened;
};
const getShown = (page: Page) => page.getByRole('list', { name: 'Pictures of the defect' }).locator('img');
const waitForShown = (page: Page, count: number): Promise<void> =>
  waitUntil(async () => (await getShown(page).count()) === count);
const findReturn = async (buyer: Buyer, orderId: string): Promise<string> => {
  const { body } = await shop.shop.api('GET', `/orders/${orderId}/returns`, { token: buyer.token });
  return textAt(listAt(body, 'returns')[0], 'id');
};

test('[RET-05] a buyer shows a defect in pictures, which staff see', async () => {
  const { buyer, id: orderId } = await calls.createShippedOrder(1);
  const buying = await openAs(buyer.email, `/dashboard/orders/${orderId}/return`);
  const { page } = buying;
  await page.getByLabel('Description').fill('The display has a crack from the lower left corner');
  const field = page.getByLabel('Pictures of the defect (optional)');
  const pictures = [await photo('a.jpg', 'front.avif', 900), await photo('b.jpg', 'front.avif', 300)];
  await field.setInputFiles([{ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('x') }]);
  await page.getByRole('button', { name: 'Request return' }).click();
  await page.getByText('notes.txt is not a picture. Choose JPEG, PNG, WebP, AVIF or GIF').waitFor();
  await field.setInputFiles(pictures);
  await saveScreenshots(page, 'defect-request');
  await page.getByRole('button', { name: 'Request return' }).click();
  await waitForShown(page, 2);
  const returnId = await findReturn(buyer, orderId);

  // A file whose content is no picture, one that is too large, and a third picture.
  const input = page.locator('input[type="file"]');
  await input.setInputFiles([
    { name: 'broken.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('no picture') },
    { name: 'large.gif', mimeType: 'image/gif', buffer: Buffer.alloc(10 * 1024 * 1024 + 1, 'GIF89a') },
    await photo('c.jpg', 'front.avif', 700),
  ]);
  await page.getByText('The file is not a JPEG, PNG, WebP, AVIF or GIF picture').waitFor();
  await page.getByText('The file has 11 MB. The limit is 10 MB').waitFor();
  await waitForShown(page, 3);
  await saveScreenshots(page, 'defect-buyer-failures');
  for (const name of ['broken.jpg', 'large.gif']) await page.getByRole('button', { name: `Dismiss: ${name}` }).click();
  await saveScreenshots(page, 'defect-buyer');
  await assertAccessibleInBothSchemes(page);

  // In full size by keyboard, and removed.
  await page.getByRole('button', { name: 'Enlarge Picture 1 of the defect' }).press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('img', { name: 'Picture 1 of the defect' }).waitFor();
  await saveScreenshots(page, 'defect-large');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: 'Remove Picture 3 of the defect' }).click();
  await waitForShown(page, 2);

  // What cannot be loaded says so.
  await page.route('**/pictures/**', (route) =>
    route.fulfill({ status: 404, json: { error: { code: 'not-found', message: 'Not found' } } }),
  );
  await page.reload();
  await page.getByText('Not loaded').first().waitFor();
  await page.getByRole('button', { name: 'Enlarge Picture 1 of the defect' }).click();
  await dialog.getByRole('alert').waitFor();
  await saveScreenshots(page, 'defect-not-loaded');
  await page.unroute('**/pictures/**');
  await dialog.getByRole('button', { name: 'Try again' }).click();
  await dialog.getByRole('img', { name: 'Picture 1 of the defect' }).waitFor();

  assert.equal((await calls.step(returnId, 'approve')).status, 200);
  const desk = await openAs('staff', `/admin/returns/${returnId}`);
  await waitForShown(desk.page, 2);
  const section = desk.page.getByRole('region', { name: 'Label' });
  await section
    .locator('input[type="file"]')
    .setInputFiles([{ name: 'label.pdf', mimeType: 'application/pdf', buffer: LABEL_PDF }]);
  await section.getByText('The buyer can download it on the page of the return.').waitFor();
  assert.equal(await desk.page.getByText('This page may be outdated').count(), 0);
  await saveScreenshots(desk.page, 'defect-staff');
  await assertAccessibleInBothSchemes(desk.page);

  await page.reload();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download the label (PDF)' }).click();
  assert.match((await download).suggestedFilename(), /^R-[\w-]+-label\.pdf$/);
  await waitForShown(page, 2);
  await saveScreenshots(page, 'defect-buyer-label');

  await section.getByRole('button', { name: 'Remove label' }).click();
  await desk.page.getByRole('dialog').getByRole('button', { name: 'Remove label' }).click();
  await section.getByRole('button', { name: 'Upload label' }).waitFor();
  await buying.close();
  await desk.close();
});

test('[OPS-28] staff go on with a label after a change of somebody else, without a reload', async () => {
  const { buyer, id: orderId } = await calls.createShippedOrder(1);
  const returnId = textAt((await calls.request(buyer, orderId, 1)).body, 'return', 'id');
  assert.equal((await calls.step(returnId, 'approve')).status, 200);
  const { close, page } = await openAs('staff', `/admin/returns/${returnId}`);
  await page.evaluate(() => document.body.setAttribute('data-loaded-once', ''));
  const owner = await logInAs(shop.shop, 'owner');
  const readReturn = async (field: string) => valueAt(await calls.read(returnId), 'return', field);
  const setLabel = async (carrier: string): Promise<void> => {
    const version = await readReturn('version');
    const body = { version, label_url: `https://${carrier}.example/label` };
    const set = await shop.shop.api('PUT', `/support/returns/${returnId}/label`, { token: owner, body });
    assert.equal(set.status, 200, JSON.stringify(set.body));
  };

  // While somebody types, the page does not load what others change.
  const scanned = page.getByLabel('SKU');
  await scanned.fill('SKU-1');
  await setLabel('first');
  await page.getByText('This page may be outdated').waitFor();
  const section = page.getByRole('region', { name: 'Label' });
  await section
    .locator('input[type="file"]')
    .setInputFiles([{ name: 'label.pdf', mimeType: 'application/pdf', buffer: LABEL_PDF }]);
  await section.getByText('Somebody changed this meanwhile').waitFor();
  const link = section.getByLabel('Address of the label');
  assert.equal(await link.inputValue(), 'https://first.example/label');
  await saveScreenshots(page, 'label-conflict');
  await section.getByRole('button', { name: 'Try again: label.pdf' }).click();
  await section.getByText('The buyer can download it on the page of the return.').waitFor();
  assert.equal(await scanned.inputValue(), 'SKU-1', 'what was typed elsewhere stays');

  // A link that is typed while somebody else sets one.
  await link.fill('https://mine.example/label');
  await setLabel('second');
  await section.getByRole('button', { name: 'Save label' }).click();
  const dialog = page.getByRole('dialog', { name: /changed this return/ });
  await dialog.waitFor();
  await saveScreenshots(page, 'label-link-conflict');
  await dialog.getByRole('button', { name: 'Keep mine' }).click();
  assert.equal(await link.inputValue(), 'https://mine.example/label');
  // The page has loaded this version before the next one is made.
  const reload = page
    .waitForResponse((response) => response.request().method() === 'PUT')
    .then(() => page.waitForRequest((request) => new URL(request.url()).pathname.endsWith('.data')));
  await section.getByRole('button', { name: 'Save label' }).click();
  await (await reload).response();
  assert.equal(await readReturn('label_url'), 'https://mine.example/label');

  // A proof that is typed while something else of the return changes.
  const proof = page.getByLabel('Proof of sending');
  await proof.fill('RR 77');
  await setLabel('third');
  const save = page.getByRole('button', { name: 'Mark as in transit' });
  await save.click();
  await dialog.getByRole('button', { name: 'Keep mine' }).click();
  assert.equal(await link.inputValue(), 'https://third.example/label');
  await save.click();
  await waitUntil(async () => (await readReturn('proof')) === 'RR 77');
  assert.equal(await page.locator('[data-loaded-once]').count(), 1, 'the page was not loaded again');
  await close();
});
