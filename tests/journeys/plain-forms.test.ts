/** Login, registration, recovery, invitations and contact as plain forms, in a browser without scripts. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from '@playwright/test';
import { openPage } from '../support/browser.ts';
import { createBuyer, createName } from '../support/buyer.ts';
import { listAt, textAt } from '../support/read-json.ts';
import { startTestShop } from '../support/shop.ts';
import type { TestShop } from '../support/shop.ts';
import { enterPassword, setUpApp, showCode, showWrongCode } from '../support/totp-app.ts';
import { waitUntil } from '../support/wait-until.ts';

const PASSWORD = 'correct horse';
const STATUSES = { expectedStatuses: [400, 401, 409] };

let shop: TestShop;
before(async () => {
  shop = await startTestShop();
});
after(() => shop.stop());

const openPlain = () => openPage(shop, { javaScript: false, ...STATUSES });
const field = (page: Page, label: string) => page.getByRole('main').getByLabel(label, { exact: true });
const press = (page: Page, name: string) => page.getByRole('main').getByRole('button', { name, exact: true }).click();
const waitForText = (page: Page, text: string) => page.getByText(text, { exact: true }).first().waitFor();

test('[ACC-04] [ACC-14] logs in without scripts and keeps the username of a refused form', async () => {
  const { page, close } = await openPlain();
  const username = await createBuyer(shop);
  await page.goto('/login?to=%2Fdashboard%2Forders');
  await press(page, 'Login');
  await waitForText(page, 'Please check your credentials');
  assert.equal(await field(page, 'Username').getAttribute('aria-invalid'), 'true');
  await field(page, 'Username').fill(username);
  await field(page, 'Password').fill('wrong horse');
  await press(page, 'Login');
  await waitForText(page, 'Please check your credentials');
  assert.equal(await field(page, 'Username').inputValue(), username);
  assert.equal(await field(page, 'Password').inputValue(), '');
  await field(page, 'Password').fill(PASSWORD);
  await press(page, 'Login');
  await page.waitForURL('**/dashboard/orders');
  await page.getByRole('heading', { level: 1, name: /^Your orders/ }).waitFor();
  await close();
});

test('[ACC-14] [OPS-17] a login without scripts asks the team for a code', async () => {
  const { page, close } = await openPlain();
  const { secret, recoveryCodes } = await setUpApp(shop, 'staff');
  const enterCredentials = async () => {
    await field(page, 'Username').fill('staff');
    await field(page, 'Password').fill('crypto-market');
    await press(page, 'Login');
    await page.getByRole('heading', { level: 1, name: 'Enter your code' }).waitFor();
  };
  await page.goto('/login?to=%2Fadmin%2Forders');
  await enterCredentials();
  await field(page, 'Code').fill(showWrongCode(secret));
  await press(page, 'Log in');
  await waitForText(page, 'The code is wrong or was used before');
  await field(page, 'Code').fill(showCode(secret, 1));
  await press(page, 'Log in');
  await page.waitForURL('**/admin/orders');

  await page.context().clearCookies();
  await page.goto('/login?step=code');
  await field(page, 'Code').fill(showCode(secret, 1));
  await press(page, 'Log in');
  await waitForText(page, 'The login has expired. Enter your password again.');
  await enterCredentials();
  await field(page, 'Code').fill(recoveryCodes[0] ?? '');
  await press(page, 'Log in');
  await page.waitForURL('**/admin');
  await close();
});

