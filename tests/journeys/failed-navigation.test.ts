/**
 * A link pressed while the shop is unreachable: the page stays open, shows a notice and retries.
 */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Page } from '@playwright/test';
import { assertAccessible } from '../support/axe.ts';
import { openPage } from '../support/browser.ts';
import type { JourneyPage } from '../support/browser.ts';
import { visit } from '../support/buyer.ts';
import { shareTestShop } from '../support/shared-shop.ts';
import type { TestShop } from '../support/shop.ts';
import { startSlowProxy } from '../support/slow-proxy.ts';

const TEXT = 'Is the blue one in stock?';

let shop: TestShop;
before(async () => {
  shop = await shareTestShop();
});

const getNotice = (page: Page) => page.getByRole('alert').filter({ hasText: 'The page could not be loaded.' });
const tryAgain = (page: Page) => getNotice(page).getByRole('button', { name: 'Try again' });
const followPromo = (page: Page) =>
  page.getByRole('contentinfo').getByRole('link', { name: 'Free shipping', exact: true }).click();
const isArrived = (page: Page) => page.getByRole('heading', { level: 1, name: /shipping/i }).waitFor();

/** A page with something typed, which a new document would lose. */
async function typeMessage(page: Page): Promise<void> {
  await visit(page, '/contact');
  await page.getByLabel('Comment or Message').fill(TEXT);
  await page.evaluate(() => Object.assign(window, { isSameDocument: true }));
}
async function assertStayed(page: Page): Promise<void> {
  assert.equal(await page.getByLabel('Comment or Message').inputValue(), TEXT);
  assert.equal(new URL(page.url()).pathname, '/contact');
}
const isSameDocument = (page: Page): Promise<boolean> => page.evaluate(() => 'isSameDocument' in window);

/** Only the expected failure may be logged. */
async function closeAfterFailure({ getProblems, context }: JourneyPage): Promise<void> {
  const others = getProblems().filter(
    (line) => !/a page could not be loaded|ERR_FAILED|ERR_INTERNET_DISCONNECTED|status 50\d/.test(line),
  );
  assert.deepEqual(others, []);
  await context.close();
}

test('[LAY-12] stays on the page when a link is pressed offline', async () => {
  const opened = await openPage(shop, { width: 390, height: 844 });
  const { page, context } = opened;
  await typeMessage(page);
  await context.setOffline(true);
  await followPromo(page);
  await getNotice(page).getByText('Check your connection.', { exact: false }).waitFor();
  await assertStayed(page);
  await assertAccessible(page);
  await tryAgain(page).click();
  await getNotice(page).locator('button[aria-busy]').waitFor({ state: 'detached' });
  await tryAgain(page).waitFor();
  await assertStayed(page);
  await context.setOffline(false);
  await tryAgain(page).click();
  await isArrived(page);
  assert.equal(await getNotice(page).count(), 0);
  await closeAfterFailure(opened);
});

test('[LAY-12] stays on the page when the next script fails', async () => {
  const opened = await openPage(shop);
  const { page } = opened;
  await typeMessage(page);
  const scripts = '**/assets/free-shipping-*.js';
  await page.route(scripts, (route) => route.abort());
  await followPromo(page);
  await getNotice(page).waitFor();
  await assertStayed(page);
  await page.unroute(scripts);
  await tryAgain(page).click();
  await isArrived(page);
  await closeAfterFailure(opened);
});

test('[LAY-12] stays on the page when the next data fails', async () => {
  for (const outcome of ['none', 'error'] as const) {
    const opened = await openPage(shop);
    const { page } = opened;
    await typeMessage(page);
    await page.route('**/*.data*', (route) =>
      outcome === 'none' ? route.abort() : route.fulfill({ status: 503, contentType: 'text/plain', body: 'busy' }),
    );
    await page.getByRole('banner').getByRole('link', { name: 'Catalog', exact: true }).click();
    await getNotice(page).waitFor();
    if (outcome === 'error') await getNotice(page).getByText('The shop is very busy', { exact: false }).waitFor();
    await assertStayed(page);
    await page.unroute('**/*.data*');
    await tryAgain(page).click();
    await page.waitForURL('**/catalog');
    await page.getByRole('heading', { level: 1, name: /Explore our catalog/ }).waitFor();
    assert.ok(await isSameDocument(page));
    await closeAfterFailure(opened);
  }
});

test('[LAY-12] another link pressed while a page arrives causes no error', async (t) => {
  const isLeft = Promise.withResolvers<undefined>();
  const proxy = await startSlowProxy({
    upstream: shop.url,
    // The data are there, but not their end; the page waits for its script.
    cut: (path, body) => {
      if (path.includes('/catalogue-page-')) return 0;
      return path.startsWith('/catalog.data') ? body.length : null;
    },
    waitBetween: () => isLeft.promise,
  });
  t.after(() => proxy.stop());
  const { page, close } = await openPage(proxy);
  await visit(page, '/contact');
  const arrives = page.waitForResponse('**/catalog.data*');
  await page.getByRole('banner').getByRole('link', { name: 'Catalog', exact: true }).click();
  await arrives;
  await followPromo(page);
  await isArrived(page);
  isLeft.resolve(undefined);
  await close();
});

test('[LAY-12] shows a closed message again at the next failure', async () => {
  const opened = await openPage(shop);
  const { page, context } = opened;
  await typeMessage(page);
  await context.setOffline(true);
  await followPromo(page);
  await getNotice(page).getByRole('button', { name: 'Close' }).click();
  await getNotice(page).waitFor({ state: 'detached' });
  await followPromo(page);
  await getNotice(page).waitFor();
  await assertStayed(page);
  await page.goBack().catch(() => null);
  await closeAfterFailure(opened);
});

test('[LAY-12] reports a failed Back while offline and retries', async () => {
  const opened = await openPage(shop);
  const { page, context } = opened;
  await visit(page, '/catalog');
  await page.getByRole('contentinfo').getByRole('link', { name: 'Contact', exact: true }).click();
  await page.waitForURL('**/contact');
  await page.getByLabel('Comment or Message').fill(TEXT);
  await context.setOffline(true);
  await page.evaluate(() => history.back());
  await getNotice(page).waitFor();
  assert.equal(await page.getByLabel('Comment or Message').inputValue(), TEXT);
  await context.setOffline(false);
  await tryAgain(page).click();
  await page.getByRole('heading', { level: 1, name: /Explore our catalog/ }).waitFor();
  await closeAfterFailure(opened);
});
