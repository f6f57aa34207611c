import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, test } from 'node:test';
import type { Page } from '@playwright/test';
import { assertAccessible } from '../support/axe.ts';
import { openPage } from '../support/browser.ts';
import { moveClock, createName, signIn } from '../support/buyer.ts';
import { listAt, textAt } from '../support/read-json.ts';
import { shareTestShop } from '../support/shared-shop.ts';
import type { TestShop } from '../support/shop.ts';
import { waitUntil } from '../support/wait-until.ts';

let shop: TestShop;
before(async () => {
  shop = await shareTestShop();
});

const PASSWORD = 'correct horse';
const UPDATED = 'User information updated successfully!';

async function signInAt(page: Page, path: string): Promise<{ readonly username: string; readonly email: string }> {
  const username = createName();
  const email = `${username}@settings.example`;
  await shop.api('POST', '/users/register', { body: { username, email, password: PASSWORD } });
  await signIn(shop, page, username, PASSWORD);
  await page.goto(path);
  return { username, email };
}
const getButton = (page: Page, name: string) => page.getByRole('main').getByRole('button', { name, exact: true });
const waitForText = (page: Page, text: string) => page.getByText(text, { exact: true }).first().waitFor();
const waitForHidden = (page: Page, text: string) =>
  page.getByText(text, { exact: true }).first().waitFor({ state: 'hidden' });
const isReadOnly = (page: Page, label: string) =>
  page.getByLabel(label).evaluate((input) => input instanceof HTMLInputElement && input.readOnly);
const isRead = (page: Page, label: string, value: string) =>
  waitUntil(async () => (await isReadOnly(page, label)) && (await page.getByLabel(label).inputValue()) === value);
/** Starts to wait for the toast before the action, since it disappears soon. */
const getToast = (page: Page, text: string, action: Promise<void>) => Promise.all([waitForText(page, text), action]);
const readBackground = (page: Page, label: string) =>
  page.getByLabel(label).evaluate((input) => getComputedStyle(input).backgroundColor);

async function waitForLink(email: string): Promise<string> {
  const listMails = async () => listAt((await shop.api('GET', `/dev/mail?to=${encodeURIComponent(email)}`)).body);
  await waitUntil(async () => (await listMails()).length > 0);
  const text = textAt((await listMails())[0], 'text');
  return /\/confirm-email\/[\w-]{43}/.exec(text)?.[0] ?? assert.fail(text);
}

test('[DASH-01] shows both cards with counts, Settings and Log Out', async () => {
  const { page, close } = await openPage(shop);
  const { username } = await signInAt(page, '/dashboard');
  const main = page.getByRole('main');
  await main.getByRole('heading', { level: 1, name: `Hello, ${username}!` }).waitFor();
  for (const title of ['Your active tickets', 'Your orders']) {
    const card = main.getByRole('region', { name: title });
    assert.match(await card.innerText(), /^Your [a-z ]+\n+0\b/);
    assert.equal(await card.getByRole('link', { name: 'View' }).count(), 0);
  }
  assert.equal(await main.getByRole('link', { name: 'Create' }).getAttribute('href'), '/dashboard/tickets/create');
  await main.getByRole('button', { name: 'Log Out' }).waitFor();
  await assertAccessible(page);
  await main.getByRole('link', { name: 'Settings' }).click();
  await page.waitForURL('**/dashboard/settings');
  await main.getByRole('link', { name: 'Back' }).click();
  await page.waitForURL('**/dashboard');
  await close();
});

