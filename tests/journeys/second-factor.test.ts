/** A member of the team sets up an authenticator app and logs in with it. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from '@playwright/test';
import { sql } from 'kysely';
import { assertAccessibleInBothSchemes } from '../support/axe.ts';
import { openPage } from '../support/browser.ts';
import { logIn, visit } from '../support/buyer.ts';
import { startTestShop } from '../support/shop.ts';
import type { TestShop } from '../support/shop.ts';
import { runWithShopDatabase } from '../support/stock-stress.ts';
import { showCode, showWrongCode } from '../support/totp-app.ts';
import { turnOnApp } from '../support/totp-pages.ts';
import { waitUntil } from '../support/wait-until.ts';
import { saveScreenshots } from '../support/screenshots.ts';

const PASSWORD = 'crypto-market';

let shop: TestShop;
before(async () => {
  shop = await startTestShop({ settings: { SECOND_FACTOR: 'required' } });
});
after(() => shop.stop());

async function openAs(username: string, width = 1280) {
  const opened = await openPage(shop, { width, expectedStatuses: [400, 401, 403] });
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

async function createMember(username: string): Promise<void> {
  const body = { username, email: `${username}@team.example`, password: PASSWORD };
  assert.equal((await shop.api('POST', '/users/register', { body })).status, 201);
  await runWithShopDatabase(shop, (db) =>
    sql`update users set role = 'manager' where username = ${username}`.execute(db),
  );
}

/** What a session confirmed is forgotten, as after ten minutes. */
const forgetConfirmed = () =>
  runWithShopDatabase(shop, (db) => sql`update sessions set factor_confirmed_at = null`.execute(db));

