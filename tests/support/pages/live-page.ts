/** Pages of the back office that follow changes. */
import assert from 'node:assert/strict';
import type { Page, WebSocket } from '@playwright/test';
import { visit } from '../buyer.ts';
import { holdRequest } from './hold-request.ts';

/** Waits until the page has a new live connection. */
export async function waitForLiveStaff(page: Page): Promise<WebSocket> {
  const socket = await page.waitForEvent('websocket');
  await waitForFrame(socket, 'joined_staff');
  return socket;
}

/** Waits for the next frame of a type. */
export const waitForFrame = (socket: WebSocket, type: string): Promise<unknown> =>
  socket.waitForEvent('framereceived', ({ payload }) => payload.toString().includes(type));

/** Opens a page, and waits until it follows changes. */
export async function visitFollowing(page: Page, path: string): Promise<WebSocket> {
  const joined = waitForLiveStaff(page);
  await visit(page, path);
  return joined;
}

/** Holds the first reload of a page from now on, before the server gets it or with its response. */
export const holdReload = (page: Page, path: string, held: 'request' | 'response') =>
  holdRequest(page, ({ pathname }) => pathname === `${path}.data`, held);

/** Marks the document, which a reload would lose. */
export const markDocument = (page: Page): Promise<void> =>
  page.evaluate(() => document.documentElement.setAttribute('data-same-document', ''));
export const assertSameDocument = async (page: Page): Promise<void> =>
  assert.equal(await page.locator('html[data-same-document]').count(), 1, 'the page was not reloaded');
