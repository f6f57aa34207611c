/** Dates on pages are in the reader's time zone, with its name, also in the server's HTML. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from '@playwright/test';
import { openPage } from '../support/browser.ts';
import { openCartAsBuyer, callAs, logIn, moveClock, getPayPath, placeOrder, visit } from '../support/buyer.ts';
import { watchLayoutShifts } from '../support/pages/layout-shift.ts';
import { textAt } from '../support/read-json.ts';
import { startTestShop } from '../support/shop.ts';
import type { TestShop } from '../support/shop.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Zones without summer time, in which 23:30 UTC is a different day. */
const ZONES = [
  { timeZone: 'Asia/Tokyo', hours: 9, name: 'GMT+9' },
  { timeZone: 'Pacific/Honolulu', hours: -10, name: 'GMT-10' },
] as const;
const UTC = { hours: 0, name: 'UTC' } as const;
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sept', 'Oct', 'Nov', 'Dec'];

let shop: TestShop;
before(async () => {
  shop = await startTestShop();
  const intoDay = Date.now() % DAY_MS;
  await moveClock(
    shop,
    Math.round((DAY_MS - intoDay - HOUR_MS / 2 + (intoDay > DAY_MS - HOUR_MS / 2 ? DAY_MS : 0)) / 1000),
  );
});
after(() => shop.stop());

interface Zone {
  readonly hours: number;
  readonly name: string;
}

/** Every form of an instant for a reader in the zone. */
function formatForms(at: string, { hours, name }: Zone): readonly string[] {
  const there = new Date(Date.parse(at) + hours * HOUR_MS);
  const [year = '', month = '', day = ''] = there.toISOString().slice(0, 10).split('-');
  const clock = there.toISOString().slice(11, 16);
  const date = `${Number(day)} ${MONTHS[Number(month) - 1]} ${year}`;
  return [date, `${clock} ${name}`, `${date}, ${clock} ${name}`, clock, `${day}.${month}.${year}`];
}

interface ShownDate {
  readonly at: string;
  readonly text: string;
}

const readDatesOn = (page: Page): Promise<readonly ShownDate[]> =>
  page
    .locator('main time:not([role=timer])')
    .evaluateAll((times) => times.map((time) => ({ at: time.getAttribute('datetime') ?? '', text: time.textContent })));

/** As the server wrote them. */
const parseDates = (html: string): readonly ShownDate[] =>
  [...html.matchAll(/<time (?![^>]*role=)[^>]*dateTime="([^"]+)"[^>]*>([^<]*)<\/time>/gi)].map(
    ([, at = '', text = '']) => ({ at, text }),
  );

function assertForms(dates: readonly ShownDate[], zone: Zone, path: string): void {
  assert.ok(dates.length > 0, `${path} shows dates`);
  for (const { at, text } of dates) {
    assert.match(at, /T.*Z$/, path);
    assert.ok(formatForms(at, zone).includes(text), `${path}: "${text}" for ${at}`);
  }
}

for (const zone of ZONES) {
  test(`[FMT-03] shows dates in ${zone.timeZone} before and after hydration`, async () => {
    const { page, close } = await openPage(shop, { timeZone: zone.timeZone });
    const shifts = await watchLayoutShifts(page);
    await openCartAsBuyer(shop, page);
    const orderId = await placeOrder(shop, page);
    const draft = { title: 'Delivery', theme: 'Order', description: 'When does it come?' };
    const ticketId = textAt(await callAs(shop, page, 'POST', '/tickets/create', draft), 'id');
    await callAs(shop, page, 'POST', '/tickets/messages', { ticket_id: ticketId, message: 'Hello' });
    const pages = [
      '/cart',
      '/dashboard',
      '/dashboard/orders',
      `/dashboard/orders/${orderId}`,
      '/dashboard/tickets',
      `/dashboard/tickets/${ticketId}`,
      '/dashboard/settings',
    ];
    for (const path of pages) {
      const response = await page.goto(path);
      const sent = parseDates((await response?.text()) ?? '');
      assertForms(sent, zone, path);
      const shown = await readDatesOn(page);
      assertForms(shown, zone, path);
      for (const one of sent)
        assert.ok(
          shown.some(({ text }) => text === one.text),
          `${path}: ${one.text} stays`,
        );
      const moved = await shifts();
      const sum = moved.reduce((total, { value }) => total + value, 0);
      assert.ok(sum < 0.01, `${path} moves: ${JSON.stringify(moved)}`);
    }
    const paying = await getPayPath(shop, page);
    await close();

    const stranger = await openPage(shop, { timeZone: zone.timeZone });
    for (const path of [paying, '/']) {
      const response = await stranger.page.goto(path);
      assertForms(parseDates((await response?.text()) ?? ''), UTC, path);
      assertForms(await readDatesOn(stranger.page), zone, path);
    }
    await stranger.close();
  });
}

test('[FMT-03] staff pages show dates in the reader’s time zone', async () => {
  const zone = ZONES[0];
  const { page, close } = await openPage(shop, { timeZone: zone.timeZone });
  await visit(page, '/login?to=/admin/orders');
  await logIn(page, 'staff', 'crypto-market');
  await page.waitForURL(({ pathname }) => pathname === '/admin/orders');
  const response = await page.goto('/admin/orders');
  assertForms(parseDates((await response?.text()) ?? ''), zone, '/admin/orders');
  assertForms(await readDatesOn(page), zone, '/admin/orders');
  await close();
});

test('[ACC-08] clears the time zone cookie at logout', async () => {
  const { page, context, close } = await openPage(shop, { timeZone: 'Asia/Tokyo' });
  const readStoredZone = async () => (await context.cookies()).find(({ name }) => name === 'time_zone')?.value ?? null;
  await openCartAsBuyer(shop, page);
  assert.equal(await readStoredZone(), 'Asia/Tokyo');
  await visit(page, '/dashboard');
  await page.getByRole('button', { name: 'Log Out' }).click();
  await page.waitForURL('**/login');
  assert.equal(await readStoredZone(), null);
  await close();
});
