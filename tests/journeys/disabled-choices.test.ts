/** Choices of staff's forms that would change nothing or be refused are disabled, and only those. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Locator } from '@playwright/test';
import { openPage } from '../support/browser.ts';
import type { JourneyPage } from '../support/browser.ts';
import { signIn, visit } from '../support/buyer.ts';
import { startTestShop } from '../support/shop.ts';
import type { TestShop } from '../support/shop.ts';

const PASSWORD = 'crypto-market';

let shop: TestShop;
let owner: JourneyPage;
before(async () => {
  shop = await startTestShop();
  owner = await openPage(shop);
  await signIn(shop, owner.page, 'owner', PASSWORD);
});
after(async () => {
  await owner.close();
  await shop.stop();
});

/** Texts of the disabled ones among these elements. */
const listDisabled = (elements: Locator): Promise<readonly string[]> =>
  elements.evaluateAll((all) =>
    all.filter((element) => element.matches(':disabled')).map(({ ariaLabel, textContent }) => ariaLabel ?? textContent),
  );

test('[OPS-15] a country that is in a list cannot be added again', async () => {
  const { page } = owner;
  await visit(page, '/admin/shipping');
  const excluded = page.getByLabel('Not delivered to', { exact: true }).locator('option');
  assert.deepEqual(await listDisabled(excluded), []);
  for (const name of ['Japan', 'Germany'])
    await page.getByLabel('Not delivered to', { exact: true }).first().selectOption({ label: name });
  assert.deepEqual([...(await listDisabled(excluded))].toSorted(), ['Germany', 'Japan']);
  await page.getByRole('button', { name: 'Remove Japan' }).click();
  assert.deepEqual(await listDisabled(excluded), ['Germany']);
});

test('[OPS-15] the first price of a zone starts at 0', async () => {
  const { page } = owner;
  await visit(page, '/admin/shipping');
  await page.getByRole('button', { name: 'Add zone' }).click();
  const zone = page.getByRole('group', { name: 'Zone 2', exact: true });
  await zone.getByRole('button', { name: 'Add price', exact: true }).click();
  const from = zone.getByLabel(/^From (?:kg|\$)$/);
  assert.deepEqual(await from.evaluateAll((fields) => fields.map((field) => field.matches(':disabled'))), [
    true,
    false,
  ]);
});

test('[OPS-07] the first item of a text moves down only, the last one up', async () => {
  const { page } = owner;
  await visit(page, '/admin/content');
  await page.getByRole('heading', { level: 2, name: 'Rows of products', exact: true }).click();
  const rows = page.locator('details[open]');
  const [up, down] = [rows.getByRole('button', { name: /^Move up/ }), rows.getByRole('button', { name: /^Move down/ })];
  await down.first().waitFor();
  const items = await up.count();
  assert.ok(items > 2, `${items} items`);
  assert.deepEqual([await listDisabled(up), await listDisabled(down)], [['Move up Row 1'], [`Move down Row ${items}`]]);
});

test('[OPS-02] the first picture of a product moves later only, the last one earlier', async () => {
  const { page } = owner;
  const { body } = await shop.api('GET', '/products/iphone-17-pro');
  assert.ok(typeof body === 'object' && body !== null && 'id' in body);
  await visit(page, `/admin/products/${String(body.id)}`);
  const main = page.getByRole('main');
  const earlier = main.getByRole('button', { name: /^Move picture \d+ earlier$/ });
  const later = main.getByRole('button', { name: /^Move picture \d+ later$/ });
  await later.first().waitFor();
  const count = await later.count();
  assert.deepEqual(
    [await listDisabled(earlier), await listDisabled(later)],
    [['Move picture 1 earlier'], [`Move picture ${count} later`]],
  );
});

test('[OPS-11] a promotion without changes has nothing to save', async () => {
  const { page } = owner;
  await visit(page, '/admin/promotions');
  await page
    .getByRole('main')
    .getByRole('link', { name: /^[A-Z0-9]{4,}/ })
    .first()
    .click();
  const save = page.getByRole('button', { name: /^Save/ });
  await save.waitFor();
  assert.equal(await save.isEnabled(), false);
  const note = page.getByRole('main').getByRole('textbox').first();
  await note.press('End');
  await note.pressSequentially(' new');
  await page.getByRole('button', { name: /^Save/ }).and(page.locator(':enabled')).waitFor();
});