test('[ACC-01] [ACC-02] [ACC-03] [ACC-14] registers without scripts', async () => {
  const { page, close } = await openPlain();
  const username = createName();
  await page.goto('/registration?to=%2Fcart');
  await press(page, 'Register');
  for (const text of ['Username is required', 'Email is required', 'Password is required'])
    await waitForText(page, text);
  await field(page, 'Username').fill('staff');
  await field(page, 'Email').fill(`${username}@example.com`);
  await field(page, 'Password').fill(PASSWORD);
  await press(page, 'Register');
  await waitForText(page, 'Agree to the terms to register.');
  assert.equal(await field(page, 'Email').inputValue(), `${username}@example.com`);
  assert.equal(await field(page, 'Password').inputValue(), '');
  await page.getByRole('checkbox').check();
  await field(page, 'Password').fill(PASSWORD);
  await press(page, 'Register');
  await waitForText(page, 'Registration failed. Please try again.');
  assert.equal(await field(page, 'Username').getAttribute('aria-invalid'), 'true');
  assert.ok(await page.getByRole('checkbox').isChecked());
  await field(page, 'Username').fill(username);
  await field(page, 'Password').fill(PASSWORD);
  await press(page, 'Register');
  await waitForText(page, 'Registration successful! Please log in.');
  await field(page, 'Username').fill(username);
  await field(page, 'Password').fill(PASSWORD);
  await press(page, 'Login');
  await page.waitForURL('**/cart');
  await close();
});

async function findResetCode(email: string, count: number): Promise<string> {
  const list = async () =>
    listAt((await shop.api('GET', `/dev/mail?to=${encodeURIComponent(email)}`)).body).flatMap((mail) => {
      const code = /^Code: (\S+)$/m.exec(textAt(mail, 'text'))?.[1];
      return code === undefined ? [] : [code];
    });
  await waitUntil(async () => (await list()).length >= count);
  return (await list())[0] ?? '';
}

test('[ACC-06] [ACC-14] resets a password without scripts', async () => {
  const { page, close } = await openPlain();
  const username = await createBuyer(shop);
  const email = `${username}@example.com`;
  await page.goto('/lost-password');
  await press(page, 'Send reset code');
  await waitForText(page, 'Please enter your email address');
  await field(page, 'Email').fill(email);
  await press(page, 'Send reset code');
  await page.waitForURL('**/lost-password?sent');
  assert.equal(await field(page, 'Email').inputValue(), email);
  await press(page, 'Back');
  await press(page, 'Send reset code');
  await waitForText(page, 'Please enter your email address');
  await field(page, 'Email').fill(email);
  await press(page, 'Send reset code');
  await press(page, 'Resend code');
  const code = await findResetCode(email, 3);
  await field(page, 'Code').fill(code);
  await field(page, 'New password').fill('abc');
  await press(page, 'Reset password');
  await waitForText(page, 'The password must be at least 6 characters.');
  assert.equal(await field(page, 'Code').inputValue(), code);
  assert.equal(await field(page, 'New password').inputValue(), '');
  await field(page, 'New password').fill('new horse 7');
  await press(page, 'Reset password');
  await waitForText(page, 'Password has been reset successfully');
  await field(page, 'Username').fill(username);
  await field(page, 'Password').fill('new horse 7');
  await press(page, 'Login');
  await page.waitForURL('**/dashboard');
  await close();
});

/** Invites as an owner. @returns the path of the link in the mail */
async function inviteByMail(email: string): Promise<string> {
  const token = textAt((await enterPassword(shop, 'owner')).body, 'tokens', 'accessToken');
  const invited = await shop.api('POST', '/staff/invitations', { token, body: { email, role: 'support' } });
  assert.equal(invited.status, 201, JSON.stringify(invited.body));
  let path: string | undefined;
  await waitUntil(async () => {
    const { body } = await shop.api('GET', `/dev/mail?to=${encodeURIComponent(email)}`);
    path = /\/invitation\/[\w-]{43}/.exec(JSON.stringify(body))?.[0];
    return path !== undefined;
  });
  return path ?? '';
}

test('[OPS-17] [ACC-14] an invited person joins without scripts', async () => {
  const { page, close } = await openPlain();
  const username = createName();
  const path = await inviteByMail(`${username}@team.example`);
  await page.goto(path);
  await field(page, 'Username').fill('alice');
  await field(page, 'Password').fill(PASSWORD);
  await press(page, 'Create account and join');
  await waitForText(page, 'Username is taken');
  assert.equal(await field(page, 'Password').inputValue(), '');
  await field(page, 'Username').fill(username);
  await field(page, 'Password').fill(PASSWORD);
  await press(page, 'Create account and join');
  await waitForText(page, 'You belong to the team. Please log in.');
  await field(page, 'Username').fill(username);
  await field(page, 'Password').fill(PASSWORD);
  await press(page, 'Login');
  await page.waitForURL(/\/admin\b/);
  await page.goto(path);
  await page.getByRole('heading', { level: 1, name: 'This invitation was used' }).waitFor();
  await close();
});

