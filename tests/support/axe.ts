import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';

/** Waits for fade-ins, but not for endless animations such as the logos. */
const REST = `Promise.allSettled(document.getAnimations()
  .filter(({ playState, timeline, effect }) => playState === 'running' && timeline === document.timeline &&
    effect.getComputedTiming().endTime !== Infinity)
  .map(({ finished }) => finished)).then(() => ({ hasAxe: 'axe' in window, frames: window.length }))`;

/** Half as long as the default, which each page would receive and compile after its load. */
const SOURCE = readFileSync('node_modules/axe-core/axe.min.js', 'utf8');

/** A rule that looks at every element, for a finding that is never more than moderate. */
const MODERATE_RULE = 'region';

/** Rules whose result depends on the colour scheme. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

/** Fails if axe reports a serious or critical problem in the light or the dark scheme. Ends in the light one. */
export async function assertAccessibleInBothSchemes(page: Page): Promise<void> {
  await page.emulateMedia({ colorScheme: 'dark' });
  await assertAccessible(page, COLOUR_RULES);
  await page.emulateMedia({ colorScheme: 'light' });
  await assertAccessible(page);
}

/**
 * Fails if axe reports a serious or critical problem on the current page.
 * @param rules runs only these rules, for example after a change of the colour scheme
 */
export async function assertAccessible(page: Page, rules?: readonly string[]): Promise<void> {
  const { hasAxe, frames } = await page.evaluate<{ hasAxe: boolean; frames: number }>(REST);
  const axe = new AxeBuilder({ page, axeSource: hasAxe ? 'undefined' : SOURCE }).setLegacyMode();
  // What is in a frame is checked as a page of its own: axe would open a second page to merge the results.
  if (frames > 0) axe.exclude('iframe');
  const { violations } = await axe
    .options({
      // Omits passed rules from the result.
      resultTypes: ['violations'],
      rules: { [MODERATE_RULE]: { enabled: false } },
      ...(rules && { runOnly: { type: 'rule', values: [...rules] } }),
    })
    .analyze();
  const grave = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  assert.deepEqual(
    grave.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`),
    [],
    `axe found problems on ${page.url()}`,
  );
}
