/** Settings of the shop in the browser: edited by owners, read by staff; and the set-up checklist of a live shop. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Locator, Page } from '@playwright/test';
import { sql } from 'kysely';
import { assertAccessible } from '../support/axe.ts';
import { openPage } from '../support/browser.ts';
import { createBuyer, signIn, visit } from '../support/buyer.ts';
import { logInAs } from '../support/catalogue-editor.ts';
import { startLiveShop } from '../support/live-shop.ts';
import { turnOnApp } from '../support/totp-pages.ts';
import { startTestShop } from '../support/shop.ts';
import type { TestShop } from '../support/shop.ts';
import { runWithShopDatabase } from '../support/stock-stress.ts';
import { saveScreenshots } from '../support/screenshots.ts';

const PASSWORD = 'crypto-market';

let shop: TestShop;
before(async () => {
  shop = await startTestShop();
});
after(() => shop.stop());

const getMain = (page: Page) => page.getByRole('main');
const getSection = (page: Page, name: string) => page.getByRole('main').getByRole('region', { name, exact: true });

test('[OPS-07] an owner renames the shop, and every page shows it', async () => {
  const { page, close } = await openPage(shop);
  await signIn(shop, page, 'owner', PASSWORD);
  await visit(page, '/admin/settings');
  const identity = getSection(page, 'Identity');
  await getMain(page).getByText('All changes are saved').waitFor();
  await identity.getByLabel('Name of the shop').fill('Nordic Bits');
  await identity.getByLabel('Address').fill('Torget 1, Oslo');
  await getMain(page).getByText('Unsaved changes').waitFor();
  assert.match(await identity.getByRole('figure').first().innerText(), /Torget 1, Oslo[\s\S]*Nordic Bits/);
  await assertAccessible(page);
  await saveScreenshots(page, 'settings-owner');
  await getMain(page).getByRole('button', { name: 'Save' }).click();
  await page.getByText('General saved').first().waitFor();
  await getMain(page).getByText('All changes are saved').waitFor();
  // In the same tab, without loading the page again.
  await page.getByRole('banner').getByRole('link', { name: 'Nordic Bits', exact: true }).waitFor();
  assert.equal(await page.title(), 'General · Back office · Nordic Bits');
  await visit(page, '/admin/settings/texts');
  const announcement = getSection(page, 'Announcement');
  await announcement.getByLabel('Text', { exact: true }).fill('Closed on Monday');
  await announcement.getByLabel('Show the announcement').check();
  await getMain(page).getByRole('button', { name: 'Save' }).click();
  await page.getByText('Texts saved').first().waitFor();
  await visit(page, '/contact');
  assert.equal(await page.title(), 'Contact Us · Nordic Bits');
  await page.getByRole('complementary', { name: 'Announcement' }).getByText('Closed on Monday').waitFor();
  await page.getByRole('contentinfo').getByText('Torget 1, Oslo').waitFor();
  assert.equal(
    await page.getByRole('combobox', { name: 'Search' }).getAttribute('placeholder'),
    'Search in Nordic Bits',
  );
  await assertAccessible(page);
  await saveScreenshots(page, 'announcement');
  await close();
});

test('[OPS-07] unsaved settings survive other pages and can be discarded', async () => {
  const { page, close } = await openPage(shop);
  await signIn(shop, page, 'owner', PASSWORD);
  // A link of before this page had one of its own.
  await page.goto('/admin/settings#mail');
  await page.waitForURL('**/admin/settings/mail#mail');
  const mail = getMain(page);
  await mail.getByLabel('Sender name').fill('Somebody');
  await page.getByRole('navigation', { name: 'Back office' }).getByRole('link', { name: 'Orders' }).click();
  await page.getByRole('heading', { level: 1, name: 'Orders' }).waitFor();
  await page.getByRole('navigation', { name: 'Back office' }).getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('navigation', { name: 'Pages of Settings' }).getByRole('link', { name: 'Mail' }).click();
  await mail.getByText('Unsaved changes').waitFor();
  assert.equal(await mail.getByLabel('Sender name').inputValue(), 'Somebody');
  await mail.getByRole('button', { name: 'Discard' }).press('Enter');
  await mail.getByText('All changes are saved').waitFor();
  assert.equal(await mail.getByLabel('Sender name').inputValue(), '');
  assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'All changes are saved');
  await close();
});

