/** The phone of the hero, which visitors turn. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Locator, Page } from '@playwright/test';
import '../support/built-pages.ts';
import { assertAccessibleInBothSchemes } from '../support/axe.ts';
import { openPage } from '../support/browser.ts';
import { watchLayoutShifts } from '../support/pages/layout-shift.ts';
import { saveScreenshots } from '../support/screenshots.ts';
import { shareTestShop } from '../support/shared-shop.ts';
import type { TestShop } from '../support/shop.ts';
import { resize } from '../support/pages/frames.ts';

const PHONE = { width: 390, height: 844 };
const FRAMES = '**/hero-turn/*.avif';

let shop: TestShop;
before(async () => {
  shop = await shareTestShop();
});

const getSlider = (page: Page): Locator => page.getByRole('slider', { name: 'Turn the iPhone', exact: true });
const getStill = (page: Page): Locator => page.getByRole('img', { name: 'A laptop, an iPhone Air and a gold bitcoin' });
const getCanvas = (page: Page): Locator => page.locator('#main canvas, main canvas').first();
const waitForAngle = (page: Page, text: string): Promise<void> =>
  getSlider(page)
    .and(page.locator(`[aria-valuetext="${text}"]`))
    .waitFor();
const readDegrees = async (page: Page): Promise<number> => Number(await getSlider(page).getAttribute('aria-valuenow'));

/** Requests of frames and of the code that turns, so far. */
function watchRequests(page: Page): () => readonly string[] {
  const urls: string[] = [];
  page.on('request', (request) => urls.push(request.url()));
  return () => urls.filter((url) => /hero-turn|turn-device/.test(url));
}

async function findMiddle(page: Page): Promise<readonly [x: number, y: number]> {
  await getSlider(page).scrollIntoViewIfNeeded();
  const box = await getSlider(page).boundingBox();
  assert.ok(box);
  return [box.x + box.width / 2, box.y + box.height / 2];
}

/** Mean differences (0 to 255) of the canvas and the still picture at the edge of the region, in it, and their sum outside. */
const compareWithStill = (page: Page) =>
  getCanvas(page).evaluate((canvas) => {
    const still = document.querySelector('[aria-labelledby="hero-title"] img');
    if (!(canvas instanceof HTMLCanvasElement) || !(still instanceof HTMLImageElement)) throw new Error('no picture');
    const side = canvas.width;
    const other = document.createElement('canvas');
    other.width = side;
    other.height = side;
    other.getContext('2d')?.drawImage(still, 0, 0, side, side);
    const part = side / 80;
    const [x, y, width, height] = [49 * part, 29 * part, 30 * part, 45 * part];
    const read = (from: HTMLCanvasElement) => from.getContext('2d')?.getImageData(0, 0, side, side).data ?? [];
    const [shown, expected] = [read(canvas), read(other)];
    const sums = { edge: 0, edgePixels: 0, outside: 0, inside: 0 };
    for (let at = 0; at < side * side; at += 1) {
      const [column, row] = [(at % side) - x, Math.floor(at / side) - y];
      const isInside = column >= 0 && row >= 0 && column < width && row < height;
      const isEdge = isInside && (column < 1 || row < 1 || column >= width - 1 || row >= height - 1);
      // Alpha-weighted, since colours without alpha are not shown.
      const difference = [0, 1, 2].reduce((sum, channel) => {
        const weigh = (data: ArrayLike<number>) => ((data[at * 4 + channel] ?? 0) * (data[at * 4 + 3] ?? 0)) / 255;
        return sum + Math.abs(weigh(shown) - weigh(expected)) / 3;
      }, 0);
      if (isEdge) {
        sums.edge += difference;
        sums.edgePixels += 1;
      } else if (isInside) sums.inside += difference;
      else sums.outside += difference;
    }
    return { edge: sums.edge / sums.edgePixels, outside: sums.outside, inside: sums.inside / (width * height) };
  });

