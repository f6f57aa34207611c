/** Pages of the back office that follow changes. */
import assert from 'node:assert/strict';
import type { Page } from '@playwright/test';
import { visit } from '../buyer.ts';

/** Waits until the page has a new live connection. */
export async function waitForLiveStaff(page: Page): Promise<void> {
  const socket = await page.waitForEvent('websocket');
  await socket.waitForEvent('framereceived', ({ payload }) => payload.toString().includes('joined_staff'));
}

/** Opens a page, and waits until it follows changes. */
export async function visitFollowing(page: Page, path: string): Promise<void> {
  const joined = waitForLiveStaff(page);
  await visit(page, path);
  await joined;
}

/** Marks the document, which a reload would lose. */
export const markDocument = (page: Page): Promise<void> =>
  page.evaluate(() => document.documentElement.setAttribute('data-same-document', ''));
export const assertSameDocument = async (page: Page): Promise<void> =>
  assert.equal(await page.locator('html[data-same-document]').count(), 1, 'the page was not reloaded');
