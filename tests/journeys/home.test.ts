import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Locator, Page } from '@playwright/test';
import { assertAccessibleInBothSchemes } from '../support/axe.ts';
import { openPage } from '../support/browser.ts';
import { findJsonLd } from '../support/json-ld.ts';
import { watchLayoutShifts } from '../support/pages/layout-shift.ts';
import { scrollThrough } from '../support/pages/scroll-through.ts';
import { listAt, textAt } from '../support/read-json.ts';
import { shareTestShop } from '../support/shared-shop.ts';
import type { TestShop } from '../support/shop.ts';

const PARTNERS = 'We value collaboration and aim to build long-term relationships with trusted partners' as const;
const PHONE = { width: 390, height: 844 };

let shop: TestShop;
before(async () => {
  shop = await shareTestShop();
});

const getRegion = (page: Page, name: string): Locator => page.getByRole('region', { name, exact: true });
const getTrack = (page: Page): Locator => getRegion(page, PARTNERS).locator('div:has(> ul)');
const measureLeft = (logo: Locator): Promise<number> => logo.evaluate((image) => image.getBoundingClientRect().left);

test('shows all sections from the hero to the reviews', async () => {
  const { page, close } = await openPage(shop);
  await page.goto('/');
  assert.deepEqual(await page.getByRole('main').getByRole('heading', { level: 2 }).allInnerTexts(), [
    'Apple Products',
    'Buy out gadgets with Bitcoin on Apple Tech Today!',
    'Buy new Iphone',
    'Buy new Macbook',
    'Buy new iPad',
    'Advantages',
    PARTNERS,
    'Frequently Asked Questions',
    "Reviews user's",
  ]);
  await close();
});

test('[HOME-01] the hero shows what a bitcoin costs, without an age if that is constant', async () => {
  const { page, close } = await openPage(shop);
  await page.goto('/');
  assert.equal(await page.getByText('1 BTC', { exact: false }).first().innerText(), '1 BTC = $111,000.00');
  await close();
});

test('[HOME-10] shows no product twice on the first two screens, and a tile for each category', async () => {
  const { page, close } = await openPage(shop, { width: 1440, height: 900 });
  await page.goto('/');
  const tiles = page.getByRole('navigation', { name: 'Shop by category' }).getByRole('link');
  assert.deepEqual(
    await tiles.allInnerTexts(),
    listAt(await (await page.request.get('/api/categories')).json()).map((category) => textAt(category, 'name')),
  );
  const pictures = await page
    .getByRole('main')
    .locator('img')
    .evaluateAll((images) =>
      images
        .filter((image) => image.getBoundingClientRect().top < 1800)
        .map((image) => image.getAttribute('src'))
        .filter((source) => source?.includes('/products/')),
    );
  assert.ok(pictures.length >= 12, `only ${pictures.length} pictures`);
  assert.equal(new Set(pictures).size, pictures.length);
  const [large, other] = await page
    .getByRole('list', { name: 'Apple Products' })
    .getByRole('listitem')
    .evaluateAll((cards) => cards.map((card) => card.getBoundingClientRect().width));
  assert.ok(large && other && large > 2 * other);
  await close();
});

test('[HOME-05] shows two advantage cards with pictures of 332 px', async () => {
  for (const size of [PHONE, { width: 1440, height: 900 }]) {
    const { page, close } = await openPage(shop, size);
    await page.goto('/');
    const section = getRegion(page, 'Advantages');
    for (const text of [
      'Discover the benefits of shopping for Apple devices with us',
      'Enjoy safe and reliable cryptocurrency transactions',
      'Get your order quickly, no matter where you are',
      'Delivery today in 24 hours',
    ]) {
      assert.ok(await section.getByText(text, { exact: true }).isVisible(), text);
    }
    assert.deepEqual(await section.getByRole('heading', { level: 3 }).allInnerTexts(), [
      'Secure Payments',
      'Fast Delivery',
    ]);
    assert.equal(await section.getByText('Fast Delivery', { exact: true }).count(), 2);
    const pictures = section.locator('img');
    assert.equal(await pictures.count(), 2);
    for (const picture of await pictures.all()) {
      await picture.scrollIntoViewIfNeeded();
      const box = await picture.boundingBox();
      assert.deepEqual([box?.width, box?.height], [332, 332]);
      await page.waitForFunction(
        (image) => image instanceof HTMLImageElement && image.naturalWidth > 0,
        await picture.elementHandle(),
      );
    }
    // The overlay is on the picture of its card.
    const [card, overlay] = await Promise.all([
      pictures.nth(1).boundingBox(),
      section.getByText('Delivery today in 24 hours').boundingBox(),
    ]);
    assert.ok(card && overlay && overlay.y > card.y && overlay.y + overlay.height < card.y + card.height);
    await close();
  }
});