test('[HOME-11] loads nothing before it is used, and turns by drag without following the link', async () => {
  const { page, close } = await openPage(shop, { width: 1440, height: 900 });
  const shifts = await watchLayoutShifts(page);
  const listRequests = watchRequests(page);
  await page.goto('/');
  await getSlider(page).hover();
  assert.deepEqual(listRequests(), []);
  await getSlider(page).getByText('Drag to turn').waitFor();
  const [x, y] = await findMiddle(page);
  await page.mouse.down();
  await page.mouse.move(x + 84, y, { steps: 4 });
  // Rests before the release, so that it does not glide on.
  await page.waitForFunction(() => document.querySelector('[role="slider"][aria-valuetext="back"]') === null);
  const turned = await readDegrees(page);
  assert.ok(turned > 45 && turned < 135, `${turned}`);
  assert.equal(listRequests().filter((url) => url.endsWith('.avif')).length, 23);
  await page.mouse.move(x, y, { steps: 4 });
  await waitForAngle(page, 'back');
  assert.ok(await getCanvas(page).isHidden());
  await page.mouse.move(x - 28, y, { steps: 4 });
  assert.ok((await readDegrees(page)) > 270);
  await page.mouse.up();
  assert.equal(new URL(page.url()).pathname, '/');
  assert.deepEqual(await shifts(), []);
  // The rest of the picture still leads to the product.
  await getStill(page).click({ position: { x: 100, y: 300 } });
  await page.waitForURL('**/catalog/product/iphone-air');
  await close();
});

test('[HOME-11] arrow keys, Home and End turn the phone, and only it differs', async () => {
  const { page, close } = await openPage(shop, { width: 1440, height: 900 });
  await page.goto('/');
  await getSlider(page).focus();
  const scrolled = await page.evaluate(() => scrollY);
  await page.keyboard.press('ArrowRight');
  await waitForAngle(page, '15 degrees');
  const { edge, outside, inside } = await compareWithStill(page);
  assert.equal(outside, 0);
  assert.ok(edge < 2.5 && inside > 3, `edge ${edge}, inside ${inside}`);
  for (const [key, angle] of [
    ['ArrowLeft', 'back'],
    ['ArrowDown', '345 degrees'],
    ['ArrowUp', 'back'],
    ['End', '345 degrees'],
    ['Home', 'back'],
    ['PageUp', '45 degrees'],
  ] as const) {
    await page.keyboard.press(key);
    await waitForAngle(page, angle);
  }
  for (let presses = 0; presses < 3; presses += 1) await page.keyboard.press('PageUp');
  await waitForAngle(page, 'front');
  assert.equal(await page.evaluate(() => scrollY), scrolled);
  assert.equal(await getStill(page).count(), 1);
  await close();
});

test('[HOME-11] a press turns by 45 degrees', async () => {
  const { page, close } = await openPage(shop, { width: 1440, height: 900 });
  await page.goto('/');
  await getSlider(page).click();
  await waitForAngle(page, '45 degrees');
  assert.equal(new URL(page.url()).pathname, '/');
  await close();
});

test('[HOME-11] a finger turns the phone, and scrolls the page upwards without loading frames', async () => {
  const { page, context, close } = await openPage(shop, { ...PHONE, hasTouch: true });
  const listRequests = watchRequests(page);
  await page.goto('/');
  const [x, y] = await findMiddle(page);
  const devTools = await context.newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...at: readonly (readonly [number, number])[]) =>
    devTools.send('Input.dispatchTouchEvent', { type, touchPoints: at.map((point) => ({ x: point[0], y: point[1] })) });
  const top = await page.evaluate(() => scrollY);
  await touch('touchStart', [x, y]);
  for (const way of [20, 60, 120, 200]) await touch('touchMove', [x, y - way]);
  await touch('touchEnd');
  await page.waitForFunction((from) => scrollY > from + 50, top);
  assert.deepEqual(
    listRequests().filter((url) => url.endsWith('.avif')),
    [],
  );
  const [left, middle] = await findMiddle(page);
  await touch('touchStart', [left, middle]);
  for (const way of [10, 30, 60]) await touch('touchMove', [left - way, middle + 2]);
  await page.waitForFunction(() => document.querySelector('[role="slider"][aria-valuetext="back"]') === null);
  await touch('touchEnd');
  assert.ok((await readDegrees(page)) > 180);
  await close();
});

