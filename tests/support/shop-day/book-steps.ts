/** What the owner reads at the end of the day. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { parse } from 'csv-parse/sync';
import { assertAccessible } from '../axe.ts';
import { visit } from '../buyer.ts';
import { numberAt } from '../read-json.ts';
import type { BoughtOrder } from './purchase-steps.ts';
import type { CreditNote } from './refund-steps.ts';
import { readOrder } from './purchase-steps.ts';
import { formatDollars } from './shipping-steps.ts';
import { confirm, saveScreenshot } from './shop-day.ts';
import type { ShopDay } from './shop-day.ts';

type Row = Readonly<Record<string, string>>;
const toCents = (usd: number | string | undefined): number => Math.round(Number(usd) * 100);
const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

/** The table behind the charts has both orders and the refund. */
export async function readSales(day: ShopDay, orders: readonly BoughtOrder[], refundedUsd: number): Promise<void> {
  const { page } = day.owner;
  await visit(page, '/admin/sales?period=7d');
  await page.getByText('Figures as a table').click();
  const total = page.getByRole('region', { name: 'Figures by time' }).getByRole('row', { name: /^Total/ });
  const totals = await Promise.all(
    orders.map(async ({ id }) => toCents(numberAt(await readOrder(day, id), 'total_usd_after'))),
  );
  const [revenue, count] = [sum(totals) / 100, orders.length];
  const cells = await total.getByRole('cell').allInnerTexts();
  assert.deepEqual(
    [cells[0], cells[1], cells[3], cells[4], cells[5], cells[7]],
    [
      String(count),
      formatDollars(revenue),
      formatDollars(revenue / count),
      formatDollars(0),
      formatDollars(refundedUsd),
      formatDollars(revenue - refundedUsd),
    ],
  );
  await assertAccessible(page);
  await saveScreenshot(page, 'sales');
}

/** Downloads an export of the owner's page. */
async function download({ owner: { page } }: ShopDay, button: string): Promise<readonly Row[]> {
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: button, exact: true }).click();
  await confirm(page, 'Download');
  return parse(await readFile(await (await downloading).path()), { columns: true });
}

interface Refunded {
  readonly order: BoughtOrder;
  readonly note: CreditNote;
}

/**
 * The lines of an order add up to its total, and to its invoice and its row of the books, to the cent. The
 * books have the refund and its credit note once.
 */
export async function compareBooks(day: ShopDay, orders: readonly BoughtOrder[], refunded: Refunded): Promise<void> {
  await visit(day.owner.page, '/admin/accounting');
  const books = await download(day, 'Download as CSV');
  const sales = await download(day, 'Download sales as CSV');
  for (const { id, number, dueSats } of orders) {
    const order = await readOrder(day, id);
    const [total, tax] = [toCents(numberAt(order, 'total_usd_after')), toCents(numberAt(order, 'tax', 'total_usd'))];
    const parts = ['total_price_usd', 'shipping_usd'].map((part) => toCents(numberAt(order, part)));
    assert.equal(sum(parts) - toCents(numberAt(order, 'discount_usd')), total);
    const received = books.filter((row) => row['order'] === number);
    assert.equal(sum(received.map((row) => Number(row['sats']))), Number(dueSats));
    const booked = received.find((row) => row['order_usd'] !== '');
    assert.deepEqual(
      ['order_usd', 'tax_usd', 'net_usd'].map((name) => toCents(booked?.[name])),
      [total, tax, total - tax],
    );
    const invoiced = sales.filter((row) => row['order'] === number && row['kind'] === 'invoice');
    const add = (name: string): number => sum(invoiced.map((row) => toCents(row[name])));
    assert.deepEqual([add('gross_usd'), add('tax_usd'), add('net_usd')], [total, tax, total - tax]);
  }
  compareRefund(books, sales, refunded);
}

function compareRefund(books: readonly Row[], sales: readonly Row[], { note, order }: Refunded): void {
  const sent = books.filter((row) => row['refund_sats'] !== '');
  assert.deepEqual(
    sent.map((row) => [row['order'], Number(row['refund_sats'])]),
    [[order.number, note.sats]],
  );
  const credited = sales.filter((row) => row['kind'] === 'credit_note');
  const invoice = sales.find((row) => row['order'] === order.number && row['kind'] === 'invoice');
  assert.deepEqual(
    credited.map((row) => [row['document'], row['order'], row['corrects'], toCents(row['gross_usd'])]),
    [[note.number, order.number, invoice?.['document'], -toCents(note.usd)]],
  );
  // The 19 % in two tags are $8.33, of which the first one has the smaller half.
  assert.deepEqual([toCents(credited[0]?.['net_usd']), toCents(credited[0]?.['tax_usd'])], [-2194, -416]);
}

/** The log names what each of them did, and its chain verifies. */
export async function readAuditLog({ owner: { page }, shop }: ShopDay): Promise<void> {
  await visit(page, '/admin/audit');
  const texts = await page.getByRole('main').locator('ol > li').allInnerTexts();
  const entries = texts.map((text) => text.replaceAll(/\s+/g, ' '));
  for (const entry of [
    /^Settings: edited Tax owner /,
    /^Settings: edited Shipping owner /,
    /^Settings: paid order mails edited .* owner /,
    /^Order: shipped .* lena /,
    /^Ticket: answered .* lena /,
    /^Ticket: closed .* lena /,
    /^Order: refund made .* owner /,
    /^Report: exported Books owner /,
    /^Report: exported Invoices owner /,
  ]) {
    assert.ok(
      entries.some((text) => entry.test(text)),
      `no ${entry.source} in ${entries.join('\n')}`,
    );
  }
  const run = promisify(execFile)(process.execPath, ['scripts/run.mjs', 'audit', 'verify'], {
    env: { PATH: process.env['PATH'], ...shop.first.place },
  });
  assert.match((await run).stdout, /The chain is intact\./);
}