test('[DASH-02] edits a field, confirms, highlights it for two seconds', async () => {
  const { page, close } = await openPage(shop, { expectedStatuses: [409] });
  const { username, email } = await signInAt(page, '/dashboard/settings');
  await page.getByRole('heading', { name: 'Account details' }).waitFor();
  const atFirst = { Username: username, 'Email address': email, 'Your password': '' };
  for (const [label, value] of Object.entries(atFirst)) {
    assert.deepEqual([await isReadOnly(page, label), await page.getByLabel(label).inputValue()], [true, value], label);
  }
  assert.equal(await page.getByLabel('Email address').getAttribute('type'), 'email');
  await assertAccessible(page);
  const atRest = await readBackground(page, 'Username');

  await getButton(page, 'Edit username').click();
  await waitUntil(async () => !(await isReadOnly(page, 'Username')));
  assert.equal(await isReadOnly(page, 'Email address'), true);
  await page.getByLabel('Username').fill(' ');
  await getButton(page, 'Confirm username').click();
  await waitForText(page, 'Username is required');
  await page.getByLabel('Username').fill('alice');
  const failed = 'Failed to update user information. Please try again.';
  await getToast(page, failed, getButton(page, 'Confirm username').click());
  await waitForText(page, 'Username is taken');
  await page.getByLabel('Username').fill(`${username} II`);
  // Starts before the change, since it is green for two seconds only.
  const turnsGreen = page.waitForFunction(
    ([label, restState]) => {
      const input = document.querySelector<HTMLInputElement>(`input[name="${label}"]`);
      return input?.readOnly === true && getComputedStyle(input).backgroundColor !== restState;
    },
    ['username', atRest],
  );
  await Promise.all([turnsGreen, getToast(page, UPDATED, page.getByLabel('Username').press('Enter'))]);
  await isRead(page, 'Username', `${username} II`);
  await page.waitForFunction(
    ([label, restState]) =>
      getComputedStyle(document.querySelector(`input[name="${label}"]`) ?? document.body).backgroundColor === restState,
    ['username', atRest],
  );
  await waitForHidden(page, UPDATED);

  // Escape restores everything.
  await getButton(page, 'Edit email address').click();
  await page.getByLabel('Email address').fill('never@settings.example');
  await page.keyboard.press('Escape');
  await isRead(page, 'Email address', email);
  await page.reload();
  await isRead(page, 'Username', `${username} II`);
  await page.goto('/dashboard');
  await page.getByRole('heading', { level: 1, name: `Hello, ${username} II!` }).waitFor();
  await close();
});

test('[DASH-02] shows a saved value before the page reloads', async () => {
  const { page, close } = await openPage(shop);
  const { username } = await signInAt(page, '/dashboard/settings');
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/*.data*', (route) => released.then(() => route.continue()));
  for (const name of [`${username} II`, `${username} III`]) {
    await getButton(page, 'Edit username').click();
    await page.getByLabel('Username').fill(name);
    await getToast(page, UPDATED, getButton(page, 'Confirm username').click());
    await isRead(page, 'Username', name);
  }
  await getButton(page, 'Edit username').click();
  assert.equal(await page.getByLabel('Username').inputValue(), `${username} III`);
  await page.keyboard.press('Escape');
  const loaded = page.waitForResponse('**/*.data*');
  release();
  await loaded;
  await isRead(page, 'Username', `${username} III`);
  await page.unrouteAll({ behavior: 'wait' });
  await close();
});

test('[DASH-02] [API-08] asks for the password after 15 minutes and continues', async () => {
  const { page, close } = await openPage(shop, { expectedStatuses: [401, 403] });
  const { username } = await signInAt(page, '/dashboard/settings');
  try {
    await moveClock(shop, 16 * 60);
    await getButton(page, 'Edit password').click();
    const field = page.getByLabel('Your password');
    await field.fill('a-new-password');
    assert.equal(await field.getAttribute('type'), 'password');
    await getButton(page, 'Show password').click();
    assert.equal(await field.getAttribute('type'), 'text');
    await getButton(page, 'Hide password').click();
    await getButton(page, 'Confirm password').click();
    await page.getByLabel('Current password').fill('wrong');
    await assertAccessible(page);
    await getButton(page, 'Continue').click();
    await waitForText(page, 'Incorrect password');
    await page.getByLabel('Current password').fill(PASSWORD);
    await getToast(page, UPDATED, getButton(page, 'Continue').click());
    await isRead(page, 'Your password', '');
  } finally {
    await moveClock(shop, 0);
  }
  assert.equal(new URL(page.url()).pathname, '/dashboard/settings');
  const login = await shop.api('POST', '/users/login', { body: { username, password: 'a-new-password' } });
  assert.equal(login.status, 200);
  await close();
});

