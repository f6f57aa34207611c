/* oxlint-disable unicorn/consistent-function-scoping -- functions that run in the page must be self-contained */
/** View transitions between the card and the page of a product, and the dot of the cart as a product is added. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Page } from '@playwright/test';
import '../support/built-pages.ts';
import { openPage } from '../support/browser.ts';
import type { PageOptions } from '../support/browser.ts';
import { shareTestShop } from '../support/shared-shop.ts';
import type { TestShop } from '../support/shop.ts';
import { waitUntil } from '../support/wait-until.ts';

const LIST = '/catalog/category/iphone';

let shop: TestShop;
before(async () => {
  shop = await shareTestShop();
});

interface Moved {
  /** Whether there is a picture of before and one of after. */
  readonly isFromCard: boolean;
  readonly isToPage: boolean;
  readonly longestMs: number;
  /** Names of the card or the picture that it moves from, and to. */
  readonly from: string | null;
  readonly to: string | null;
}

declare global {
  interface Window {
    transitionsSeen?: Moved[];
    transitionsFailed?: string[];
  }
}

/** Runs in the page before its own scripts: records what each transition moves. */
function recordTransitions(): void {
  const start = document.startViewTransition.bind(document);
  window.transitionsSeen = [];
  window.transitionsFailed = [];
  const findNamed = (): string | null => {
    const picture = document.querySelector<HTMLImageElement>('[style*="view-transition-name"]');
    const card = picture?.closest('article')?.querySelector('h3')?.textContent;
    // Of a picture that was just added, the browser has not chosen a file yet: `currentSrc` is empty.
    return card === undefined ? (picture?.src.replace(/^.*\/|-\d+\.avif$|\.avif$/g, '') ?? null) : `card ${card}`;
  };
  document.startViewTransition = (update) => {
    const from = findNamed();
    const transition = start(update);
    const record = (): void => {
      const has = (pseudo: string): boolean => getComputedStyle(document.documentElement, pseudo).height !== 'auto';
      const lengths = document
        .getAnimations()
        .map(({ effect }) => effect)
        .filter((effect): effect is KeyframeEffect => effect instanceof KeyframeEffect)
        .filter(({ pseudoElement }) => pseudoElement?.startsWith('::view-transition') === true)
        .map((effect) => Number(effect.getComputedTiming().endTime));
      window.transitionsSeen?.push({
        isFromCard: has('::view-transition-old(device)'),
        isToPage: has('::view-transition-new(device)'),
        longestMs: Math.max(0, ...lengths),
        from,
        to: findNamed(),
      });
    };
    transition.ready.then(record, (error: unknown) => window.transitionsFailed?.push(String(error)));
    return transition;
  };
}

async function openList(options: PageOptions = {}) {
  const opened = await openPage(shop, { width: 1440, height: 900, ...options });
  await opened.page.addInitScript(recordTransitions);
  await opened.page.goto(LIST);
  return opened;
}

const follow = (page: Page, name: string): Promise<void> =>
  page.getByRole('article').getByRole('link', { name, exact: true }).first().click();
const waitForHeading = (page: Page, name: string): Promise<void> =>
  page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
async function readTransitions(page: Page, count: number): Promise<readonly Moved[]> {
  await waitUntil(async () => ((await page.evaluate(() => window.transitionsSeen?.length)) ?? 0) >= count);
  assert.deepEqual(await page.evaluate(() => window.transitionsFailed), []);
  return page.evaluate(() => window.transitionsSeen ?? []);
}

test('[CARD-02] the device moves from its card to its page, and back', async () => {
  const { page, close } = await openList();
  await follow(page, 'iPhone 17');
  await waitForHeading(page, 'iPhone 17');
  await page.goBack();
  await page.waitForURL(`**${LIST}`);
  const moved = await readTransitions(page, 2);
  for (const { isFromCard, isToPage, longestMs } of moved) {
    assert.ok(isFromCard && isToPage);
    assert.ok(longestMs > 100 && longestMs <= 250, `${longestMs} ms`);
  }
  await close();
});

test('[CARD-02] each further device moves too, also from a product page', async () => {
  const { page, close } = await openList();
  for (const name of ['iPhone 17', 'iPhone 17 Pro']) {
    await follow(page, name);
    await waitForHeading(page, name);
    await page.goBack();
    await page.waitForURL(`**${LIST}`);
  }
  await follow(page, 'iPhone Air');
  await waitForHeading(page, 'iPhone Air');
  const other = page.getByRole('article').getByRole('link').first();
  const name = await other.textContent();
  await other.click();
  await waitForHeading(page, name ?? '');
  const moved = await readTransitions(page, 6);
  assert.deepEqual(
    moved.map(({ isFromCard, isToPage }) => isFromCard && isToPage),
    Array.from({ length: 6 }, () => true),
  );
  await close();
});

