/** Pages of the back office that follow changes. */
import assert from 'node:assert/strict';
import type { Page, WebSocket } from '@playwright/test';
import { visit } from '../buyer.ts';
import { waitUntil } from '../wait-until.ts';

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
export async function holdReload(page: Page, path: string, held: 'request' | 'response') {
  const released = Promise.withResolvers<undefined>();
  let isHeld = false;
  await page.route(
    ({ pathname }) => pathname === `${path}.data`,
    async (route) => {
      const response = held === 'response' ? await route.fetch() : undefined;
      isHeld = true;
      await released.promise;
      await (response === undefined ? route.continue() : route.fulfill({ response }));
    },
    { times: 1 },
  );
  return { waitUntilHeld: () => waitUntil(() => isHeld), release: () => released.resolve(undefined) };
}

/** Marks the document, which a reload would lose. */
export const markDocument = (page: Page): Promise<void> =>
  page.evaluate(() => document.documentElement.setAttribute('data-same-document', ''));
export const assertSameDocument = async (page: Page): Promise<void> =>
  assert.equal(await page.locator('html[data-same-document]').count(), 1, 'the page was not reloaded');
