import type { Page } from '@playwright/test';

interface Shift {
  /** Layout shift score: share of the window that moved, times the distance. */
  readonly value: number;
  readonly moved: readonly string[];
}

declare global {
  interface Window {
    layoutShifts?: Shift[];
  }
}

/** Runs in the page before its own scripts. */
const OBSERVE = `window.layoutShifts = [];
new PerformanceObserver((list) => {
  for (const { value, hadRecentInput, sources } of list.getEntries()) {
    if (hadRecentInput) continue;
    const moved = sources.map(({ node }) => (node?.outerHTML ?? node?.textContent ?? '').slice(0, 80));
    window.layoutShifts.push({ value, moved });
  }
}).observe({ type: 'layout-shift', buffered: true });`;

/** Nobody notices smaller shifts: an icon that moved by a fraction of a pixel on a slow machine scored 0.00015. */
const LEAST_SHIFT = 0.001;

/** Records layout shifts from the next page on; returns those of the open page that a user may notice. */
export async function watchLayoutShifts(page: Page): Promise<() => Promise<readonly Shift[]>> {
  await page.addInitScript({ content: OBSERVE });
  return () =>
    page.evaluate(async (least) => {
      // Shifts are reported after their frame.
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 50)));
      return (window.layoutShifts ?? []).filter(({ value }) => value >= least);
    }, LEAST_SHIFT);
}