test('[OPS-07] a refused value is named beside its focused field', async () => {
  const { page, close } = await openPage(shop, { expectedStatuses: [400] });
  await signIn(shop, page, 'owner', PASSWORD);
  await visit(page, '/admin/settings');
  const legal = getMain(page);
  await legal.getByLabel('Contact email').fill('nobody');
  await legal.getByLabel('Contact phone').fill('call me');
  await legal.getByLabel('Contact phone').press('Enter');
  await legal.getByText('Contact email must be a mail address, such as help@shop.example').waitFor();
  await legal.getByText('Contact phone must be a phone number', { exact: false }).waitFor();
  await legal.getByRole('alert').getByText('Correct the marked fields', { exact: false }).waitFor();
  assert.equal(await page.evaluate(() => document.activeElement?.getAttribute('name')), 'contact_email');
  await assertAccessible(page);
  await saveScreenshots(page, 'settings-refused');
  await legal.getByRole('button', { name: 'Discard' }).click();
  await close();
});

test('[OPS-07] a change by another window is shown before it is replaced', async () => {
  const { page, close } = await openPage(shop, { expectedStatuses: [409] });
  await signIn(shop, page, 'owner', PASSWORD);
  await visit(page, '/admin/settings');
  const orders = getMain(page);
  await orders.getByLabel('Prefix').fill('MINE-');
  const other = await openPage(shop);
  await signIn(shop, other.page, 'owner', PASSWORD);
  await visit(other.page, '/admin/settings');
  const others = getMain(other.page);
  await others.getByLabel('Prefix').fill('THEIRS-');
  await others.getByRole('button', { name: 'Save' }).click();
  await other.page.getByText('General saved').first().waitFor();
  await other.close();
  await orders.getByRole('button', { name: 'Save' }).click();
  const dialog = page.getByRole('dialog', { name: 'You changed these settings in another window' });
  await dialog.getByRole('button', { name: 'Keep mine' }).click();
  assert.equal(await orders.getByLabel('Prefix').inputValue(), 'MINE-');
  await orders.getByRole('button', { name: 'Save' }).click();
  await page.getByText('General saved').first().waitFor();
  await close();
});

test('[OPS-07] staff read the settings and the state, without secrets', async () => {
  const { page, close } = await openPage(shop);
  await signIn(shop, page, 'staff', PASSWORD);
  await visit(page, '/admin/settings');
  const main = page.getByRole('main');
  await main.getByText('Only owners can change settings.').waitFor();
  assert.equal((await main.getByRole('textbox').count()) + (await main.getByRole('button').count()), 0);
  await visit(page, '/admin/settings/system');
  for (const name of ['Environment', 'Versions']) assert.equal(await getSection(page, name).count(), 0);
  await getSection(page, 'Backup').getByText('Only owners can download backups.').waitFor();
  assert.match(await getSection(page, 'State').innerText(), /Database\s+ready[\s\S]*Bitcoin rate\s+current/);
  await assertAccessible(page);
  await saveScreenshots(page, 'settings-staff');
  await close();
});

