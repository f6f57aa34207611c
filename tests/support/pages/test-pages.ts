/**
 * Tests layout, accessibility and keyboard use of page fixtures at two widths, then a translation by the browser. All share
 * a preparation, which is slow.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from '@playwright/test';
import { assertAccessible } from '../axe.ts';
import { openPage } from '../browser.ts';
import { startTestShop } from '../shop.ts';
import type { TestShop } from '../shop.ts';
import { changeWhileTranslated, REFUSALS } from './change-while-translated.ts';
import { openPageFixture } from './page-fixtures.ts';
import type { PageFixture } from './page-fixture.ts';
import { watchLayoutShifts } from './layout-shift.ts';
import {
  findBrokenWords,
  findLongAnimations,
  findOverflow,
  findSmallTargets,
  findStructureProblems,
  findTextProblems,
  setTextSpacing,
} from './measure.ts';
import { walkByTab } from './walk-by-tab.ts';
import { resize, waitForFrames } from './frames.ts';

/** Each colour scheme is tested at one width, since colours rarely depend on the width. */
export const SIZES = [
  { width: 390, height: 844, colorScheme: 'light' },
  { width: 1440, height: 900, colorScheme: 'dark' },
] as const;
const WIDTHS = [320, 390, 767, 768, 991, 992, 1199, 1200, 1280, 1440];
const HEIGHT = 900;
/** Maximum layout shift score that users do not notice. */
const GREATEST_SHIFT = 0.01;

/** Semantics, target sizes, motion and axe's rules. */
async function findBarriers(page: Page): Promise<string[]> {
  // Fixed elements move within the next frames.
  await waitForFrames(page);
  const faults = [...(await page.evaluate(findStructureProblems)), ...(await page.evaluate(findSmallTargets))];
  faults.push(...(await page.evaluate(findLongAnimations)).map((one) => `moves: ${one}`));
  await assertAccessible(page);
  return faults;
}

/** Texts that are cut off, overlap or overflow, at every breakpoint and at double text size; words that are broken. */
async function findOverflows(page: Page): Promise<string[]> {
  const faults: string[] = [];
  const measure = async (width: number, letters: string): Promise<void> => {
    await resize(page, width, HEIGHT);
    const found = [...(await page.evaluate(findOverflow)), ...(await page.evaluate(findTextProblems))];
    faults.push(...found.map((fault) => `${width} px${letters}: ${fault}`));
  };
  for (const width of WIDTHS) await measure(width, '');
  await resize(page, 390, HEIGHT);
  for (const spacing of ['', ' and text spacing']) {
    if (spacing !== '') await page.evaluate(setTextSpacing);
    faults.push(...(await page.evaluate(findBrokenWords)).map((fault) => `390 px${spacing}: ${fault}`));
  }
  await page.evaluate(() => document.adoptedStyleSheets.pop());
  await page.evaluate(() => {
    document.documentElement.style.fontSize = '32px';
  });
  for (const width of [320, 390, 768, 1440]) await measure(width, ', large letters');
  return faults;
}

/**
 * Declares the tests and their shared shop. Returns a getter of the shop, which runs during tests.
 */
export function testPages(scenes: readonly PageFixture[]): () => TestShop {
  // Undefined if no test of the file is selected.
  let started: TestShop | undefined;
  const getShop = (): TestShop => started ?? assert.fail('the shop has not started');
  before(async () => {
    started = await startTestShop();
  });
  after(() => started?.stop());
  for (const scene of scenes) {
    void test(`page: ${scene.name}`, async (t) => {
      const { page, expectStatuses, close } = await openPage(getShop(), {
        expectedStatuses: scene.status ? [scene.status] : [],
      });
      const path = await scene.prepare?.(getShop(), page);
      const shiftsOf = await watchLayoutShifts(page);
      for (const size of SIZES) {
        await page.emulateMedia({ reducedMotion: 'no-preference', colorScheme: size.colorScheme });
        await resize(page, size.width, size.height);
        await openPageFixture(page, scene, path);
        await t.test(`nothing moves by itself at ${size.width} px: ${scene.name}`, async () => {
          const shifts = await shiftsOf();
          const total = shifts.reduce((sum, { value }) => sum + value, 0);
          assert.ok(total <= GREATEST_SHIFT, JSON.stringify(shifts));
        });
        await page.emulateMedia({ reducedMotion: 'reduce' });
        await t.test(`no barriers at ${size.width} px: ${scene.name}`, async () => {
          assert.deepEqual(await findBarriers(page), []);
        });
        await t.test(`by keyboard alone at ${size.width} px: ${scene.name}`, async () => {
          const { names, faults } = await walkByTab(page);
          assert.deepEqual(faults, []);
          assert.equal(names[0], 'a "Skip to content"');
        });
      }
      await page.emulateMedia({ reducedMotion: 'no-preference' });
      await t.test(`texts stay in their place at every width: ${scene.name}`, async () => {
        assert.deepEqual(await findOverflows(page), []);
      });
      expectStatuses(REFUSALS);
      await t.test(`[LAY-17] changes while translated: ${scene.name}`, () => changeWhileTranslated(page));
      await close();
    });
  }
  return getShop;
}
