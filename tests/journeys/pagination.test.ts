/** A category with several pages. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { after, before, test } from 'node:test';
import { assertAccessible } from '../support/axe.ts';
import { openPage } from '../support/browser.ts';
import { listCards, waitForCards, waitForReady, listNamesByApi, countByApi } from '../support/pages/filters.ts';
import { startTestShop } from '../support/shop.ts';
import type { TestShop } from '../support/shop.ts';
import { waitUntil } from '../support/wait-until.ts';

const PATH = '/catalog/category/accessories';

let shop: TestShop;
let total = 0;
before(async () => {
  shop = await startTestShop();
  const seeding = spawnSync(process.execPath, ['scripts/run.mjs', 'db', 'seed', '--products', '150'], {
    env: { ...process.env, ...shop.place, NODE_TEST_CONTEXT: undefined },
    encoding: 'utf8',
  });
  assert.equal(seeding.status, 0, seeding.stderr);
  await shop.restart();
  total = await countByApi(shop, 'category=accessories');
  assert.ok(total > 3 * 24);
});
after(() => shop.stop());

const listPage = (number: number, query = ''): Promise<readonly string[]> =>
  listNamesByApi(shop, `category=accessories&limit=24&offset=${(number - 1) * 24}${query}`);

test('[CAT-06] [LAY-11] splits a long category into pages of 24 with URLs', async () => {
  const { page, close } = await openPage(shop, { width: 390, height: 844 });
  await page.goto(`${PATH}?sort=price_asc`);
  await waitForReady(page);
  const pages = page.getByRole('navigation', { name: 'Pages' });
  const last = Math.ceil(total / 24);
  assert.deepEqual(await pages.getByRole('listitem').allInnerTexts(), ['1', '2', String(last)]);
  await pages.getByRole('link', { name: 'Next' }).click();
  await waitForCards(page, await listPage(2, '&sort=price_asc'));
  await pages.locator('[aria-current=page]').getByText('2', { exact: true }).waitFor();
  await page.waitForFunction(() => {
    const top = document.querySelector('#products')?.getBoundingClientRect().top ?? -1;
    return top >= 0 && top < 200;
  });
  await pages.getByRole('link', { name: `Page ${last}`, exact: true }).click();
  await waitForCards(page, await listPage(last, '&sort=price_asc'));
  await pages.getByRole('link', { name: 'Next' }).waitFor({ state: 'detached' });
  await page.reload();
  await waitForCards(page, await listPage(last, '&sort=price_asc'));
  await page.goBack();
  await waitForCards(page, await listPage(2, '&sort=price_asc'));
  await assertAccessible(page);
  await close();
});

test('[CAT-06] returns to the first page when filtering', async () => {
  const { page, close } = await openPage(shop, { width: 1440, height: 900 });
  await page.goto(`${PATH}?offset=24`);
  await waitForReady(page);
  await page.getByLabel('Sort by').selectOption('Newest');
  await page.waitForURL(`**${PATH}?sort=newest`);
  await waitForCards(page, await listPage(1, '&sort=newest'));
  await close();
});

test('[CAT-06] links pages without JavaScript, clamped to the last', async () => {
  const { page, close } = await openPage(shop, { javaScript: false });
  await page.goto(`${PATH}?offset=30`);
  await page.getByRole('link', { name: 'Page 1', exact: true }).click();
  const first = (await listPage(1)).join();
  await waitUntil(async () => (await listCards(page)).join() === first);
  await page.goto(`${PATH}?offset=999999`);
  assert.deepEqual(await listCards(page), await listPage(Math.ceil(total / 24)));
  await close();
});

test('[CAT-01] [SRCH-03] shows 24 products per group with the total', async () => {
  const { page, close } = await openPage(shop);
  for (const path of ['/catalog', '/search-results?query=for']) {
    await page.goto(path);
    const group = page.getByRole('region', { name: 'Accessories', exact: true });
    assert.equal(await group.getByRole('article').count(), 24);
    assert.match(await group.getByRole('paragraph').first().innerText(), /^24 of \d+$/);
  }
  await close();
});
