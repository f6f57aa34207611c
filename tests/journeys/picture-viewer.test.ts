/** The pictures of a product over the whole window. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Locator, Page } from '@playwright/test';
import '../support/built-pages.ts';
import { assertAccessibleInBothSchemes } from '../support/axe.ts';
import { openPage } from '../support/browser.ts';
import { saveScreenshots } from '../support/screenshots.ts';
import { shareTestShop } from '../support/shared-shop.ts';
import type { TestShop } from '../support/shop.ts';
import { resize } from '../support/pages/frames.ts';

const PHONE = '/catalog/product/iphone-17-pro';

let shop: TestShop;
before(async () => {
  shop = await shareTestShop();
});

const getViewer = (page: Page): Locator => page.getByRole('dialog', { name: 'Pictures of iPhone 17 Pro', exact: true });
/** Of the first pictures. */
const ALTS = [
  'iPhone 17 Pro in Cosmic Orange: its display, and behind it its back with three cameras',
  'iPhone 17 Pro in Cosmic Orange from the front',
];
const getLink = (page: Page, number: number): Locator =>
  page.getByRole('link', { name: ALTS[number - 1] ?? assert.fail(`picture ${number}`), exact: true });

const getShown = (viewer: Locator): Locator => viewer.locator('[data-shown]').getByRole('img');
const waitForPicture = (viewer: Locator): Promise<void> =>
  getShown(viewer).evaluate((image) => (image instanceof HTMLImageElement ? image.decode() : undefined));

/** The shown picture: how it is scaled, and where its centre is. */
const readShown = (viewer: Locator) =>
  getShown(viewer).evaluate(async (image) => {
    await Promise.all(image.getAnimations().map(({ finished }) => finished));
    const { a, e, f } = new DOMMatrix(getComputedStyle(image).transform);
    return { scale: a, x: e, y: f };
  });

async function waitForScale(viewer: Locator, isWanted: (scale: number) => boolean): Promise<void> {
  for (let tries = 0; tries < 200; tries += 1) {
    const { scale } = await readShown(viewer);
    if (isWanted(scale)) return;
  }
  assert.fail(`scale ${(await readShown(viewer)).scale}`);
}

async function openViewer(page: Page, number = 1): Promise<Locator> {
  await getLink(page, number).click();
  const viewer = getViewer(page);
  await viewer.waitFor();
  await waitForPicture(viewer);
  return viewer;
}

test('[PROD-12] opens by Enter, turns by arrow keys, and returns the focus', async () => {
  const { page, close } = await openPage(shop, { width: 1440, height: 900, reducedMotion: true });
  await page.goto(PHONE);
  await getLink(page, 1).focus();
  await page.keyboard.press('Enter');
  const viewer = getViewer(page);
  await viewer.getByText('1 of 6', { exact: true }).waitFor();
  const box = await viewer.boundingBox();
  assert.deepEqual([box?.width, box?.height], [1440, 900]);
  await page.keyboard.press('ArrowRight');
  await viewer.getByText('2 of 6', { exact: true }).waitFor();
  await page.keyboard.press('End');
  await viewer.getByText('6 of 6', { exact: true }).waitFor();
  await page.keyboard.press('ArrowRight');
  await viewer.getByText('6 of 6', { exact: true }).waitFor();
  await viewer.getByRole('button', { name: 'Show picture 1' }).click();
  await viewer.getByText('1 of 6', { exact: true }).waitFor();
  await viewer.getByRole('button', { name: 'Next picture' }).click();
  await viewer.getByText('2 of 6', { exact: true }).waitFor();
  assert.equal(await viewer.getByRole('img', { name: ALTS[1] ?? '' }).count(), 1);
  await page.keyboard.press('Escape');
  await viewer.waitFor({ state: 'detached' });
  // The gallery shows what was seen last.
  assert.ok(await getLink(page, 2).evaluate((link) => link === document.activeElement));
  await page.getByRole('link', { name: 'Show picture 2' }).and(page.locator('[aria-current]')).waitFor();
  await close();
});

