/** Pages that need no preparation. every-prepared-page.test.ts and every-staff-page.test.ts have the others. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openPage } from '../support/browser.ts';
import { PAGE_FIXTURES } from '../support/pages/page-fixtures.ts';
import { SIZES, testPages } from '../support/pages/test-pages.ts';
import { resize } from '../support/pages/frames.ts';

const shop = testPages(PAGE_FIXTURES.filter(({ prepare }) => prepare === undefined));

test('Tab focuses the skip link first, and Enter follows it', async () => {
  const { page, close } = await openPage(shop());
  for (const { width, height } of SIZES) {
    await resize(page, width, height);
    await page.goto('/catalog');
    await page.keyboard.press('Tab');
    const skip = page.getByRole('link', { name: 'Skip to content' });
    const box = await skip.boundingBox();
    assert.ok(box && box.x >= 0 && box.y >= 0 && box.height >= 44, 'it can be seen');
    await page.keyboard.press('Enter');
    // Opening the page is a separate navigation.
    await page.waitForFunction(() => document.activeElement?.id === 'main');
    await page.keyboard.press('Tab');
    assert.ok(await page.evaluate(() => document.activeElement?.closest('main') !== null), 'the focus is in the page');
  }
  await close();
});

test('[HOME-01] [LAY-19] the longest word of the headline never breaks', async () => {
  const { page, close } = await openPage(shop());
  await page.goto('/');
  const headline = page.getByRole('heading', { level: 1, name: 'Buy out gadgets with cryptocurrency', exact: true });
  for (const [letters, spacing] of [
    ['16px', ''],
    ['24px', ''],
    ['32px', ''],
    // The text spacing of WCAG 1.4.12.
    ['16px', '0.12em'],
  ] as const) {
    await page.evaluate((size) => {
      document.documentElement.style.fontSize = size;
    }, letters);
    await headline.evaluate((title, text) => {
      title.style.setProperty('letter-spacing', text, 'important');
    }, spacing);
    for (const width of [320, 360, 390, 600, 768, 900, 1024, 1440]) {
      await resize(page, width, 844);
      const lines = await headline.evaluate((title) => {
        const word = document.createRange();
        const text = title.firstChild;
        const start = text?.textContent?.indexOf('cryptocurrency') ?? -1;
        if (!text || start < 0) return 0;
        word.setStart(text, start);
        word.setEnd(text, start + 'cryptocurrency'.length);
        return word.getClientRects().length;
      });
      assert.equal(lines, 1, `${width} px, ${letters} ${spacing}`);
    }
  }
  await close();
});

test('[LAY-19] the chosen option and the current page have an outline with forced colours', async () => {
  const { page, close } = await openPage(shop());
  await page.emulateMedia({ forcedColors: 'active' });
  await page.goto('/catalog/product/iphone-17-pro');
  const listOutlined = (selector: string): Promise<readonly string[]> =>
    page
      .locator(selector)
      .evaluateAll((all) =>
        all.filter((one) => getComputedStyle(one).outlineStyle === 'solid').map((one) => one.textContent),
      );
  const options = 'main fieldset label:has(input[type="radio"])';
  const first = await listOutlined(options);
  await page.getByText('1TB').click();
  const second = await listOutlined(options);
  assert.equal(first.length, second.length);
  assert.ok(!first.some((text) => text.includes('1TB')));
  assert.ok(second.some((text) => text.includes('1TB')));
  await close();
});
