/** A member of the team sets up an authenticator app and logs in with it. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from '@playwright/test';
import { assertAccessibleInBothSchemes } from '../support/axe.ts';
import { openPage } from '../support/browser.ts';
import { logIn, visit } from '../support/buyer.ts';
import { startTestShop } from '../support/shop.ts';
import type { TestShop } from '../support/shop.ts';
import { showCode, showWrongCode } from '../support/totp-app.ts';
import { turnOnApp } from '../support/totp-pages.ts';

const PASSWORD = 'crypto-market';

let shop: TestShop;
before(async () => {
  shop = await startTestShop({ settings: { SECOND_FACTOR: 'required' } });
});
after(() => shop.stop());

async function openAs(username: string, width = 1280) {
  const opened = await openPage(shop, { width, expectedStatuses: [400, 401] });
  await opened.page.goto('/login?to=%2Fadmin%2Forders');
  await logIn(opened.page, username, PASSWORD);
  return opened;
}

async function logOutAndIn(page: Page, username: string): Promise<void> {
  await visit(page, '/dashboard');
  await page.getByRole('main').getByRole('button', { name: 'Log Out' }).click();
  await page.waitForURL('**/login');
  await visit(page, '/login?to=%2Fadmin%2Forders');
  await logIn(page, username, PASSWORD);
  await page.getByRole('heading', { level: 1, name: 'Enter your code' }).waitFor();
}

async function enterCode(page: Page, code: string): Promise<void> {
  await page.getByLabel('Code').fill(code);
  await page.keyboard.press('Enter');
}

test('[OPS-17] the back office opens after the set-up, and logins take a code', async () => {
  const { page, close } = await openAs('staff', 390);
  const { secret, recoveryCodes } = await turnOnApp(page);
  assert.equal(recoveryCodes.length, 10);
  await assertAccessibleInBothSchemes(page);
  await page.getByRole('button', { name: 'I have stored them' }).click();
  await page.getByText('10 recovery codes left', { exact: false }).waitFor();
  await page.getByRole('link', { name: 'Open the back office' }).click();
  await page.getByRole('heading', { level: 1, name: 'Home', exact: true }).waitFor();

  await logOutAndIn(page, 'staff');
  await assertAccessibleInBothSchemes(page);
  await enterCode(page, showWrongCode(secret));
  await page.getByText('The code is wrong or was used before').waitFor();
  await enterCode(page, showCode(secret, 1));
  await page.getByRole('heading', { level: 1, name: /^Orders/ }).waitFor();

  await logOutAndIn(page, 'staff');
  await enterCode(page, recoveryCodes[0] ?? '');
  await page.getByRole('heading', { level: 1, name: /^Orders/ }).waitFor();
  await visit(page, '/admin/security');
  await page.getByText('9 recovery codes left', { exact: false }).waitFor();
  await close();
});

test('[OPS-17] removal takes a code, and closes the back office again', async () => {
  const { page, close } = await openAs('owner');
  const { secret, recoveryCodes } = await turnOnApp(page);
  await visit(page, '/admin/security');
  const turnOff = async (code: string): Promise<void> => {
    await page.getByLabel('Code to turn off').fill(code);
    await page.getByRole('main').getByRole('button', { name: 'Turn off' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Turn off' }).click();
  };
  await turnOff(showWrongCode(secret));
  await page.getByRole('dialog').getByText('The code is wrong or was used before.').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Not now' }).click();
  await turnOff(recoveryCodes[0] ?? '');
  await page.getByRole('button', { name: 'Set up authenticator app' }).waitFor();
  await page.goto('/admin/orders');
  assert.equal(new URL(page.url()).pathname, '/admin/security');
  await close();
});

test('[OPS-17] a login that ended asks for the password again', async () => {
  const { page, close } = await openAs('owner');
  await turnOnApp(page);
  await logOutAndIn(page, 'owner');
  await page.context().clearCookies();
  await enterCode(page, '123456');
  await page.getByText('The login has expired. Enter your password again.').waitFor();
  await page.getByRole('heading', { level: 1, name: 'Login' }).waitFor();
  await close();
});
