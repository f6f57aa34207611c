import { mkdirSync } from 'node:fs';
import type { Page } from '@playwright/test';

/** Directory for screenshots; unset for none. */
const SHOTS = process.env['SHOTS'];

/** Saves the page at each width in both colour schemes, to be looked at, and returns it to its size in the light one. */
export async function saveScreenshots(page: Page, name: string): Promise<void> {
  if (SHOTS === undefined) return;
  mkdirSync(SHOTS, { recursive: true });
  const size = page.viewportSize() ?? { width: 1440, height: 900 };
  for (const width of [390, 1440, 1920]) {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize({ width, height: width === 390 ? 844 : 900 });
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: `${SHOTS}/${name}-${width}-${colorScheme}.png`, fullPage: true });
    }
  }
  await page.setViewportSize(size);
  await page.emulateMedia({ colorScheme: 'light' });
}
