/**
 * Each page of the shop, in each state, at two widths: layout, barriers, and use by keyboard alone. One visit serves all
 * three, since arranging a state costs more than any of them.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from '@playwright/test';
import routes from '#src/routes.ts';
import { assertAccessible } from '../support/axe.ts';
import { openPage } from '../support/browser.ts';
import { openScene, SCENES } from '../support/pages/every-page.ts';
import { watchLayoutShifts } from '../support/pages/layout-shift.ts';
import {
  longAnimations,
  sidewaysOverflow,
  smallTargets,
  structureFaults,
  textFaults,
} from '../support/pages/measure.ts';
import { walkByTab } from '../support/pages/walk-by-tab.ts';
import { startTestShop } from '../support/shop.ts';
import type { TestShop } from '../support/shop.ts';

const SIZES = [
  { width: 390, height: 844 },
  { width: 1440, height: 900 },
];
const WIDTHS = [320, 390, 767, 768, 991, 992, 1199, 1200, 1440];
const HEIGHT = 900;
/** Nobody notices less. */
const GREATEST_SHIFT = 0.01;
/** The rest of axe's rules looks at the same document in both schemes. */
const RULES_OF_COLOURS = ['color-contrast', 'link-in-text-block'];

let shop: TestShop;
before(async () => {
  shop = await startTestShop();
});
after(() => shop.stop());

/** Semantics, target sizes, motion and axe's rules in both colour schemes. */
async function barriersOf(page: Page): Promise<string[]> {
  // What is fixed to the window finds its new place with the next frames.
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  const faults = [...(await page.evaluate(structureFaults)), ...(await page.evaluate(smallTargets))];
  faults.push(...(await page.evaluate(longAnimations)).map((one) => `moves: ${one}`));
  await page.emulateMedia({ colorScheme: 'light' });
  await assertAccessible(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  await assertAccessible(page, RULES_OF_COLOURS);
  await page.emulateMedia({ colorScheme: 'light' });
  return faults;
}

/** Texts that are cut off, overlap or stick out, at every breakpoint and with letters of twice the size. */
async function overflowsOf(page: Page): Promise<string[]> {
  const faults: string[] = [];
  const measure = async (width: number, letters: string): Promise<void> => {
    await page.setViewportSize({ width, height: HEIGHT });
    const found = [...(await page.evaluate(sidewaysOverflow)), ...(await page.evaluate(textFaults))];
    faults.push(...found.map((fault) => `${width} px${letters}: ${fault}`));
  };
  for (const width of WIDTHS) await measure(width, '');
  await page.evaluate(() => {
    document.documentElement.style.fontSize = '32px';
  });
  for (const width of [320, 390, 768, 1440]) await measure(width, ', large letters');
  return faults;
}

test('every page of the shop is among those that are tested here', () => {
  const urls = routes.map(({ path }) => `/${path ?? ''}`);
  assert.deepEqual(new Set(SCENES.map(({ route }) => route)), new Set(urls));
});

for (const scene of SCENES) {
  test(`page: ${scene.name}`, async (t) => {
    const { page, close } = await openPage(shop, { expectedStatuses: scene.status ? [scene.status] : [] });
    const path = await scene.arrange?.(shop, page);
    const shiftsOf = await watchLayoutShifts(page);
    for (const size of SIZES) {
      await page.emulateMedia({ reducedMotion: 'no-preference' });
      await page.setViewportSize(size);
      await openScene(page, scene, path);
      await t.test(`nothing moves by itself at ${size.width} px: ${scene.name}`, async () => {
        const shifts = await shiftsOf();
        const total = shifts.reduce((sum, { value }) => sum + value, 0);
        assert.ok(total <= GREATEST_SHIFT, JSON.stringify(shifts));
      });
      await page.emulateMedia({ reducedMotion: 'reduce' });
      await t.test(`no barriers at ${size.width} px: ${scene.name}`, async () => {
        assert.deepEqual(await barriersOf(page), []);
      });
      await t.test(`by keyboard alone at ${size.width} px: ${scene.name}`, async () => {
        const { names, faults } = await walkByTab(page);
        assert.deepEqual(faults, []);
        assert.equal(names[0], 'a "Skip to content"');
      });
    }
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    await t.test(`texts stay in their place at every width: ${scene.name}`, async () => {
      assert.deepEqual(await overflowsOf(page), []);
    });
    await close();
  });
}

test('the first press of Tab offers to skip the header, and Enter does so', async () => {
  const { page, close } = await openPage(shop);
  for (const { width, height } of SIZES) {
    await page.setViewportSize({ width, height });
    await page.goto('/catalog');
    await page.keyboard.press('Tab');
    const skip = page.getByRole('link', { name: 'Skip to content' });
    const box = await skip.boundingBox();
    assert.ok(box && box.x >= 0 && box.y >= 0 && box.height >= 44, 'it can be seen');
    await page.keyboard.press('Enter');
    // The way there is a navigation of its own.
    await page.waitForFunction(() => document.activeElement?.id === 'main');
    await page.keyboard.press('Tab');
    assert.ok(await page.evaluate(() => document.activeElement?.closest('main') !== null), 'the focus is in the page');
  }
  await close();
});

test('[HOME-01] the longest word of the headline stays whole, however large the letters and narrow the screen', async () => {
  const { page, close } = await openPage(shop);
  await page.goto('/');
  const headline = page.getByRole('heading', { level: 1, name: 'Buy out gadgets with cryptocurrency', exact: true });
  for (const letters of ['16px', '24px', '32px']) {
    await page.evaluate((size) => {
      document.documentElement.style.fontSize = size;
    }, letters);
    for (const width of [320, 360, 390, 600, 768, 900, 1024, 1440]) {
      await page.setViewportSize({ width, height: 844 });
      const lines = await headline.evaluate((title) => {
        const word = document.createRange();
        const text = title.firstChild;
        const start = text?.textContent?.indexOf('cryptocurrency') ?? -1;
        if (!text || start < 0) return 0;
        word.setStart(text, start);
        word.setEnd(text, start + 'cryptocurrency'.length);
        return word.getClientRects().length;
      });
      assert.equal(lines, 1, `${width} px, ${letters}`);
    }
  }
  await close();
});
