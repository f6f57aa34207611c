import assert from 'node:assert/strict';
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';

/**
 * Fade-ins must finish before the check; endless animations, such as the logos, are not awaited.
 */
const REST = `Promise.allSettled(document.getAnimations()
  .filter(({ playState, timeline, effect }) => playState === 'running' && timeline === document.timeline &&
    effect.getComputedTiming().endTime !== Infinity)
  .map(({ finished }) => finished)).then(() => undefined)`;

/**
 * Fails if axe finds anything serious or critical on the page as it stands now.
 * @param rules only these of axe's rules, as after a change of nothing but the colours.
 */
export async function assertAccessible(page: Page, rules?: readonly string[]): Promise<void> {
  await page.evaluate(REST);
  const axe = new AxeBuilder({ page });
  const { violations } = await (rules ? axe.withRules([...rules]) : axe).analyze();
  const grave = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  assert.deepEqual(
    grave.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`),
    [],
    `axe found barriers on ${page.url()}`,
  );
}
