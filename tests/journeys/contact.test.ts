import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Locator, Page } from '@playwright/test';
import { assertAccessible } from '../support/axe.ts';
import { openPage } from '../support/browser.ts';
import { shareTestShop } from '../support/shared-shop.ts';
import type { TestShop } from '../support/shop.ts';
import { waitUntil } from '../support/wait-until.ts';

const PHONE = { width: 390, height: 844 };

let shop: TestShop;
before(async () => {
  shop = await shareTestShop();
});

const getField = (page: Page, name: string): Locator => page.getByLabel(name, { exact: true });
const send = (page: Page): Locator => page.getByRole('button', { name: 'Send Message', exact: true });
const getConfirmation = (page: Page): Locator => page.getByRole('heading', { level: 2, name: 'Message received' });
const waitForFocus = (page: Page, name: string): Promise<unknown> =>
  getField(page, name).and(page.locator(':focus')).waitFor();

async function write(page: Page, message: string): Promise<void> {
  await getField(page, 'First Name').fill('Ada');
  await getField(page, 'Last Name').fill('Lovelace');
  await getField(page, 'Email').fill('ada@example.com');
  await getField(page, 'Comment or Message').fill(message);
}

test('[PAGE-02] [LAY-08] sends a message from the footer by keyboard', async () => {
  const { page, close } = await openPage(shop, PHONE);
  await page.goto('/terms');
  await page.getByRole('contentinfo').getByRole('link', { name: 'Contact', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Contact Us' }).waitFor();
  assert.ok(await page.getByRole('main').getByText('45 Elm Street, Kensington, London, UK').isVisible());
  await getField(page, 'First Name').focus();
  for (const text of ['Ada', 'Lovelace', 'ada@example.com', 'One line\nand another']) {
    await page.keyboard.type(text);
    await page.keyboard.press('Tab');
  }
  // Tab goes from the last field to the button and skips the honeypot.
  await send(page).and(page.locator(':focus')).waitFor();
  const sent = page.waitForRequest((request) => request.method() === 'POST');
  await page.keyboard.press('Enter');
  assert.deepEqual((await sent).postDataJSON(), {
    firstName: 'Ada',
    lastName: 'Lovelace',
    email: 'ada@example.com',
    message: 'One line\nand another',
    subject: '',
  });
  await getConfirmation(page).and(page.locator(':focus')).waitFor();
  await assertAccessible(page);
  await page.getByRole('link', { name: 'Send another message' }).click();
  assert.equal(await getField(page, 'Comment or Message').inputValue(), '');
  await close();
});

test('[PAGE-02] shows field errors after submit until they are fixed', async () => {
  const { page, close } = await openPage(shop);
  await page.goto('/contact');
  await send(page).click();
  for (const name of ['First Name', 'Last Name', 'Email', 'Comment or Message']) {
    await page.getByText(`${name} is required`, { exact: true }).waitFor();
    assert.equal(await getField(page, name).getAttribute('aria-invalid'), 'true');
  }
  await waitForFocus(page, 'First Name');
  await assertAccessible(page);
  await write(page, 'x'.repeat(4001));
  await page.getByText('Comment or Message is too long (4001 of 4000 characters)', { exact: true }).waitFor();
  assert.equal(await page.locator('[aria-invalid]').count(), 1);
  await send(page).click();
  await waitForFocus(page, 'Comment or Message');
  await getField(page, 'Comment or Message').fill('x'.repeat(4000));
  assert.equal(await page.locator('[aria-invalid]').count(), 0);
  await send(page).click();
  await getConfirmation(page).waitFor();
  await close();
});

test('[PAGE-02] keeps a failed message in the form, shows why, and resends it', async () => {
  const { page, context } = await openPage(shop, PHONE);
  await page.goto('/contact');
  await write(page, 'Through a tunnel');
  await context.setOffline(true);
  await send(page).click();
  const failure = page.getByRole('alert').filter({ hasText: 'The shop did not respond' });
  // The button is far below the message.
  await waitUntil(async () => {
    const [message, header] = [await failure.boundingBox(), await page.getByRole('banner').boundingBox()];
    return message !== null && header !== null && message.y >= header.y + header.height;
  });
  assert.equal(await getField(page, 'Comment or Message').inputValue(), 'Through a tunnel');
  await context.setOffline(false);
  await send(page).click();
  await getConfirmation(page).waitFor();
  // Not `close`: the failed request is expected.
  await context.close();
});

test('[PAGE-02] refuses, fixes and sends the form without JavaScript', async () => {
  const { page, close } = await openPage(shop, { ...PHONE, javaScript: false, expectedStatuses: [400] });
  await page.goto('/contact');
  await write(page, 'Without a script');
  // An address that the browser accepts.
  await getField(page, 'Email').fill('ada@example');
  await send(page).click();
  await page.getByText('Please enter a valid email address', { exact: true }).waitFor();
  assert.equal(await getField(page, 'Comment or Message').inputValue(), 'Without a script');
  await getField(page, 'Email').fill('ada@example.com');
  await send(page).click();
  await getConfirmation(page).waitFor();
  await page.getByRole('link', { name: 'Send another message' }).click();
  await send(page).waitFor();
  await close();
});
