/** Accessibility of every page in every state. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import routes from '#src/routes.ts';
import { assertAccessible } from '../support/axe.ts';
import { openPage } from '../support/browser.ts';
import { openPageFixture, PAGE_FIXTURES } from '../support/pages/page-fixtures.ts';
import { findLongAnimations, findSmallTargets, findStructureProblems } from '../support/pages/measure.ts';
import { startTestShop } from '../support/shop.ts';
import type { TestShop } from '../support/shop.ts';

const SIZES = [
  { width: 390, height: 844 },
  { width: 1440, height: 900 },
];
/** The other axe rules see the same document in both schemes. */
const RULES_OF_COLOURS = ['color-contrast', 'link-in-text-block'];

let shop: TestShop;
before(async () => {
  shop = await startTestShop();
});
after(() => shop.stop());

test('every route has a page fixture', () => {
  const urls = routes.map(({ path }) => `/${path ?? ''}`);
  assert.deepEqual(new Set(PAGE_FIXTURES.map(({ route }) => route)), new Set(urls));
});

for (const scene of PAGE_FIXTURES) {
  test(`is accessible: ${scene.name}`, async () => {
    const { page, close } = await openPage(shop, { expectedStatuses: scene.status ? [scene.status] : [] });
    const path = await scene.prepare?.(shop, page);
    await openPageFixture(page, scene, path);
    const faults: string[] = [];
    await page.emulateMedia({ reducedMotion: 'reduce' });
    for (const size of SIZES) {
      await page.setViewportSize(size);
      // Fixed elements get their new position in the next frames.
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
      const where = (fault: string): string => `${size.width} px: ${fault}`;
      faults.push(...(await page.evaluate(findStructureProblems)).map(where));
      faults.push(...(await page.evaluate(findSmallTargets)).map(where));
      faults.push(...(await page.evaluate(findLongAnimations)).map((one) => where(`moves: ${one}`)));
      await page.emulateMedia({ colorScheme: 'light' });
      await assertAccessible(page);
      await page.emulateMedia({ colorScheme: 'dark' });
      await assertAccessible(page, RULES_OF_COLOURS);
    }
    assert.deepEqual(faults, []);
    await close();
  });
}