test('[OPS-05] an owner downloads a backup with a passphrase', async () => {
  const { page, close } = await openPage(shop);
  await signIn(shop, page, 'owner', PASSWORD);
  await visit(page, '/admin/settings/system');
  const form = page.getByRole('form', { name: 'Download a backup' });
  await form.getByLabel('Passphrase', { exact: true }).fill('too short');
  await form.getByRole('button', { name: 'Download backup' }).click();
  await form.getByText('The passphrase needs at least 12 characters').waitFor();
  await form.getByLabel('Passphrase', { exact: true }).fill('four green apples');
  await form.getByLabel('Passphrase again').fill('four green apple');
  await form.getByRole('button', { name: 'Download backup' }).click();
  await form.getByText('Both passphrases must be the same').waitFor();
  await assertAccessible(page);
  await saveScreenshots(page, 'system');
  await form.getByLabel('Passphrase again').fill('four green apples');
  const downloading = page.waitForEvent('download');
  await form.getByRole('button', { name: 'Download backup' }).click();
  assert.match((await downloading).suggestedFilename(), /-\d{4}-\d\d-\d\d\.backup$/);
  await page.getByText('The backup was downloaded').first().waitFor();
  await getSection(page, 'Backup')
    .getByText(/^Last backup: /)
    .waitFor();
  await close();
});

const getOwn = (main: Locator): Locator => main.getByRole('listitem', { name: 'owner', exact: true });

