/** What a page shows is complete after frames: media queries, resize observers and fixed elements follow there. */
import type { Page } from '@playwright/test';

/** Waits until the page has rendered what has changed so far, and what it changed in response. */
export async function waitForFrames(page: Page): Promise<void> {
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}

/**
 * Changes the size of the window, in CSS px, and waits until the page has followed. Without the wait, a measurement may
 * see the new width with what a listener of a media query has not closed yet, which no user ever sees.
 */
export async function resize(page: Page, width: number, height: number): Promise<void> {
  await page.setViewportSize({ width, height });
  await waitForFrames(page);
}
