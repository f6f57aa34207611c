import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Page } from '@playwright/test';
import { assertAccessible } from '../support/axe.ts';
import { openPage } from '../support/browser.ts';
import { logIn, createName } from '../support/buyer.ts';
import { listAt, textAt } from '../support/read-json.ts';
import { shareTestShop } from '../support/shared-shop.ts';
import type { TestShop } from '../support/shop.ts';
import { waitUntil } from '../support/wait-until.ts';

let shop: TestShop;
before(async () => {
  shop = await shareTestShop();
});

const SENT = 'Reset code has been sent to your email';
const getButton = (page: Page, name: string) => page.getByRole('main').getByRole('button', { name, exact: true });
const waitForText = (page: Page, text: string) => page.getByText(text, { exact: true }).first().waitFor();

async function waitForCodes(email: string, count: number): Promise<readonly string[]> {
  const listCodes = async () =>
    listAt((await shop.api('GET', `/dev/mail?to=${encodeURIComponent(email)}`)).body).flatMap((mail) => {
      const code = /^Code: (\S+)$/m.exec(textAt(mail, 'text'))?.[1];
      return code === undefined ? [] : [code];
    });
  await waitUntil(async () => (await listCodes()).length >= count);
  return listCodes();
}

test('[ACC-06] sends, resends, rejects and accepts a reset code', async () => {
  const { page, close } = await openPage(shop, { expectedStatuses: [400] });
  const username = createName();
  const email = `${username}@lost.example`;
  await shop.api('POST', '/users/register', { body: { username, email, password: 'crypto-market' } });
  await page.goto('/login');
  await page.getByRole('link', { name: 'Lost password' }).click();
  await page.waitForURL('**/lost-password');
  await getButton(page, 'Send reset code').click();
  await waitForText(page, 'Please enter your email address');
  await page.getByLabel('Email', { exact: true }).fill('ada');
  await getButton(page, 'Send reset code').click();
  await waitForText(page, 'Failed to send reset code. Please try again.');
  await waitForText(page, 'Please enter a valid email address');
  await assertAccessible(page);
  await page.getByLabel('Email', { exact: true }).fill(email);
  await getButton(page, 'Send reset code').click();
  await waitForText(page, SENT);

  const code = page.getByLabel('Code', { exact: true });
  await code.and(page.locator(':focus')).waitFor();
  assert.equal(await page.getByLabel('Email', { exact: true }).inputValue(), email);
  await assertAccessible(page);
  await getButton(page, 'Back').click();
  assert.equal(await page.getByLabel('Email', { exact: true }).inputValue(), email);
  await getButton(page, 'Send reset code').click();
  await code.waitFor();
  await getButton(page, 'Reset password').click();
  await waitForText(page, 'Please fill in all fields');
  const [first = ''] = await waitForCodes(email, 2);
  await code.fill(`${first.slice(0, 7)}${first.endsWith('A') ? 'B' : 'A'}`);
  await page.getByLabel('New password').fill('a-new-password');
  await getButton(page, 'Reset password').click();
  await waitForText(page, 'Failed to reset password. Please check your code and try again.');
  await getButton(page, 'Resend code').click();
  const [newest = ''] = await waitForCodes(email, 3);
  await code.fill(newest.toLowerCase());
  await getButton(page, 'Reset password').click();
  await waitForText(page, 'Password has been reset successfully');
  await page.waitForURL('**/login');
  await logIn(page, username, 'a-new-password');
  await page.waitForURL('**/dashboard');
  await close();
});