test('[PROD-12] [LAY-19] the viewer has names, contrast and large targets at every width', async () => {
  const { page, close } = await openPage(shop, { width: 390, height: 844, reducedMotion: true });
  await page.goto(PHONE);
  for (const width of [390, 1440]) {
    await resize(page, width, 844);
    const viewer = await openViewer(page);
    await saveScreenshots(page, `viewer-${width}`);
    await assertAccessibleInBothSchemes(page);
    for (const button of await viewer.getByRole('button').filter({ visible: true }).all()) {
      const size = await button.boundingBox();
      assert.ok(size && size.width >= 44 && size.height >= 44, await button.innerText());
    }
    // Tab stays among the buttons.
    for (let presses = 0; presses < 12; presses += 1) {
      await page.keyboard.press('Tab');
      assert.ok(await page.evaluate(() => document.activeElement?.matches('body, dialog, dialog *')));
    }
    await viewer.getByRole('button', { name: 'Close' }).click();
    await viewer.waitFor({ state: 'detached' });
  }
  await page.evaluate(() => {
    document.documentElement.style.fontSize = '32px';
  });
  const large = await openViewer(page);
  for (const name of ['Zoom in', 'Close', 'Show picture 6']) {
    const box = await large.getByRole('button', { name }).boundingBox();
    assert.ok(box && box.x >= 0 && box.x + box.width <= 1440 && box.y + box.height <= 844, name);
  }
  await close();
});

test('[PROD-12] zooms at a click and a double click, by wheel with Ctrl, keys and button', async () => {
  const { page, close } = await openPage(shop, { width: 1440, height: 900, reducedMotion: true });
  await page.goto(PHONE);
  const viewer = await openViewer(page);
  await page.mouse.dblclick(620, 500);
  await waitForScale(viewer, (scale) => scale === 2.5);
  const zoomed = await readShown(viewer);
  assert.ok(zoomed.x > 0, 'towards the point');
  // A zoomed picture is dragged, and stays.
  await page.mouse.move(700, 450);
  await page.mouse.down();
  await page.mouse.move(680, 460, { steps: 4 });
  await page.mouse.up();
  const dragged = await readShown(viewer);
  assert.ok(dragged.x < zoomed.x && dragged.scale === 2.5);
  await viewer.getByText('1 of 6', { exact: true }).waitFor();
  await page.mouse.dblclick(700, 450);
  await waitForScale(viewer, (scale) => scale === 1);

  await page.mouse.click(620, 500);
  await waitForScale(viewer, (scale) => scale === 2.5);
  await page.mouse.click(620, 500);
  await waitForScale(viewer, (scale) => scale === 1);

  const ratio = await page.evaluate(() => window.devicePixelRatio);
  await page.keyboard.down('Control');
  await page.mouse.wheel(0, -200);
  await page.keyboard.up('Control');
  await waitForScale(viewer, (scale) => scale > 1);
  // The page itself is not zoomed.
  assert.equal(await page.evaluate(() => window.devicePixelRatio), ratio);
  await page.keyboard.press('0');
  await waitForScale(viewer, (scale) => scale === 1);
  await page.keyboard.press('+');
  await waitForScale(viewer, (scale) => scale === 1.5);
  await viewer.getByRole('button', { name: 'Zoom out' }).click();
  await waitForScale(viewer, (scale) => scale === 1);
  await viewer.getByRole('button', { name: 'Zoom in' }).waitFor();
  await close();
});

test('[PROD-12] two fingers pinch, one swipes, and a drag down closes', async () => {
  const { page, context, close } = await openPage(shop, {
    width: 390,
    height: 844,
    hasTouch: true,
    reducedMotion: true,
  });
  await page.goto(PHONE);
  const viewer = await openViewer(page);
  const devTools = await context.newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...at: readonly (readonly [number, number])[]) =>
    devTools.send('Input.dispatchTouchEvent', { type, touchPoints: at.map(([x, y], id) => ({ x, y, id })) });
  await touch('touchStart', [170, 400], [220, 400]);
  await touch('touchMove', [120, 400], [270, 400]);
  await touch('touchEnd');
  await waitForScale(viewer, (scale) => scale > 2.5 && scale <= 3);
  // On a busy machine two taps may come too late for a double tap.
  for (let tries = 0; tries < 20 && (await readShown(viewer)).scale > 1; tries += 1) {
    await page.touchscreen.tap(195, 420);
    await page.touchscreen.tap(195, 420);
  }
  assert.equal((await readShown(viewer)).scale, 1);
  await touch('touchStart', [320, 400]);
  await touch('touchMove', [200, 402]);
  await touch('touchMove', [100, 404]);
  await touch('touchEnd');
  await viewer.getByText('2 of 6', { exact: true }).waitFor();
  await touch('touchStart', [200, 300]);
  await touch('touchMove', [202, 400]);
  await touch('touchMove', [204, 520]);
  await touch('touchEnd');
  await viewer.waitFor({ state: 'detached' });
  await close();
});

