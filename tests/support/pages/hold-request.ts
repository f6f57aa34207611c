import type { Page, Route } from '@playwright/test';
import { waitUntil } from '../wait-until.ts';

type Matches = (url: URL) => boolean;

/** Holds the next request from now on that matches, before the server gets it or with its response. */
export async function holdRequest(page: Page, matches: Matches, held: 'request' | 'response', method = 'GET') {
  const released = Promise.withResolvers<undefined>();
  let isHeld = false;
  const hold = async (route: Route): Promise<void> => {
    if (isHeld || route.request().method() !== method) return route.fallback();
    isHeld = true;
    const response = held === 'response' ? await route.fetch() : undefined;
    await released.promise;
    await (response === undefined ? route.continue() : route.fulfill({ response }));
  };
  await page.route(matches, hold);
  return { waitUntilHeld: () => waitUntil(() => isHeld), release: () => released.resolve(undefined) };
}
