import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sats } from '#src/shop/money.ts';
import type { StoredEventKind } from '#src/shop/orders/order-events.ts';
import { selectOrderMail } from './select-order-mail.ts';

const at = new Date('2026-03-01T12:34:00Z');
const NEVER_BEFORE: readonly StoredEventKind[] = [];
interface Happened {
  readonly received?: bigint;
  readonly before?: bigint;
  readonly due?: bigint;
  readonly when?: Date;
  readonly earlier?: readonly StoredEventKind[];
}
const selectMail = (
  kind: StoredEventKind,
  { received: got = 0n, before = 0n, due = 100n, when = at, earlier = NEVER_BEFORE }: Happened = {},
) =>
  selectOrderMail({
    kind,
    at: when,
    dueSats: sats(due),
    receivedSats: sats(got),
    beforeSats: sats(before),
    earlier,
  });
const later = new Date(at.getTime() + 1);

test('[MAIL-02] selects the mail of each event and its deduplication key', () => {
  assert.deepEqual(selectMail('created'), { mail: 'made', deduplicationKey: 'made' });
  assert.equal(selectMail('created', { due: 0n }), null, 'a free order gets the receipt immediately');
  assert.deepEqual(selectMail('payment_seen', { received: 100n }), selectMail('confirming', { received: 100n }));
  const distinct = [
    selectMail('payment_seen', { received: 100n }),
    selectMail('payment_seen', { received: 120n }),
    selectMail('payment_seen', { received: 100n, earlier: ['payment_seen', 'dropped'] }),
    selectMail('underpaid', { received: 50n }),
    selectMail('underpaid', { received: 60n }),
    selectMail('underpaid', { received: 50n, due: 110n }),
    selectMail('part_left', { received: 50n }),
    selectMail('part_left', { received: 50n, due: 110n }),
    selectMail('underpaid', { received: 50n, earlier: ['part_left'] }),
    selectMail('overpaid', { received: 101n }),
    selectMail('overpaid', { received: 102n }),
    selectMail('replaced', { before: 100n }),
    selectMail('replaced', { before: 120n }),
    selectMail('dropped', { before: 100n }),
    selectMail('withdrawn', { before: 100n }),
    selectMail('late', { received: 100n }),
    selectMail('late', { received: 100n, earlier: ['withdrawn'] }),
    selectMail('late_waits', { received: 100n }),
    selectMail('late_sold_out', { received: 100n }),
    selectMail('late_promo_gone', { received: 100n }),
    selectMail('expired'),
    selectMail('expired', { when: later }),
    selectMail('requoted'),
    selectMail('requoted', { when: later }),
    selectMail('reorged_out'),
    selectMail('paid_again'),
    ...(['paid', 'settled', 'cancelled', 'shipped'] as const).map((kind) => selectMail(kind)),
  ].map((mails) => mails?.deduplicationKey ?? assert.fail('no mail'));
  assert.equal(new Set(distinct).size, distinct.length, distinct.join(' '));
  for (const occasion of distinct) assert.match(occasion, /^[a-z0-9-]+$/);
  assert.deepEqual(selectMail('paid', { received: 100n }), selectMail('paid', { received: 200n }));
  assert.equal(selectMail('paid', { earlier: ['late', 'late_accepted'] })?.mail, 'paid-late');
  assert.equal(selectMail('expired', { earlier: ['requoted', 'quote_void'] })?.mail, 'quote-void');
  assert.equal(selectMail('expired', { earlier: ['quote_void', 'expired', 'requoted'] })?.mail, 'expired');
  assert.equal(selectMail('expired', { earlier: ['created', 'reservation_released'] })?.mail, 'released');
  for (const waits of ['late_sold_out', 'late_promo_gone'] as const) {
    assert.equal(
      selectMail('late', { received: 100n, earlier: [waits] }),
      null,
      'covered by the mail of the waiting payment',
    );
    assert.equal(selectMail('late', { received: 100n, before: 1n, earlier: [waits] })?.mail, 'late');
  }
  for (const left of ['replaced', 'dropped', 'withdrawn', 'part_left'] as const) {
    assert.equal(selectMail('payment_seen', { received: 100n, earlier: [left, 'underpaid'] })?.mail, 'back', left);
  }
  assert.equal(selectMail('requoted', { received: 100n }), null, 'the received amount covers it');
  assert.deepEqual(selectMail('reorged_out'), selectMail('reorged_out', { when: later }), 'once a day');
  const nextDay = new Date('2026-03-02T00:00:00Z');
  for (const kind of ['reorged_out', 'paid_again'] as const) {
    assert.notEqual(
      selectMail(kind)?.deduplicationKey,
      selectMail(kind, { when: nextDay })?.deduplicationKey,
      `${kind} of another day`,
    );
  }
  for (const kind of [
    'user_paid',
    'refund_address',
    'unconfirmed',
    'quote_void',
    'late_accepted',
    'delivered',
  ] as const)
    assert.equal(selectMail(kind, { received: 100n }), null, kind);
});

test('[MAIL-02] a payment that comes and goes repeatedly causes three mails', () => {
  const earlier: StoredEventKind[] = ['created'];
  const mails = new Set<string>();
  const happen = (kind: StoredEventKind, got: bigint, before: bigint): void => {
    const selected = selectMail(kind, { received: got, before, earlier });
    if (selected) mails.add(selected.deduplicationKey);
    earlier.push(kind);
  };
  for (let times = 0; times < 100; times += 1) {
    happen('payment_seen', 100n, 0n);
    happen('dropped', 0n, 100n);
  }
  assert.deepEqual([...mails], ['seen-100', 'dropped-100', 'back-100']);
});
