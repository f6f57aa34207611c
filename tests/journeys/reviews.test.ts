import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Locator, Page } from '@playwright/test';
import { openPage } from '../support/browser.ts';
import { findJsonLd } from '../support/json-ld.ts';
import { listAt, numberAt, textAt } from '../support/read-json.ts';
import { shareTestShop } from '../support/shared-shop.ts';
import type { TestShop } from '../support/shop.ts';
import { resize } from '../support/pages/frames.ts';

const PRODUCT = '/catalog/product/iphone-17-pro';

let shop: TestShop;
before(async () => {
  shop = await shareTestShop();
});

const getShopReviews = (page: Page): Locator => page.getByRole('list', { name: 'Reviews of the shop' });
const getProductReviews = (page: Page): Locator => page.getByRole('list', { name: 'Reviews of iPhone 17 Pro' });

/** Content of each review card. */
const readCards = (list: Locator) =>
  list.getByRole('article').evaluateAll((cards) =>
    cards.map((card) => ({
      name: card.querySelector('h3')?.textContent ?? '',
      date: card.querySelector('time')?.textContent ?? '',
      text: card.querySelector('p')?.textContent ?? '',
      rating: /\d\/5/.exec(card.textContent)?.[0] ?? '',
      stars: card.querySelectorAll('[aria-hidden] > span').length,
      filled: card.querySelectorAll('[data-filled]').length,
    })),
  );

function formatExpected(review: unknown) {
  const [year = '', month = '', day = ''] = textAt(review, 'created').slice(0, 10).split('-');
  const rating = numberAt(review, 'rating');
  return {
    name: textAt(review, 'name'),
    date: `${day}.${month}.${year}`,
    text: textAt(review, 'text'),
    rating: `${rating}/5`,
    stars: 5,
    filled: rating,
  };
}

test('[HOME-09] [REV-01] shows every shop review with name, date, text, rating', async () => {
  const { page, close } = await openPage(shop);
  await page.goto('/');
  const section = page.getByRole('region', { name: "Reviews user's", exact: true });
  assert.ok(await section.getByRole('heading', { level: 2 }).isVisible());
  const reviews = listAt((await shop.api('GET', '/reviews/shop')).body);
  assert.ok(reviews.length >= 12);
  assert.deepEqual(await readCards(getShopReviews(page)), reviews.map(formatExpected));
  await close();
});

test('[REV-01] colours filled stars', async () => {
  const { page, close } = await openPage(shop);
  await page.goto('/');
  const stars = getShopReviews(page)
    .getByRole('article')
    .filter({ hasText: '4/5' })
    .first()
    .locator('[aria-hidden] > span');
  const colours = await stars.evaluateAll((all) => all.map((star) => getComputedStyle(star).backgroundColor));
  assert.equal(new Set(colours.slice(0, 4)).size, 1);
  assert.notEqual(colours[4], colours[0]);
  assert.ok((await stars.first().boundingBox())?.width === 16);
  await close();
});

test('[REV-01] shows the same date in every time zone', async () => {
  const html = await (await fetch(`${shop.url}/`)).text();
  const first = listAt((await shop.api('GET', '/reviews/shop')).body)[0];
  assert.ok(html.includes(`>${formatExpected(first).date}</time>`));
});

for (const path of ['/', PRODUCT]) {
  test(`[REV-02] [FMT-02] shows a grid from 1200 px, a slider below: ${path}`, async () => {
    const { page, close } = await openPage(shop, { width: 1200, height: 900 });
    await page.goto(path);
    const list = path === '/' ? getShopReviews(page) : getProductReviews(page);
    const look = () =>
      list.evaluate((element) => {
        const tops = [...element.children].map((item) => Math.round(item.getBoundingClientRect().top));
        const { columnGap, rowGap, scrollSnapType } = getComputedStyle(element);
        return {
          rows: new Set(tops).size,
          columns: tops.filter((top) => top === tops[0]).length,
          slides: element.scrollWidth > element.clientWidth,
          gaps: [columnGap, rowGap],
          isSnapping: scrollSnapType.startsWith('x'),
        };
      });
    const html = await list.innerHTML();
    const wide = await look();
    assert.ok(wide.rows > 1 && wide.columns > 1 && !wide.slides && !wide.isSnapping, JSON.stringify(wide));
    assert.deepEqual(wide.gaps, ['8px', '8px']);

    for (const width of [1199, 768, 767, 390]) {
      await resize(page, width, 900);
      const narrow = await look();
      assert.ok(narrow.rows === 1 && narrow.slides && narrow.isSnapping, `${width}: ${JSON.stringify(narrow)}`);
      assert.equal(narrow.gaps[0], '8px');
    }
    assert.equal(await list.innerHTML(), html);
    await close();
  });
}

test('[REV-02] scrolls the slider by keyboard', async () => {
  const { page, close } = await openPage(shop, { width: 390, height: 844, reducedMotion: true });
  await page.goto('/');
  await getShopReviews(page).focus();
  await page.keyboard.press('ArrowRight');
  await page.waitForFunction(
    () => (document.querySelector('[aria-label="Reviews of the shop"]')?.scrollLeft ?? 0) > 100,
  );
  await close();
});

test('[PROD-07] shows reviews of the product and their mean', async () => {
  const { page, close } = await openPage(shop);
  await page.goto(PRODUCT);
  const reviews = listAt((await shop.api('GET', '/reviews/product/iphone-17-pro')).body);
  assert.equal(reviews.length, 5);
  assert.deepEqual(await readCards(getProductReviews(page)), reviews.map(formatExpected));
  assert.equal(
    await page.getByRole('region', { name: 'Reviews', exact: true }).getByText('out of 5').innerText(),
    '4.6 out of 5, from 5 reviews',
  );
  const html = await (await fetch(`${shop.url}${PRODUCT}`)).text();
  const json = findJsonLd(html, 'Product');
  assert.equal(numberAt(json, 'aggregateRating', 'ratingValue'), 4.6);
  assert.equal(numberAt(json, 'aggregateRating', 'reviewCount'), 5);
  await close();
});

test('[PROD-07] changes reviews with the product, shows if none', async () => {
  const { page, close } = await openPage(shop);
  await page.goto(PRODUCT);
  await page.getByRole('region', { name: 'Check out other iPhone' }).getByRole('link', { name: 'iPhone 16e' }).click();
  await page.getByRole('heading', { level: 1, name: 'iPhone 16e' }).waitFor();
  await page.getByRole('list', { name: 'Reviews of iPhone 16e' }).getByRole('article').nth(1).waitFor();
  assert.equal(await page.getByRole('list', { name: 'Reviews of iPhone 16e' }).getByRole('article').count(), 2);
  await page.goto('/catalog/product/nomad-base-one');
  const section = page.getByRole('region', { name: 'Reviews', exact: true });
  assert.ok(await section.getByText('No reviews yet.', { exact: true }).isVisible());
  assert.doesNotMatch(await page.content(), /aggregateRating/);
  await close();
});

test('shows reviews without JavaScript', async () => {
  const { page, context } = await openPage(shop, { javaScript: false });
  await page.goto(PRODUCT);
  assert.equal((await readCards(getProductReviews(page))).length, 5);
  await context.close();
});
