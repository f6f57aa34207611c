/** Each page of the shop, in each state, in every width and with large letters. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openPage } from '../support/browser.ts';
import { openPageFixture, PAGE_FIXTURES } from '../support/pages/page-fixtures.ts';
import { watchLayoutShifts } from '../support/pages/layout-shift.ts';
import { findOverflow, findTextProblems } from '../support/pages/measure.ts';
import { startTestShop } from '../support/shop.ts';
import type { TestShop } from '../support/shop.ts';

const WIDTHS = [320, 390, 767, 768, 991, 992, 1199, 1200, 1440];
const HEIGHT = 900;
/** Below the noticeable threshold. */
const GREATEST_SHIFT = 0.01;

let shop: TestShop;
before(async () => {
  shop = await startTestShop();
});
after(() => shop.stop());

for (const scene of PAGE_FIXTURES) {
  test(`has no layout shift: ${scene.name}`, async () => {
    const { page, close } = await openPage(shop, { expectedStatuses: scene.status ? [scene.status] : [] });
    const path = await scene.prepare?.(shop, page);
    const shiftsOf = await watchLayoutShifts(page);
    const faults: string[] = [];
    for (const width of [390, 1440]) {
      await page.setViewportSize({ width, height: HEIGHT });
      await openPageFixture(page, scene, path);
      const shifts = await shiftsOf();
      const total = shifts.reduce((sum, { value }) => sum + value, 0);
      if (total > GREATEST_SHIFT) faults.push(`${width} px, moved by itself: ${JSON.stringify(shifts)}`);
    }
    const measure = async (width: number, letters: string) => {
      await page.setViewportSize({ width, height: HEIGHT });
      const found = [...(await page.evaluate(findOverflow)), ...(await page.evaluate(findTextProblems))];
      faults.push(...found.map((fault) => `${width} px${letters}: ${fault}`));
    };
    for (const width of WIDTHS) await measure(width, '');
    // With the browser's font size doubled.
    await page.evaluate(() => {
      document.documentElement.style.fontSize = '32px';
    });
    for (const width of [320, 390, 768, 1440]) await measure(width, ', large letters');
    assert.deepEqual(faults, []);
    await close();
  });
}

test('[HOME-01] the headline never breaks inside a word', async () => {
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
