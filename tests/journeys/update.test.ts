/** A tab that stays open while the shop is updated to another release. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import type { Page } from '@playwright/test';
import { listReleaseIds } from '#src/platform/pages/releases.ts';
import { openPage } from '../support/browser.ts';
import { fillBilling, getOpenOrderId, openCartAsBuyer, payOrder, pollNow, visit } from '../support/buyer.ts';
import { copyProject } from '../support/copy-project.ts';
import { startSeparateDatabase } from '../support/rolling-shop.ts';
import type { SeparateDatabase } from '../support/rolling-shop.ts';
import { createApiClient } from '../support/api-client.ts';
import type { TestShop } from '../support/shop.ts';
import { startShopProcess } from '../support/shop-process.ts';
import type { ShopProcess } from '../support/shop-process.ts';
import { TcpBalancer } from '../support/tcp-balancer.ts';
import { makeTemporaryDirectory } from '../support/template.ts';

let database: SeparateDatabase;
let balancer: TcpBalancer;
let shop: Pick<TestShop, 'url' | 'api'>;
let old: ShopProcess;
let next: ShopProcess | null = null;
const [assetsDir, project] = [makeTemporaryDirectory(), makeTemporaryDirectory()];
let settings: Record<string, string> = {};

before(async () => {
  database = await startSeparateDatabase();
  balancer = await TcpBalancer.open();
  settings = {
    DATABASE_URL: database.url,
    PUBLIC_URL: balancer.url,
    ASSETS_DIR: assetsDir,
    DRAIN_SECONDS: '1',
  };
  old = await startShopProcess(database.dataDir, settings);
  balancer.ports = [old.port];
  shop = { url: balancer.url, api: createApiClient(balancer.url) };
  makeNextRelease();
});
after(async () => {
  await balancer.close();
  await old.stop();
  await next?.stop();
  await database.stop();
  for (const directory of [assetsDir, project]) rmSync(directory, { recursive: true, force: true });
});

const edit = (file: string, from: string, to: string): void => {
  const text = readFileSync(join(project, file), 'utf8');
  assert.ok(text.includes(from), `${file} contains ${from}`);
  writeFileSync(join(project, file), text.replace(from, to));
};

/** A release whose scripts all have other names, and in which the file of one page, so its route, was renamed. */
function makeNextRelease(): void {
  copyProject(project);
  edit('src/storefront/layout/footer.tsx', '<footer className', '<footer data-release="next" className');
  const pages = 'src/shop/content/web';
  renameSync(join(project, pages, 'free-shipping-page.tsx'), join(project, pages, 'delivery-page.tsx'));
  edit('src/routes.ts', `${pages.slice('src/'.length)}/free-shipping-page.tsx`, 'shop/content/web/delivery-page.tsx');
}

/** Starts the next release, sends new connections to it, and stops the old process. */
async function update(): Promise<void> {
  next = await startShopProcess(database.dataDir, settings, { project });
  balancer.ports = [next.port, old.port];
  await old.stop();
  balancer.ports = [next.port];
}

const markDocument = (page: Page): Promise<unknown> => page.evaluate(() => Object.assign(window, { isSame: true }));
const isSameDocument = (page: Page): Promise<boolean> => page.evaluate(() => 'isSame' in window);
const isNextRelease = async (page: Page): Promise<boolean> => (await page.locator('[data-release=next]').count()) === 1;

test('[OPS-22] two builds at the same time make one release', async () => {
  writeFileSync(join(project, '.env'), `ASSETS_DIR="${assetsDir}"\n`);
  const build = () => promisify(execFile)(process.execPath, ['scripts/run.mjs', 'build'], { cwd: project });
  const outputs = await Promise.all([build(), build()]);
  assert.equal(outputs.filter(({ stdout }) => stdout.includes('done in')).length, 1);
  assert.equal(listReleaseIds(assetsDir).length, 2, 'the former release is kept');
});

test('[OPS-22] tabs that are open during an update keep working', async () => {
  const [browsing, ordering] = [await openPage(shop), await openPage(shop)];
  await visit(browsing.page, '/catalog/product/iphone-air');
  await openCartAsBuyer(shop, ordering.page);
  await ordering.page.getByRole('button', { name: 'Continue to Checkout' }).click();
  await ordering.page.getByLabel('First name').fill('Grace');
  for (const { page } of [browsing, ordering]) await markDocument(page);
  const scripts: string[] = [];
  browsing.page.on('response', (response) => {
    if (/\/assets\/.+\.js/.test(response.url()))
      scripts.push(new URL(response.url()).pathname.slice('/assets/'.length));
  });

  await update();

  // Pages that this tab has not opened before: their scripts are those of the former release.
  const { page } = browsing;
  await page.getByRole('button', { name: 'Add to Cart', exact: true }).click();
  await page.getByRole('banner').getByRole('link', { name: 'Cart, has items' }).click();
  await page.getByRole('heading', { name: 'Cart Totals' }).waitFor();
  await page.getByRole('button', { name: 'Continue to Checkout' }).click();
  await page.getByRole('heading', { level: 1, name: 'Login', exact: true }).waitFor();
  assert.ok(await isSameDocument(page));
  assert.equal(await isNextRelease(page), false);
  const newest = new Set(readdirSync(join(assetsDir, listReleaseIds(assetsDir).at(-1) ?? '')));
  const former = scripts.filter((name) => !newest.has(name));
  assert.ok(former.length > 0, `scripts of the former release were loaded: ${scripts.join()}`);
  // Its data has another shape there.
  await page.getByRole('contentinfo').getByRole('link', { name: 'Free shipping', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: /shipping/i }).waitFor();
  assert.ok(await isNextRelease(page), 'the document of the next release was loaded');
  await browsing.close();

  const order = ordering.page;
  assert.equal(await order.getByLabel('First name').inputValue(), 'Grace');
  await fillBilling(order);
  await order.getByRole('button', { name: 'Order with obligation to pay' }).click();
  await order.getByRole('heading', { name: 'Complete your order' }).waitFor();
  await payOrder(shop, await getOpenOrderId(shop, order));
  await shop.api('POST', '/dev/mine', { body: { blocks: 2 } });
  await pollNow(order);
  await order.getByRole('heading', { name: 'Order paid.' }).waitFor();
  assert.ok(await isSameDocument(order));
  await ordering.close();
});
