import assert from 'node:assert/strict';
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';

/**
 * Fade-ins must finish before the check; endless animations, such as the logos, are not awaited.
 */
const REST = `Promise.allSettled(document.getAnimations()
  .filter(({ playState, timeline, effect }) => playState === 'running' && timeline === document.timeline &&
    effect.getComputedTiming().endTime !== Infinity)
  .map(({ finished }) => finished)).then(() => ({ hasAxe: 'axe' in window, frames: window.length }))`;

/**
 * Fails if axe finds anything serious or critical on the page as it stands now.
 * @param rules only these of axe's rules, as after a change of nothing but the colours.
 */
export async function assertAccessible(page: Page, rules?: readonly string[]): Promise<void> {
  const { hasAxe, frames } = await page.evaluate<{ hasAxe: boolean; frames: number }>(REST);
  // Without frames one run in the page is the whole result; axe would open a second page to merge it.
  assert.equal(frames, 0, `${page.url()} has frames: test them without the legacy mode`);
  const axe = new AxeBuilder({ page, ...(hasAxe && { axeSource: 'undefined' }) }).setLegacyMode();
  const { violations } = await axe
    .options({
      // Rules that pass are not written out for every element.
      resultTypes: ['violations'],
      ...(rules && { runOnly: { type: 'rule', values: [...rules] } }),
    })
    .analyze();
  const grave = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  assert.deepEqual(
    grave.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`),
    [],
    `axe found barriers on ${page.url()}`,
  );
}