test('[HOME-06] links the promo banner to the promotions', async () => {
  const { page, close } = await openPage(shop);
  await page.goto('/');
  const banner = getRegion(page, 'Buy out gadgets with Bitcoin on Apple Tech Today!');
  for (const text of [
    'Get the latest iPhones, MacBooks, and more with seamless cryptocurrency payments. Fast, secure, and hassle-free!',
    'Bitcoin',
    'BTC',
  ]) {
    assert.ok(await banner.getByText(text, { exact: true }).isVisible(), text);
  }
  const badge = await banner.locator('img').boundingBox();
  assert.deepEqual([badge?.width, badge?.height], [96, 96]);
  await banner.getByRole('link', { name: 'Discover more', exact: true }).click();
  await page.waitForURL('**/promo');
  await page.getByRole('heading', { level: 1, name: 'Promotions' }).waitFor();
  await close();
});

test('[HOME-07] scrolls ten logos four times, one every 5 s', async () => {
  const { page, close } = await openPage(shop, { width: 1440, height: 900 });
  await page.goto('/');
  const section = getRegion(page, PARTNERS);
  await section.scrollIntoViewIfNeeded();
  assert.ok(
    await section
      .getByText('Opportunities to expand your reach in the Apple technology market', { exact: true })
      .isVisible(),
  );
  const logos = getTrack(page).locator('img');
  const names = Array.from({ length: 10 }, (_, index) => `/partners/partner-${index + 1}.svg`);
  assert.deepEqual(
    await logos.evaluateAll((images) => images.map((image) => image.getAttribute('src'))),
    [names, names, names, names].flat(),
  );
  for (const name of names) assert.equal((await page.request.get(name)).status(), 200, name);
  // Announced once, not four times.
  assert.equal(await section.getByRole('img').count(), 10);

  const style = await getTrack(page).evaluate((element) => {
    const computed = getComputedStyle(element);
    const list = element.firstElementChild;
    return {
      duration: computed.animationDuration,
      delay: computed.animationDelay,
      times: computed.animationIterationCount,
      easing: computed.animationTimingFunction,
      gap: list === null ? '' : getComputedStyle(list).columnGap,
    };
  });
  assert.deepEqual(style, { duration: '50s', delay: '0.001s', times: 'infinite', easing: 'linear', gap: '8px' });
  // After a quarter of the track each logo is at the position of its copy. Measured at one moment,
  // since they move.
  const [way, width] = await getTrack(page).evaluate((element) => {
    const [first = 0, again = 0] = [0, 10].map(
      (at) => element.querySelectorAll('img')[at]?.getBoundingClientRect().left,
    );
    return [again - first, element.getBoundingClientRect().width] as const;
  });
  assert.ok(Math.abs(way - width / 4) < 3, `${way} is not a quarter of ${width}`);

  await page.mouse.move(0, 0);
  const start = await measureLeft(logos.nth(5));
  await page.waitForFunction(
    ([image, left]) => image instanceof Element && image.getBoundingClientRect().left < left - 2,
    [await logos.nth(5).elementHandle(), start] as const,
  );
  await close();
});

test('[HOME-07] makes logos not draggable, pausable by hover and button', async () => {
  const { page, close } = await openPage(shop, { width: 1440, height: 900 });
  await page.goto('/');
  await page.locator('html[data-ready]').waitFor();
  const section = getRegion(page, PARTNERS);
  const readPlayState = (): Promise<string> =>
    getTrack(page).evaluate((element) => getComputedStyle(element).animationPlayState);
  await section.getByRole('heading').hover();
  assert.equal(await readPlayState(), 'running');
  for (const image of await getTrack(page).locator('img').all())
    assert.equal(await image.getAttribute('draggable'), 'false');

  const pane = getTrack(page).locator('..');
  const box = await pane.boundingBox();
  assert.ok(box);
  await page.mouse.move(box.x + 700, box.y + 40);
  assert.equal(await readPlayState(), 'paused');
  // Pausing takes a frame.
  await page.waitForFunction(
    (element) => element instanceof Element && element.getAnimations().every(({ pending }) => !pending),
    await getTrack(page).elementHandle(),
  );
  const logo = getTrack(page).locator('img').nth(4);
  const place = await measureLeft(logo);
  await page.mouse.down();
  await page.mouse.move(box.x + 300, box.y + 40, { steps: 4 });
  await page.mouse.up();
  await page.mouse.wheel(300, 0);
  assert.equal(await measureLeft(logo), place);
  assert.equal(await pane.evaluate((element) => element.scrollLeft), 0);

  await section.getByRole('button', { name: 'Pause the partners’ logos' }).click();
  await section.getByRole('heading').hover();
  assert.equal(await readPlayState(), 'paused');
  const play = section.getByRole('button', { name: 'Play the partners’ logos' });
  await play.click();
  await section.getByRole('heading').hover();
  assert.equal(await readPlayState(), 'running');
  await close();
});

