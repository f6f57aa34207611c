import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Locator, Page } from '@playwright/test';
import { openPage } from '../support/browser.ts';
import { logIn, createBuyer, visit } from '../support/buyer.ts';
import { shareTestShop } from '../support/shared-shop.ts';
import type { TestShop } from '../support/shop.ts';
import { resize } from '../support/pages/frames.ts';

let shop: TestShop;
before(async () => {
  shop = await shareTestShop();
});

const getBottomBar = (page: Page): Locator => page.getByRole('navigation', { name: 'Main' });
const listLinks = (place: Locator): Promise<[string, string | null][]> =>
  place.getByRole('link').evaluateAll((links) =>
    links
      .filter((link) => link instanceof HTMLElement)
      // The visible name comes first; a second line is for screen readers.
      .map((link) => [link.innerText.trim().split('\n')[0] ?? '', link.getAttribute('href')]),
  );
const measureBox = async (place: Locator) => {
  const box = await place.boundingBox();
  assert.ok(box, 'it is shown');
  return box;
};

test('[LAY-09] phones show Home, Catalog, Cart and Login or Profile below', async () => {
  const username = await createBuyer(shop);
  const { page, close } = await openPage(shop, { width: 390, height: 844 });
  await visit(page, '/');
  const guest = [
    ['Home', '/'],
    ['Catalog', '/catalog'],
    ['Cart', '/cart'],
    ['Login', '/login'],
  ];
  assert.deepEqual(await listLinks(getBottomBar(page)), guest);
  for (const [name = '', path = ''] of guest.toReversed()) {
    await getBottomBar(page).getByRole('link', { name, exact: true }).click();
    await page.waitForURL(({ pathname }) => pathname === path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await getBottomBar(page)
      .getByRole('link', { name, exact: true })
      .and(page.locator('[aria-current="page"]'))
      .waitFor();
    const { y, height } = await measureBox(getBottomBar(page));
    assert.equal(Math.round(y + height), 844, 'it stays at the lower edge of the window');
  }
  await visit(page, '/login');
  await logIn(page, username);
  await page.waitForURL('**/dashboard');
  await getBottomBar(page).getByRole('link', { name: 'Profile' }).waitFor();
  assert.deepEqual(await listLinks(getBottomBar(page)), [...guest.slice(0, 3), ['Profile', '/dashboard']]);
  await close();
});

test('[LAY-09] the bottom bar hides no content at the page’s end', async () => {
  const { page, close } = await openPage(shop, { width: 390, height: 844 });
  await visit(page, '/catalog');
  await page.evaluate(() => window.scrollTo({ top: document.documentElement.scrollHeight, behavior: 'instant' }));
  const last = page.getByText('not affiliated with Apple Inc.');
  const { y, height } = await measureBox(last);
  assert.ok(y + height <= (await measureBox(getBottomBar(page))).y);
  await close();
});

test("[LAY-04] the search box shows 'Search in Crypto Market' at every width", async () => {
  const { page, close } = await openPage(shop);
  await visit(page, '/');
  for (const width of [320, 390, 768, 1200]) {
    await resize(page, width, 844);
    const box = page.getByRole('banner').getByPlaceholder('Search in Crypto Market', { exact: true });
    const { width: shown } = await measureBox(box);
    assert.ok(shown >= 200, `${shown} px at ${width} px`);
  }
  await close();
});

test('[FMT-02] [LAY-09] the layout changes at 768, 992 and 1200 px', async () => {
  const { page, close } = await openPage(shop);
  const setWidth = (width: number) => resize(page, width, 900);
  await visit(page, '/');
  const topLine = page.getByRole('banner').getByText('Delivery today in 24 hours');
  for (const [width, isPhone] of [
    [767, true],
    [768, false],
  ] as const) {
    await setWidth(width);
    assert.equal(await getBottomBar(page).isVisible(), isPhone, `${width} px`);
    assert.equal(await topLine.isVisible(), !isPhone, `${width} px`);
    assert.equal(
      await page.getByRole('navigation', { name: 'Shop', exact: true }).isVisible(),
      !isPhone,
      `${width} px`,
    );
  }

  const cards = page.getByRole('region', { name: 'Apple Products' }).getByRole('listitem');
  const measureGapAndShown = async () => {
    const [first, second] = [await measureBox(cards.nth(0)), await measureBox(cards.nth(1))];
    const last = await measureBox(cards.nth(3));
    const width = page.viewportSize()?.width ?? 0;
    return { gap: Math.round(second.x - first.x - first.width), areAllInSight: last.x + last.width <= width };
  };
  await setWidth(1199);
  assert.deepEqual(await measureGapAndShown(), { gap: 16, areAllInSight: false });
  await setWidth(1200);
  assert.deepEqual(await measureGapAndShown(), { gap: 16, areAllInSight: true });

  await visit(page, '/cart');
  const totals = page.getByRole('complementary', { name: 'Cart Totals' });
  const details = page.getByRole('heading', { name: 'Order Details' });
  await setWidth(991);
  assert.ok((await measureBox(totals)).y > (await measureBox(details)).y + 40, 'the totals are below');
  await setWidth(992);
  assert.ok((await measureBox(totals)).x > 500, 'the totals are on the right');
  await close();
});

test('[FMT-02] [LAY-07] categories that do not fit scroll sideways', async () => {
  const { page, close } = await openPage(shop);
  await visit(page, '/');
  const shelf = page.getByRole('navigation', { name: 'Shop', exact: true });
  const last = shelf.getByRole('link').last();
  for (const width of [768, 992, 1440]) {
    await resize(page, width, 900);
    await shelf.getByRole('link', { name: 'Home' }).focus();
    await last.focus();
    const { x, width: own } = await measureBox(last);
    assert.ok(x >= 0 && x + own <= width, `the last category can be scrolled into view, ${width} px`);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width);
  }
  await close();
});