test('[ACC-10] redirects settings to login', async () => {
  const { status, headers } = await fetch(`${shop.url}/dashboard/settings`, { redirect: 'manual' });
  assert.deepEqual([status, headers.get('location')], [302, '/login?to=%2Fdashboard%2Fsettings']);
});

test('[DASH-02] lists other devices and logs them out', async () => {
  const { page, close } = await openPage(shop);
  const { username } = await signInAt(page, '/dashboard/settings');
  for (const agent of [
    'iPhone Version/26.0 Safari/604.1',
    'Windows NT 10.0 Firefox/149.0',
    'Macintosh Mac OS X Chrome/1',
  ]) {
    const headers = { 'user-agent': agent };
    await shop.api('POST', '/users/login', { body: { username, password: PASSWORD }, headers });
  }
  await page.reload();
  const devices = page.getByRole('region', { name: 'Where you are logged in' }).getByRole('listitem');
  await devices.nth(3).waitFor();
  assert.equal(await devices.count(), 4);
  assert.equal(await devices.filter({ hasText: 'This device' }).count(), 1);
  await getToast(page, 'Device logged out', getButton(page, 'Log out Safari on iPhone').click());
  await devices.filter({ hasText: 'iPhone' }).waitFor({ state: 'hidden' });
  await getToast(page, 'All other devices logged out', getButton(page, 'Log out all other devices').click());
  await devices.filter({ hasText: 'Windows' }).waitFor({ state: 'hidden' });
  assert.equal(await devices.count(), 1);
  await close();
});

test('[ACC-12] confirms an address by the link, also without JavaScript', async () => {
  const { page, close } = await openPage(shop);
  const { email } = await signInAt(page, '/dashboard');
  const notice = page.getByRole('complementary', { name: 'Email not confirmed' });
  await notice.waitFor();
  await page.goto('/dashboard/settings');
  await getToast(page, 'Confirmation link requested', notice.getByRole('button', { name: 'Resend link' }).click());
  const path = await waitForLink(email);

  const withoutScript = await openPage(shop, { javaScript: false, expectedStatuses: [400] });
  await withoutScript.page.goto(path);
  // Opening the link alone confirms nothing.
  await page.reload();
  await notice.waitFor();
  await withoutScript.page.getByRole('button', { name: 'Confirm' }).click();
  await withoutScript.page.getByRole('heading', { level: 1, name: 'Your address is confirmed' }).waitFor();
  await withoutScript.page.goto(path);
  await withoutScript.page.getByRole('button', { name: 'Confirm' }).click();
  await withoutScript.page.getByRole('heading', { level: 1, name: 'This link is no longer valid' }).waitFor();
  await withoutScript.close();
  await page.reload();
  await page.getByRole('heading', { name: 'Account details' }).waitFor();
  assert.equal(await notice.count(), 0);
  await close();
});

test('[PRIV-01] [PRIV-02] downloads personal data and deletes the account', async () => {
  const { page, close } = await openPage(shop, { expectedStatuses: [401] });
  const { username, email } = await signInAt(page, '/dashboard/settings');
  const [download] = await Promise.all([page.waitForEvent('download'), getButton(page, 'Download your data').click()]);
  assert.equal(download.suggestedFilename(), 'crypto-market-data.json');
  const data: unknown = JSON.parse(readFileSync(await download.path(), 'utf8'));
  assert.equal(textAt(data, 'user', 'email'), email);

  try {
    await moveClock(shop, 16 * 60);
    await getButton(page, 'Delete account').click();
    const typed = page.getByLabel('Type your username to confirm');
    await typed.fill('somebody');
    await getButton(page, 'Delete permanently').click();
    await waitForText(page, 'This is not your username');
    await assertAccessible(page);
    await typed.fill(username);
    await getButton(page, 'Delete permanently').click();
    await page.getByLabel('Current password').fill(PASSWORD);
    await getToast(page, 'Your account is deleted', getButton(page, 'Continue').click());
    await page.waitForURL(({ pathname }) => pathname === '/');
  } finally {
    await moveClock(shop, 0);
  }
  assert.equal(await page.evaluate(() => localStorage.getItem('apple_user_token')), null);
  const login = await shop.api('POST', '/users/login', { body: { username, password: PASSWORD } });
  assert.equal(login.status, 401);
  await close();
});