test('[HOME-07] shows ten still logos under reduced motion', async () => {
  for (const width of [390, 1440]) {
    const { page, close } = await openPage(shop, { width, height: 900, reducedMotion: true });
    await page.goto('/');
    const logos = getTrack(page).locator('img:visible');
    assert.equal(await logos.count(), 10);
    assert.equal(await getTrack(page).evaluate((element) => getComputedStyle(element).animationName), 'none');
    for (const logo of await logos.all()) {
      const box = await logo.boundingBox();
      assert.ok(box && box.x >= 0 && box.x + box.width <= width);
    }
    assert.equal(await getRegion(page, PARTNERS).getByRole('button').count(), 0);
    await close();
  }
});

test('[HOME-08] toggles the answer of each question', async () => {
  const { page, close } = await openPage(shop);
  await page.goto('/');
  const section = getRegion(page, 'Frequently Asked Questions');
  const faq = listAt((await shop.api('GET', '/faq')).body);
  assert.deepEqual(
    await section.getByRole('heading', { level: 3 }).allInnerTexts(),
    faq.map((item) => textAt(item, 'question')),
  );
  for (const item of faq.slice(0, 3)) {
    const question = section.getByText(textAt(item, 'question'), { exact: true });
    const answer = section.getByText(textAt(item, 'answer'), { exact: true });
    assert.equal(await answer.isVisible(), false);
    await question.click();
    await answer.waitFor();
    await question.click();
    await answer.waitFor({ state: 'hidden' });
  }
  // Also by keyboard.
  await section.locator('summary').last().focus();
  await page.keyboard.press('Enter');
  await section.getByText(textAt(faq.at(-1), 'answer'), { exact: true }).waitFor();
  await close();
});

test('[HOME-08] includes structured data of questions and answers', async () => {
  const html = await (await fetch(`${shop.url}/`)).text();
  const json = findJsonLd(html, 'FAQPage');
  const faq = listAt((await shop.api('GET', '/faq')).body);
  assert.deepEqual(
    listAt(json, 'mainEntity').map((entry) => [textAt(entry, 'name'), textAt(entry, 'acceptedAnswer', 'text')]),
    faq.map((item) => [textAt(item, 'question'), textAt(item, 'answer')]),
  );
});

for (const width of [390, 767, 992, 1440]) {
  test(`fits a screen of ${width} px without layout shifts`, async () => {
    const { page, close } = await openPage(shop, { width, height: 900 });
    const shifts = await watchLayoutShifts(page);
    await page.goto('/');
    await page.locator('html[data-ready]').waitFor();
    await scrollThrough(page);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'it is too wide');
    assert.deepEqual(await shifts(), []);
    await close();
  });
}

for (const size of [PHONE, { width: 1440, height: 900 }]) {
  test(`is accessible with open answers, ${size.width} px wide`, async () => {
    const { page, close } = await openPage(shop, { ...size });
    await page.goto('/');
    await page.locator('html[data-ready]').waitFor();
    await getRegion(page, 'Frequently Asked Questions').locator('summary').first().click();
    await page.waitForFunction(() => document.querySelector('details[open] p')?.getAnimations().length === 0);
    await assertAccessibleInBothSchemes(page);
    await close();
  });
}

test('shows the whole home page without JavaScript', async () => {
  const { page, context, getProblems } = await openPage(shop, { javaScript: false });
  await page.goto('/');
  assert.equal(await page.getByRole('region').count(), 10);
  assert.equal(await page.getByRole('article').count(), 28);
  const first = listAt((await shop.api('GET', '/faq')).body)[0];
  await page.getByText(textAt(first, 'question'), { exact: true }).click();
  await page.getByText(textAt(first, 'answer'), { exact: true }).waitFor();
  // Without a pause button nothing moves.
  assert.equal(await getTrack(page).locator('img:visible').count(), 10);
  assert.equal(await getRegion(page, PARTNERS).getByRole('button').count(), 0);
  await context.close();
  // Chromium loads no scripts with JavaScript disabled.
  assert.deepEqual(
    getProblems().filter((line) => !line.endsWith('.js csp')),
    [],
  );
});