test('[HOME-11] under reduced motion it steps by use only and does not glide', async () => {
  const { page, close } = await openPage(shop, { width: 1440, height: 900, reducedMotion: true });
  const listRequests = watchRequests(page);
  await page.goto('/');
  assert.deepEqual(listRequests(), []);
  await getSlider(page).press('ArrowRight');
  await waitForAngle(page, '15 degrees');
  const [x, y] = await findMiddle(page);
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 60, y);
  const released = await readDegrees(page);
  await page.mouse.up();
  // Two frames of the window, in which it would have moved.
  await page.evaluate(
    () =>
      new Promise((resolve) => {
        requestAnimationFrame(() => requestAnimationFrame(resolve));
      }),
  );
  assert.equal(await readDegrees(page), released);
  await close();
});

test('[HOME-11] says that the frames failed, keeps the picture, and loads them again', async () => {
  const { page, close } = await openPage(shop, { width: 1440, height: 900, expectedStatuses: [404] });
  await page.route('**/hero-turn/07.avif', (route) => route.fulfill({ status: 404 }));
  await page.goto('/');
  await getSlider(page).press('End');
  const alert = page.getByRole('alert').filter({ hasText: 'The other views could not be loaded.' });
  await alert.waitFor();
  await saveScreenshots(page, 'turning-failed');
  await assertAccessibleInBothSchemes(page);
  assert.ok(await getCanvas(page).isHidden());
  assert.equal(await readDegrees(page), 0);
  await page.unroute('**/hero-turn/07.avif');
  await alert.getByRole('button', { name: 'Try again' }).click();
  await alert.waitFor({ state: 'detached' });
  await page.keyboard.press('End');
  await waitForAngle(page, '345 degrees');
  await close();
});

test('[HOME-11] loads its code again if that failed', async () => {
  const { page, close } = await openPage(shop, { width: 1440, height: 900, expectedStatuses: [404] });
  await page.route('**/turn-device-*.js', (route) => route.fulfill({ status: 404 }));
  await page.goto('/');
  await getSlider(page).press('End');
  const alert = page.getByRole('alert').filter({ hasText: 'The other views could not be loaded.' });
  await alert.waitFor();
  await page.unroute('**/turn-device-*.js');
  await alert.getByRole('button', { name: 'Try again' }).click();
  await alert.waitFor({ state: 'detached' });
  await getSlider(page).press('End');
  await waitForAngle(page, '345 degrees');
  await close();
});

test('[HOME-11] shows how much is loaded, and turns as far as was asked', async () => {
  const { page, close } = await openPage(shop, { width: 1440, height: 900 });
  const { promise: isAllowed, resolve: allow } = Promise.withResolvers<undefined>();
  await page.route(FRAMES, async (route) => {
    await isAllowed;
    await route.continue();
  });
  await page.goto('/');
  await getSlider(page).press('ArrowRight');
  await getSlider(page).getByText('Loading… 0%').waitFor();
  await page.keyboard.press('ArrowRight');
  assert.equal(await readDegrees(page), 0);
  allow(undefined);
  await waitForAngle(page, '30 degrees');
  await getSlider(page).getByText('Drag to turn').waitFor();
  await close();
});

test('[HOME-11] [LAY-19] the slider is accessible and fits at every width', async () => {
  const { page, close } = await openPage(shop, { ...PHONE, reducedMotion: true });
  await page.goto('/');
  for (const width of [390, 1440]) {
    await resize(page, width, 900);
    await getSlider(page).press('Home');
    for (const angle of ['45 degrees', '90 degrees']) {
      await page.keyboard.press('PageUp');
      await waitForAngle(page, angle);
    }
    await saveScreenshots(page, 'turning');
    await assertAccessibleInBothSchemes(page);
    const box = await getSlider(page).getByText('Drag to turn').boundingBox();
    assert.ok(box && box.x >= 0 && box.x + box.width <= width);
  }
  await close();
});

test('[HOME-11] without JavaScript there is only the picture', async () => {
  const { page, close } = await openPage(shop, { ...PHONE, javaScript: false });
  await page.goto('/');
  await getStill(page).waitFor();
  assert.equal(await page.getByRole('slider').count(), 0);
  assert.equal(await page.getByText('Drag to turn').count(), 0);
  await close();
});