test('[OPS-17] an owner sees what each role may do, changes one and removes a member', async () => {
  const username = await createBuyer(shop);
  const { page, close } = await openPage(shop);
  await signIn(shop, page, 'owner', PASSWORD);
  // The path of before.
  await visit(page, '/admin/owner');
  await page.getByRole('heading', { level: 1, name: 'Team' }).waitFor();
  const main = getMain(page);
  await main.getByLabel('Username').fill(username);
  await main.getByRole('button', { name: 'Give role' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Give role' }).click();
  const member = main.getByRole('listitem', { name: username });
  await member.getByText('No second factor').waitFor();
  await member.locator('summary').focus();
  await page.keyboard.press('Enter');
  assert.equal(await member.getByRole('radio', { name: /^Support/ }).isChecked(), true);
  await member.getByRole('radio', { name: /^Manager Everything but: .*change settings/ }).check();
  await assertAccessible(page);
  await saveScreenshots(page, 'team');
  const change = member.getByRole('button', { name: `Change role of ${username}` });
  // An owner can undo this change at any time, but not that to owner.
  await change.click();
  await member.getByText('Manager', { exact: true }).first().waitFor();
  await page.getByText('The role was changed').first().waitFor();
  await member.getByRole('radio', { name: /^Owner/ }).check();
  await change.click();
  await page.getByRole('dialog').getByText(`${username} becomes: Owner.`).waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Not now' }).click();
  await member.getByRole('radio', { name: /^Manager/ }).check();
  await getOwn(main).locator('summary').click();
  await getOwn(main)
    .getByRole('radio', { name: /^Manager/ })
    .check();
  await getOwn(main).getByRole('button', { name: 'Change role of owner' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Not now' }).click();
  await member.getByRole('button', { name: `Remove from the team: ${username}` }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await member.waitFor({ state: 'detached' });
  await close();
});

test('[OPS-17] a role that changed meanwhile is not overwritten without a question', async () => {
  const username = await createBuyer(shop);
  const token = await logInAs(shop, 'owner');
  const setRole = (role: string) => shop.api('PUT', '/staff/role', { token, body: { username, role } });
  assert.equal((await setRole('support')).status, 200);
  const { page, close } = await openPage(shop, { expectedStatuses: [409] });
  // Without a live connection the page does not load the change.
  await page.routeWebSocket('**/api/wss', (socket) => socket.close());
  await signIn(shop, page, 'owner', PASSWORD);
  await visit(page, '/admin/settings/team');
  const member = getMain(page).getByRole('listitem', { name: username });
  await member.locator('summary').click();
  await member.getByRole('radio', { name: /^Manager/ }).check();
  assert.equal((await setRole('owner')).status, 200);
  const change = member.getByRole('button', { name: `Change role of ${username}` });
  await change.click();
  await member.getByRole('alert').getByText('Somebody gave this account another role meanwhile.').waitFor();
  await member.getByText('Owner', { exact: true }).first().waitFor();
  await member.getByRole('radio', { name: /^Manager/ }).check();
  await change.click();
  await page.getByRole('dialog').getByRole('button', { name: 'Change role' }).click();
  await member.getByText('Manager', { exact: true }).first().waitFor();
  // The same role again is no change.
  await change.click();
  await page.getByText(`${username} has this role already`).first().waitFor();
  await close();
});

test('[OPS-17] an owner invites somebody once, and reads why a second time fails', async () => {
  const { page, close } = await openPage(shop, { expectedStatuses: [409] });
  await signIn(shop, page, 'owner', PASSWORD);
  await visit(page, '/admin/settings/team');
  const main = getMain(page);
  const invite = async (): Promise<void> => {
    await main.getByLabel('Email address').fill('new@staff.example');
    await main.getByRole('button', { name: 'Send invitation' }).click();
  };
  await main.getByText('Whoever reads the mail can join the team').waitFor();
  await main.getByLabel('Role of the invited person').selectOption({ label: 'Owner' });
  await invite();
  await page.getByRole('dialog').getByText('may then remove you').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Not now' }).click();
  await main.getByLabel('Role of the invited person').selectOption({ label: 'Support' });
  const held = Promise.withResolvers<void>();
  await page.route('**/api/staff/invitations', async (route) => {
    await held.promise;
    await route.continue();
  });
  await invite();
  await main.getByLabel('Email address').fill('next@staff.example');
  held.resolve();
  await page.getByText('The invitation is on its way').first().waitFor();
  assert.equal(await main.getByLabel('Email address').inputValue(), 'next@staff.example', 'typed while it was sent');
  await main.getByRole('list', { name: 'Open invitations' }).getByText('new@staff.example').waitFor();
  await invite();
  await main.getByRole('alert').getByText('has an open invitation').waitFor();
  assert.equal(await main.getByLabel('Email address').inputValue(), 'new@staff.example');
  await close();
});

test('[OPS-07] a live shop starts with the set-up checklist', async () => {
  const live = await startLiveShop();
  try {
    await live.shop.api('POST', '/users/register', {
      body: { username: 'first-owner', email: 'first@owner.example', password: PASSWORD },
    });
    await runWithShopDatabase(live.shop, (db) =>
      sql`update users set role = 'owner' where username = 'first-owner'`.execute(db),
    );
    const { page, close } = await openPage(live.shop);
    await signIn(live.shop, page, 'first-owner', PASSWORD);
    await page.goto('/admin');
    await turnOnApp(page);
    await visit(page, '/admin');
    const main = page.getByRole('main');
    await main.getByRole('heading', { name: 'Set up your shop' }).waitFor();
    await main.getByText(/^0 of \d+ done/).waitFor();
    await assertAccessible(page);
    await saveScreenshots(page, 'setup');
    await main.getByRole('link', { name: 'Enter identity' }).click();
    await main.getByLabel('Name of the shop').fill('Nordic Bikes');
    await main.getByLabel('Address').fill('Torget 1, Oslo');
    await main.getByLabel('Contact email').fill('help@bikes.example');
    await main.getByRole('button', { name: 'Save' }).click();
    await page.getByText('General saved').first().waitFor();
    await visit(page, '/admin');
    await main.getByText(/^1 of \d+ done/).waitFor();
    assert.equal(await main.getByRole('link', { name: 'Enter identity' }).count(), 0);
    await saveScreenshots(page, 'setup-named');
    // Both are right as they are for a shop that charges none.
    for (const [step, button, saved, done] of [
      ['Set up tax', 'Save tax', 'Tax saved', 2],
      ['Set up delivery', 'Save shipping', 'Shipping saved', 3],
    ] as const) {
      await main.getByRole('link', { name: step }).click();
      await main.getByRole('button', { name: button }).click();
      await page.getByText(saved, { exact: true }).first().waitFor();
      await visit(page, '/admin');
      await main.getByText(new RegExp(`^${done} of \\d+ done`)).waitFor();
    }
    await close();
  } finally {
    await live.stop();
  }
});