test('[CARD-02] what moves is the device of the page that is left', async () => {
  const { page, close } = await openList();
  const goBack = async (path: string): Promise<void> => {
    await page.goBack();
    await page.waitForURL(`**${path}`);
  };
  await follow(page, 'iPhone 17');
  await waitForHeading(page, 'iPhone 17');
  const product = new URL(page.url()).pathname;
  await follow(page, 'iPhone 17 Pro');
  await waitForHeading(page, 'iPhone 17 Pro');
  // There its own picture is above the window.
  await goBack(`${product}*`);
  await waitForHeading(page, 'iPhone 17');
  await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }));
  await page
    .getByRole('link', { name: /picture 2/i })
    .first()
    .click();
  await page.waitForFunction(() => {
    const row = document.querySelector('[aria-label="Large pictures"]');
    return row !== null && Math.abs(row.scrollLeft - row.clientWidth) < 1;
  });
  await goBack(LIST);
  const [opened, other, back, left] = await readTransitions(page, 4);
  assert.equal(opened?.from, 'card iPhone 17');
  assert.equal(other?.from, 'card iPhone 17 Pro');
  assert.deepEqual([back?.from, back?.to], [other.to, null]);
  assert.equal(left?.to, 'card iPhone 17');
  assert.ok(left.from !== null && left.from !== opened.to, 'the second picture moves');
  await close();
});

test('[CARD-02] the page can be pressed while the device moves', async () => {
  const { page, context } = await openList();
  const devtools = await context.newCDPSession(page);
  await devtools.send('Animation.enable');
  await devtools.send('Animation.setPlaybackRate', { playbackRate: 0.02 });
  await follow(page, 'iPhone 17');
  await readTransitions(page, 1);
  await page.getByRole('main').getByRole('button', { name: 'Add to Cart' }).first().click();
  await page.getByRole('link', { name: 'Cart, has items' }).first().waitFor();
  const isMoving = await page.evaluate(() => document.getAnimations().some(({ playState }) => playState === 'running'));
  assert.ok(isMoving);
  await context.close();
});

test('[CARD-02] nothing moves with reduced motion', async () => {
  const { page, close } = await openList({ reducedMotion: true });
  await follow(page, 'iPhone 17');
  await waitForHeading(page, 'iPhone 17');
  assert.deepEqual(
    (await readTransitions(page, 1)).map(({ longestMs }) => longestMs),
    [0],
  );
  await close();
});

test('[CARD-02] a page that takes too long for a transition opens without an error', async () => {
  const { page, close } = await openPage(shop, { width: 1440, height: 900 });
  await page.goto(LIST);
  await page.evaluate(() => {
    const start = document.startViewTransition.bind(document);
    // The browser waits four seconds.
    const wait = () => new Promise((done) => setTimeout(done, 4_500));
    document.startViewTransition = (update) =>
      start(async () => {
        if (typeof update === 'function') await update();
        await wait();
        document.documentElement.dataset['waited'] = '';
      });
  });
  await follow(page, 'iPhone 17');
  await waitForHeading(page, 'iPhone 17');
  await page.locator('html[data-waited]').waitFor();
  await close();
});

test('[LAY-05] the dot of the cart beats as a product is added', async () => {
  for (const reducedMotion of [false, true]) {
    const { page, close } = await openPage(shop, { width: 1440, height: 900, reducedMotion });
    await page.goto(LIST);
    const add = page.getByRole('article').getByRole('button', { name: /^Add/ });
    const wasAdded = () => page.waitForResponse((response) => response.url().endsWith('/api/cart/add'));
    await Promise.all([wasAdded(), add.first().click()]);
    const dot = page.getByRole('link', { name: 'Cart, has items' }).locator('span[class*="dot"]').first();
    await dot.waitFor();
    await dot.evaluate((element: HTMLElement) => {
      const animate = element.animate.bind(element);
      element.animate = (...options) => {
        element.dataset['beats'] = 'yes';
        return animate(...options);
      };
    });
    await Promise.all([wasAdded(), add.first().click()]);
    assert.equal(await dot.getAttribute('data-beats'), reducedMotion ? null : 'yes');
    await close();
  }
});