test('[OPS-17] [ACC-14] a customer accepts an invitation without scripts', async () => {
  const { page, close } = await openPlain();
  const username = await createBuyer(shop);
  const path = await inviteByMail(`${username}@example.com`);
  const logIn = async () => {
    await field(page, 'Username').fill(username);
    await field(page, 'Password').fill(PASSWORD);
    await press(page, 'Login');
  };
  await page.goto(path);
  await page.getByRole('link', { name: 'Log in to accept' }).click();
  await logIn();
  await page.waitForURL(`**${path}`);
  await press(page, 'Accept the invitation');
  await waitForText(page, 'You belong to the team. Please log in.');
  await logIn();
  await page.waitForURL(/\/admin\b/);
  await close();
});

test('[PAGE-02] [ACC-14] sends a contact message without scripts', async () => {
  const { page, close } = await openPlain();
  await page.goto('/contact');
  await field(page, 'First Name').fill('Ada');
  await field(page, 'Last Name').fill('Lovelace');
  await field(page, 'Email').fill('ada@example');
  await field(page, 'Comment or Message').fill('Hello');
  await press(page, 'Send Message');
  await waitForText(page, 'Please enter a valid email address');
  assert.equal(await field(page, 'Comment or Message').inputValue(), 'Hello');
  await field(page, 'Email').fill('ada@example.com');
  await press(page, 'Send Message');
  await waitForText(page, 'Message received');
  await close();
});

test('[ACC-09] [ACC-14] a login sent before the scripts loaded is known to them', async () => {
  const { page, context, close } = await openPage(shop, { actsBeforeHydration: true });
  const username = await createBuyer(shop);
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/assets/*.js', (route) => released.then(() => route.continue()));
  await page.goto('/login', { waitUntil: 'domcontentloaded' });
  await field(page, 'Username').fill(username);
  await field(page, 'Password').fill(PASSWORD);
  await page.evaluate(() => document.querySelector<HTMLFormElement>('main form')?.submit());
  await page.waitForURL('**/dashboard', { waitUntil: 'commit' });
  release();
  await page.locator('html[data-auth]').waitFor();
  assert.deepEqual(
    (await context.cookies()).filter(({ name }) => name === 'login_token'),
    [],
  );
  await page.getByRole('main').getByRole('button', { name: 'Log Out' }).click();
  await page.waitForURL('**/login');
  await close();
});

const FORMS = {
  '/login': { username: 'alice', password: 'crypto-market' },
  '/registration': { username: 'mallory', email: 'mallory@example.com', password: PASSWORD, terms: 'on' },
  '/lost-password': { email: 'alice@example.com' },
  [`/invitation/${'x'.repeat(43)}`]: { username: 'mallory', password: PASSWORD },
  [`/first-owner/${'x'.repeat(43)}`]: { username: 'mallory', email: 'mallory@example.com', password: PASSWORD },
  '/contact': { firstName: 'A', lastName: 'B', email: 'a@example.com', message: 'Hello' },
};

const send = (path: string, form: Readonly<Record<string, string>>, headers: Readonly<Record<string, string>> = {}) =>
  fetch(`${shop.url}${path}`, { method: 'POST', redirect: 'manual', headers, body: new URLSearchParams(form) });

for (const [path, form] of Object.entries(FORMS)) {
  test(`[ACC-14] ${path} refuses forms of other sites`, async () => {
    for (const headers of [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
    ]) {
      const sent = await send(path, form, headers);
      assert.equal(sent.status, 403);
      assert.equal(sent.headers.get('set-cookie'), null);
    }
  });
}
