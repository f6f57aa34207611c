/** The line about the rate of a live market in the hero of the home page. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import type { Locator, Page } from '@playwright/test';
import { sql } from 'kysely';
import { openPage } from '../support/browser.ts';
import type { PageOptions } from '../support/browser.ts';
import { FakeExchanges, respondNever } from '../support/fake-exchanges.ts';
import { watchLayoutShifts } from '../support/pages/layout-shift.ts';
import { numberAt, textAt, valueAt } from '../support/read-json.ts';
import { startTestShop } from '../support/shop.ts';
import type { TestShop } from '../support/shop.ts';
import { runWithShopDatabase } from '../support/stock-stress.ts';
import { waitUntil } from '../support/wait-until.ts';

const PHONE: PageOptions = { width: 390, height: 844 };
const SECONDS = /^1 BTC = \$99,500\.00, updated \d+ s ago$/;
const UNTIL_NEXT_POLL_MS = 31_000;

/** A shop whose exchanges agreed once, at 100,000 dollars, and do not respond any more. Ends with the test. */
async function startLiveShop(t: TestContext): Promise<TestShop> {
  const market = new FakeExchanges();
  await market.open();
  t.after(() => market.close());
  market.setBehaviour(market.respondWithPrice('100000.00'));
  const urls = `kraken=${market.origin}/kraken gemini=${market.origin}/gemini`;
  const shop = await startTestShop({ settings: { RATE_SOURCE: 'live', RATE_URLS: urls, RATE_SPREAD: '0.5' } });
  t.after(() => shop.stop());
  await waitUntil(async () => textAt((await shop.api('GET', '/rate')).body, 'state') === 'current');
  market.setBehaviour(respondNever);
  return shop;
}

interface MarketRate {
  readonly cents: number;
  /** Since when it is shown. */
  readonly shownS: number;
  /** Since when no exchange has responded. */
  readonly silentMin?: number;
}

/** Stores a rate as another process would, and waits until the shop has it. */
async function storeRate(shop: TestShop, { cents, shownS, silentMin = 0 }: MarketRate): Promise<void> {
  const before = JSON.stringify((await shop.api('GET', '/rate')).body);
  await runWithShopDatabase(shop, (db) =>
    sql`
      update last_rate set median_cents = ${cents}, shown_cents = ${cents},
        shown_at = clock_timestamp() - ${shownS} * interval '1 second',
        heard_at = clock_timestamp() - ${silentMin} * interval '1 minute'
    `.execute(db),
  );
  await waitUntil(async () => JSON.stringify((await shop.api('GET', '/rate')).body) !== before);
}

const getLine = (page: Page): Locator => page.locator('p').filter({ hasText: /^1 BTC = |^No bitcoin rate/ });

async function setVisibility(page: Page, state: 'hidden' | 'visible'): Promise<void> {
  await page.evaluate((value) => {
    Object.defineProperty(document, 'visibilityState', { value, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  }, state);
}

test('[HOME-01] the hero shows the age of a rate by the clock of the shop', async (t) => {
  const shop = await startLiveShop(t);
  const { page, close } = await openPage(shop, PHONE);
  const readShifts = await watchLayoutShifts(page);
  // The visitor's clock is ten minutes fast.
  await page.clock.install({ time: Date.now() + 600_000 });
  await page.goto('/');
  const line = getLine(page);
  await line.filter({ hasText: SECONDS }).waitFor();
  assert.equal(await line.locator('xpath=ancestor-or-self::*[@aria-live or @role or self::output]').count(), 0);
  const box = await line.locator(':scope > *').last().boundingBox();
  await storeRate(shop, { cents: 10_000_000, shownS: 190 });
  await page.clock.runFor(UNTIL_NEXT_POLL_MS);
  await line.filter({ hasText: /^1 BTC = \$99,500\.00, updated 3 min ago$/ }).waitFor();
  assert.deepEqual(await line.locator(':scope > *').last().boundingBox(), box, 'the line moved');
  const shifts = await readShifts();
  assert.ok(shifts.reduce((sum, { value }) => sum + value, 0) <= 0.01, JSON.stringify(shifts));
  await close();
});

test('[HOME-01] the age of a rate stands still while the page is hidden', async (t) => {
  const shop = await startLiveShop(t);
  const { page, close } = await openPage(shop);
  await page.clock.install();
  await page.goto('/');
  const line = getLine(page);
  await line.filter({ hasText: SECONDS }).waitFor();
  await setVisibility(page, 'hidden');
  const hidden = await line.innerText();
  await page.clock.runFor(20_000);
  assert.equal(await line.innerText(), hidden);
  await setVisibility(page, 'visible');
  await page.waitForFunction(([element, before]) => element instanceof HTMLElement && element.innerText !== before, [
    await line.elementHandle(),
    hidden,
  ] as const);
  assert.match(await line.innerText(), SECONDS);
  await close();
});

test('[HOME-01] prices and their rate change together on an open page', async (t) => {
  const shop = await startLiveShop(t);
  const { page, close } = await openPage(shop);
  await page.clock.install();
  await page.goto('/');
  const [line, price] = [getLine(page), page.getByText(/^From /).first()];
  await line.filter({ hasText: SECONDS }).waitFor();
  const before = await price.innerText();
  await storeRate(shop, { cents: 20_000_000, shownS: 0 });
  await page.clock.runFor(UNTIL_NEXT_POLL_MS);
  await line.filter({ hasText: /^1 BTC = \$199,000\.00, updated \d+ s ago$/ }).waitFor();
  assert.match(before, /^From [\d.]+ BTC or \$999$/);
  assert.notEqual(await price.innerText(), before);
  // Too old to sell at.
  await storeRate(shop, { cents: 20_000_000, shownS: 3_700, silentMin: 61 });
  await page.clock.runFor(UNTIL_NEXT_POLL_MS);
  await line.filter({ hasText: /^No bitcoin rate at the moment$/ }).waitFor();
  assert.doesNotMatch(await page.locator('section', { has: line }).innerText(), /\d BTC/);
  await storeRate(shop, { cents: 10_000_000, shownS: 0 });
  await page.clock.runFor(UNTIL_NEXT_POLL_MS);
  await line.filter({ hasText: SECONDS }).waitFor();
  assert.equal(await price.innerText(), before);
  await close();
});

test('[HOME-01] the document states no age, which a cached page would make false', async (t) => {
  const shop = await startLiveShop(t);
  assert.equal(numberAt((await shop.api('GET', '/rate')).body, 'rate_usd'), 99_500);
  assert.notEqual(valueAt((await shop.api('GET', '/rate')).body, 'updated_at'), null);
  const { page, context } = await openPage(shop, { ...PHONE, javaScript: false });
  await page.goto('/');
  assert.equal((await getLine(page).innerText()).trim(), '1 BTC = $99,500.00');
  await context.close();
});
