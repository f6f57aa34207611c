/** Each page of the shop, in each state, without a mouse. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openPage } from '../support/browser.ts';
import { openPageFixture, PAGE_FIXTURES } from '../support/pages/page-fixtures.ts';
import { walkByTab } from '../support/pages/walk-by-tab.ts';
import { startTestShop } from '../support/shop.ts';
import type { TestShop } from '../support/shop.ts';

const SIZES = [
  { width: 390, height: 844 },
  { width: 1440, height: 900 },
];

let shop: TestShop;
before(async () => {
  shop = await startTestShop();
});
after(() => shop.stop());

for (const scene of PAGE_FIXTURES) {
  test(`works by keyboard: ${scene.name}`, async () => {
    const { page, close } = await openPage(shop, {
      reducedMotion: true,
      expectedStatuses: scene.status ? [scene.status] : [],
    });
    const path = await scene.prepare?.(shop, page);
    const faults: string[] = [];
    for (const size of SIZES) {
      await page.setViewportSize(size);
      await openPageFixture(page, scene, path);
      const walk = await walkByTab(page);
      faults.push(...walk.faults.map((fault) => `${size.width} px: ${fault}`));
      assert.equal(walk.names[0], 'a "Skip to content"');
    }
    assert.deepEqual(faults, []);
    await close();
  });
}

test('the first Tab offers a link that skips the header', async () => {
  const { page, close } = await openPage(shop);
  for (const { width, height } of SIZES) {
    await page.setViewportSize({ width, height });
    await page.goto('/catalog');
    await page.keyboard.press('Tab');
    const skip = page.getByRole('link', { name: 'Skip to content' });
    const box = await skip.boundingBox();
    assert.ok(box && box.x >= 0 && box.y >= 0 && box.height >= 44, 'it can be seen');
    await page.keyboard.press('Enter');
    // Navigation does not count as part of the walk.
    await page.waitForFunction(() => document.activeElement?.id === 'main');
    await page.keyboard.press('Tab');
    assert.ok(await page.evaluate(() => document.activeElement?.closest('main') !== null), 'the focus is in the page');
  }
  await close();
});