test('[OPS-17] removal of the app takes a code, and waits after a recovery code', async () => {
  const { page, close } = await openAs('owner');
  const { secret, recoveryCodes } = await turnOnApp(page);
  await visit(page, '/admin/security');
  const main = page.getByRole('main');
  const asked = page.getByRole('dialog', { name: 'Confirm it is you' });
  const turnOff = async (): Promise<void> => {
    await forgetConfirmed();
    await main.getByRole('button', { name: 'Turn off' }).click();
    await page
      .getByRole('dialog', { name: 'Turn off the authenticator app?' })
      .getByRole('button', { name: 'Turn off' })
      .click();
  };
  const confirm = async (code: string): Promise<void> => {
    await asked.getByLabel('Code of the app').fill(code);
    await asked.getByRole('button', { name: 'Continue' }).click();
  };
  await turnOff();
  await confirm(showWrongCode(secret));
  await asked.getByText('The code is wrong or was used before.').waitFor();
  await assertAccessibleInBothSchemes(page);
  await saveScreenshots(page, 'security-confirm');
  await confirm(recoveryCodes[0] ?? '');
  await main.getByRole('heading', { name: 'A change is waiting' }).waitFor();
  await main.getByText('The authenticator app is removed on', { exact: false }).waitFor();
  assert.equal(await main.getByRole('button', { name: 'Turn off' }).count(), 0);
  await assertAccessibleInBothSchemes(page);
  await saveScreenshots(page, 'security-waiting');
  await main.getByRole('button', { name: 'Cancel the change' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel the change' }).click();
  await main.getByRole('heading', { name: 'A change is waiting' }).waitFor({ state: 'hidden' });

  await turnOff();
  await confirm(showCode(secret, 1));
  await page.getByRole('button', { name: 'Set up authenticator app' }).waitFor();
  await page.goto('/admin/orders');
  assert.equal(new URL(page.url()).pathname, '/admin/security');
  await close();
});

test('[OPS-17] new recovery codes show from when they are valid', async () => {
  await createMember('codekeeper');
  const { page, close } = await openAs('codekeeper', 390);
  const { recoveryCodes } = await turnOnApp(page);
  await page.getByRole('button', { name: 'I have stored them' }).click();
  await forgetConfirmed();
  await page.getByRole('button', { name: 'Create recovery codes' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Create recovery codes' }).click();
  await page.getByLabel('Code of the app').fill(recoveryCodes[0] ?? '');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText('They are valid from', { exact: false }).waitFor();
  await page.getByText('New recovery codes replace the present ones on', { exact: false }).waitFor();
  await saveScreenshots(page, 'security-codes-waiting');
  await close();
});

test('[OPS-17] the link of the mail cancels a change without scripts', async () => {
  const { page, close } = await openPage(shop, { javaScript: false, expectedStatuses: [400] });
  await page.goto(`/cancel-second-factor-change/${'x'.repeat(43)}`);
  await saveScreenshots(page, 'cancel-change');
  await page.getByRole('button', { name: 'Cancel the change' }).click();
  await page.getByRole('heading', { level: 1, name: 'This link is no longer valid' }).waitFor();
  const findLink = async (): Promise<string | undefined> => {
    const { body } = await shop.api('GET', '/dev/mail?to=codekeeper@team.example');
    return /\/cancel-second-factor-change\/[\w-]{43}/.exec(JSON.stringify(body))?.[0];
  };
  await waitUntil(async () => (await findLink()) !== undefined);
  await page.goto((await findLink()) ?? '');
  await page.getByRole('button', { name: 'Cancel the change' }).click();
  await page.getByRole('heading', { level: 1, name: 'The change was cancelled' }).waitFor();
  await saveScreenshots(page, 'change-cancelled');
  await close();
});

test('[OPS-17] a login that ended asks for the password again', async () => {
  const { page, close } = await openAs('owner');
  await turnOnApp(page);
  await logOutAndIn(page, 'owner');
  await page.getByLabel('Code').fill('123456');
  // From now on each call says that the login has expired, and the page asks for the password.
  await page.context().clearCookies();
  await page.keyboard.press('Enter');
  await page.getByText('The login has expired. Enter your password again.').waitFor();
  await page.getByRole('heading', { level: 1, name: 'Login' }).waitFor();
  await close();
});

/** A device that unlocks without asking. Chromium creates passkeys at domains only, not at IP addresses. */
async function plugIn(page: Page): Promise<void> {
  const devTools = await page.context().newCDPSession(page);
  await devTools.send('WebAuthn.enable');
  const options = {
    protocol: 'ctap2',
    transport: 'internal',
    hasResidentKey: true,
    hasUserVerification: true,
  } as const;
  await devTools.send('WebAuthn.addVirtualAuthenticator', {
    options: { ...options, isUserVerified: true, automaticPresenceSimulation: true },
  });
}

test('[OPS-17] a passkey opens the back office and completes a login', async () => {
  const atDomain = { url: shop.url.replace('127.0.0.1', 'localhost') };
  await createMember('keyholder');
  const { page, close } = await openPage(atDomain, { width: 390, expectedStatuses: [401] });
  await plugIn(page);
  await page.goto('/login?to=%2Fadmin%2Forders');
  await logIn(page, 'keyholder', PASSWORD);
  await page.getByRole('heading', { level: 1, name: 'Security' }).waitFor();
  await saveScreenshots(page, 'security-closed');
  await page.getByLabel('Name of the passkey').fill('My phone');
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('heading', { name: 'Your recovery codes' }).waitFor();
  await page.getByText('not used yet', { exact: false }).waitFor();
  await assertAccessibleInBothSchemes(page);
  await saveScreenshots(page, 'security-passkey');

  await visit(page, '/dashboard');
  await page.getByRole('main').getByRole('button', { name: 'Log Out' }).click();
  await page.waitForURL('**/login');
  await visit(page, '/login?to=%2Fadmin%2Forders');
  await logIn(page, 'keyholder', PASSWORD);
  await page.getByRole('heading', { level: 1, name: 'Confirm it is you' }).waitFor();
  await assertAccessibleInBothSchemes(page);
  await saveScreenshots(page, 'login-passkey');
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await page.getByRole('heading', { level: 1, name: /^Orders/ }).waitFor();

  await visit(page, '/admin/security');
  await page.getByText('last used', { exact: false }).waitFor();
  await page.getByRole('button', { name: 'Remove My phone' }).click();
  await page.getByRole('dialog').getByText('It is your only second factor.', { exact: false }).waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await page.getByText('The back office opens once', { exact: false }).waitFor();
  await page.goto('/admin/orders');
  assert.equal(new URL(page.url()).pathname, '/admin/security');
  await close();
});
