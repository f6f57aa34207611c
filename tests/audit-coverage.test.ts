/** Every writing call of staff leaves an audit entry. The calls come from the contract. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { z } from 'zod';
import { shopApi } from '#src/shop/api.ts';
import { accessTable } from './support/access-table.ts';
import {
  walkCustomers,
  walkFulfilment,
  walkManualOrders,
  walkMessages,
  walkReviews,
  walkTickets,
} from './support/audit-desk-steps.ts';
import { walkExports, walkManualRefunds, walkPayments, walkRefunds } from './support/audit-payment-steps.ts';
import {
  walkImports,
  walkPictures,
  walkProducts,
  walkPromotions,
  walkSettings,
  walkStock,
  walkStructure,
  walkTexts,
} from './support/audit-steps.ts';
import { walkReturns } from './support/audit-return-steps.ts';
import { walkIntegrations } from './support/audit-integration-steps.ts';
import { AuditWalk } from './support/audit-walk.ts';
import { openRefundShop } from './support/refund-shop.ts';
import type { RefundShop } from './support/refund-shop.ts';

let refunds: RefundShop;
const proven = new Set<string>();
before(async () => {
  refunds = await openRefundShop({ UNCLAIMED_AFTER_DAYS: '1', LOG_LEVEL: 'info' });
});
after(() => refunds.shop.stop());

const open = (): Promise<AuditWalk> => AuditWalk.open(refunds.shop, proven);

/** Calls that change nothing. */
const READ_ONLY = new Set([
  'POST /catalogue/bulk-edits/preview',
  'POST /catalogue/description-preview',
  'POST /content/home/preview',
  'POST /content/legal-preview',
  'POST /support/orders/preview',
  'POST /support/returns/{id}/exchange/preview',
  'POST /support/promotions/preview',
  'POST /support/serial-numbers/check',
]);

/** Calls whose states are made by a ledger or a job: a test of their service proves the entry. */
const PROVEN_BY_SERVICES = new Set([
  'POST /orders/{id}/give-up',
  'POST /orders/{id}/close-as-loss',
  'POST /payments/rescans/{id}/stop',
]);

/** Exports that contain personal data. */
const RECORDED_EXPORTS = [
  'GET /exports/books',
  'GET /exports/audit',
  'GET /exports/invoices',
  'GET /exports/orders',
  'GET /exports/serial-numbers',
];

/** Events that the security log has for each call of a kind. */
const SECURITY_EVENTS: readonly (readonly [calls: RegExp, event: string])[] = [
  [/ \/(?:catalogue\/|imports\/\{id\}\/apply)/, 'catalogue_changed'],
  [/ \/(?:inventory|low-stock)/, 'stock_changed'],
  [/ \/support\/promotions/, 'promotion_changed'],
  [/ \/orders\/\{id\}\/(?:settle|refund|write-off)| \/refunds\/|\/returns\/\{id\}\/refund/, 'staff_money_action'],
  [
    / \/(?:shop|tax|shipping)\/settings| \/(?:webhooks|api-keys|carriers|exports\/(?!orders|serial-numbers)|staff)/,
    'owner_action',
  ],
  [/ \/staff\/role/, 'role_changed'],
];

const eventLine = z.object({ call: z.string(), security_event: z.string() });

/** Events of the security log by call. */
function readSecurityEvents(): Map<string, Set<string>> {
  const events = new Map<string, Set<string>>();
  const lines = refunds.shop.readOutput().split('\n');
  for (const text of lines) {
    if (!text.startsWith('{')) continue;
    const line = eventLine.safeParse(JSON.parse(text));
    if (!line.success) continue;
    const { call, security_event: event } = line.data;
    events.set(call, (events.get(call) ?? new Set()).add(event));
  }
  return events;
}

/** Writing calls that customers may not make, and recorded exports. */
function listStaffCalls(): string[] {
  const rows = accessTable('unused');
  const writing = Object.entries(rows).filter(([key, row]) => !key.startsWith('GET ') && 'isOfStaff' in row);
  const keys = new Set(Object.keys(shopApi));
  return [...writing.map(([key]) => key).filter((key) => keys.has(key)), ...RECORDED_EXPORTS];
}

test('[OPS-06] changes of webhooks and API keys leave entries', async () => {
  await walkIntegrations(await open());
});

// Before the tests that move the clock further: this one moves it to the end of a payment window.
test('[OPS-06] changes of orders by phone leave entries', async () => {
  await walkManualOrders(await open(), refunds);
});

test('[OPS-06] changes of promotions, settings and texts leave entries', async () => {
  const walk = await open();
  await walkPromotions(walk);
  await walkSettings(walk);
  await walkTexts(walk);
});

test('[OPS-06] changes of products, stock, pictures and imports leave entries', async () => {
  const walk = await open();
  await walkStructure(walk);
  await walkProducts(walk);
  await walkPictures(walk);
  await walkImports(walk);
  await walkStock(walk);
});

test('[OPS-06] payment decisions, refunds and exports leave entries', async () => {
  const walk = await open();
  await walkExports(walk);
  await walkPayments(walk, refunds);
  await walkRefunds(walk, refunds);
  await walkManualRefunds(walk, refunds);
});

test('[OPS-06] changes of orders to ship, support and customers leave entries', async () => {
  const walk = await open();
  await walkFulfilment(walk, refunds);
  await walkReturns(walk, refunds);
  await walkTickets(walk, refunds);
  await walkMessages(walk);
  await walkReviews(walk, refunds);
  await walkCustomers(walk, refunds);
});

test('[OPS-06] no writing call of staff lacks an entry or a reason', () => {
  const calls = listStaffCalls();
  const excused = [...READ_ONLY, ...PROVEN_BY_SERVICES];
  const missing = calls.filter((key) => !proven.has(key) && !excused.includes(key));
  assert.deepEqual(missing, [], 'these calls left no audit entry');
  assert.deepEqual(
    excused.filter((key) => !calls.includes(key) || proven.has(key)),
    [],
    'these exceptions are not needed',
  );
});

test('[OPS-26] each change by staff of a sensitive kind is in the security log', () => {
  const events = readSecurityEvents();
  const calls = [...proven];
  for (const [kind, event] of SECURITY_EVENTS) {
    const silent = calls.filter((call) => kind.test(call) && events.get(call)?.has(event) !== true);
    assert.deepEqual(silent, [], `these calls log no ${event}`);
  }
});