test('[PROD-12] says that a picture could not be loaded, and loads it again', async () => {
  const { page, close } = await openPage(shop, { width: 1440, height: 900, expectedStatuses: [404] });
  await page.route('**/iphone-17-pro/*.avif', (route) => route.fulfill({ status: 404 }));
  await page.goto(PHONE);
  await getLink(page, 1).click();
  const alert = getViewer(page).getByRole('alert').first();
  await alert.getByText('The picture could not be loaded.').waitFor();
  await page.keyboard.press('+');
  await page.unroute('**/iphone-17-pro/*.avif');
  await alert.getByRole('button', { name: 'Try again' }).click();
  await waitForPicture(getViewer(page));
  // The button that had the focus is no longer there.
  await page.keyboard.press('+');
  await waitForScale(getViewer(page), (scale) => scale === 1.5);
  await close();
});

test('[PROD-12] the page behind the viewer does not scroll', async () => {
  const { page, close } = await openPage(shop, { width: 1440, height: 900, reducedMotion: true });
  await page.goto(PHONE);
  const viewer = await openViewer(page);
  const scrolled = await page.evaluate(() => scrollY);
  await page.mouse.move(720, 450);
  await page.mouse.wheel(0, 400);
  // Zooms once the wheel before it was handled.
  await page.keyboard.press('+');
  await waitForScale(viewer, (scale) => scale === 1.5);
  assert.equal(await page.evaluate(() => scrollY), scrolled);
  await close();
});

test('[PROD-12] thumbnails keep their size, and the row follows the picture', async () => {
  const { page, close } = await openPage(shop, { width: 160, height: 844, reducedMotion: true });
  await page.goto(PHONE);
  const viewer = await openViewer(page);
  await page.keyboard.press('End');
  const last = viewer.getByRole('button', { name: 'Show picture 6' });
  await last.and(page.locator('[aria-current]')).waitFor();
  const box = await last.boundingBox();
  assert.ok(box && box.width >= 44 && box.x >= 0 && box.x + box.width <= 160, JSON.stringify(box));
  await close();
});

test('[PROD-12] shows the picture of the page until a larger file is loaded', async () => {
  const { page, close } = await openPage(shop, { width: 1100, height: 900 });
  const { promise: isAllowed, resolve: allow } = Promise.withResolvers<undefined>();
  await page.route('**/iphone-17-pro/back.avif', async (route) => {
    await isAllowed;
    await route.continue();
  });
  await page.goto(PHONE);
  await getLink(page, 1).click();
  const viewer = getViewer(page);
  await viewer.getByRole('status').filter({ hasText: 'Loading picture' }).first().waitFor();
  const small = viewer.locator('[data-shown] img[alt=""]');
  await small.evaluate((image) => (image instanceof HTMLImageElement ? image.decode() : undefined));
  assert.match(
    await small.evaluate((image) => (image instanceof HTMLImageElement ? image.currentSrc : '')),
    /-640\.avif$/,
  );
  allow(undefined);
  await small.waitFor({ state: 'detached' });
  await waitForPicture(viewer);
  await close();
});

test('[PROD-12] without JavaScript a picture links its largest file', async () => {
  const { page, close } = await openPage(shop, { javaScript: false });
  await page.goto(PHONE);
  const path = await getLink(page, 1).getAttribute('href');
  assert.equal(path, '/api/images/products/iphone-17-pro/back.avif');
  const response = await fetch(`${shop.url}${path}`);
  assert.equal(response.headers.get('content-type'), 'image/avif');
  await close();
});
