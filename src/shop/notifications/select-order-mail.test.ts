import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sats } from '#src/shop/money.ts';
import type { StoredEventKind } from '#src/shop/orders/kinds.ts';
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
const mailFor = (
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
  assert.deepEqual(mailFor('created'), { mail: 'made', deduplicationKey: 'made' });
  assert.equal(mailFor('created', { due: 0n }), null, 'a free order gets the receipt immediately');
  assert.deepEqual(mailFor('payment_seen', { received: 100n }), mailFor('confirming', { received: 100n }));
  const distinct = [
    mailFor('payment_seen', { received: 100n }),
    mailFor('payment_seen', { received: 120n }),
    mailFor('payment_seen', { received: 100n, earlier: ['payment_seen', 'dropped'] }),
    mailFor('underpaid', { received: 50n }),
    mailFor('underpaid', { received: 60n }),
    mailFor('underpaid', { received: 50n, due: 110n }),
    mailFor('part_left', { received: 50n }),
    mailFor('part_left', { received: 50n, due: 110n }),
    mailFor('underpaid', { received: 50n, earlier: ['part_left'] }),
    mailFor('overpaid', { received: 101n }),
    mailFor('overpaid', { received: 102n }),
    mailFor('replaced', { before: 100n }),
    mailFor('replaced', { before: 120n }),
    mailFor('dropped', { before: 100n }),
    mailFor('withdrawn', { before: 100n }),
    mailFor('late', { received: 100n }),
    mailFor('late', { received: 100n, earlier: ['withdrawn'] }),
    mailFor('late_waits', { received: 100n }),
    mailFor('late_sold_out', { received: 100n }),
    mailFor('late_promo_gone', { received: 100n }),
    mailFor('expired'),
    mailFor('expired', { when: later }),
    mailFor('requoted'),
    mailFor('requoted', { when: later }),
    mailFor('reorged_out'),
    mailFor('paid_again'),
    ...(['paid', 'settled', 'cancelled', 'shipped'] as const).map((kind) => mailFor(kind)),
  ].map((mails) => mails?.deduplicationKey ?? assert.fail('no mail'));
  assert.equal(new Set(distinct).size, distinct.length, distinct.join(' '));
  for (const occasion of distinct) assert.match(occasion, /^[a-z0-9-]+$/);
  assert.deepEqual(mailFor('paid', { received: 100n }), mailFor('paid', { received: 200n }));
  assert.equal(mailFor('paid', { earlier: ['late', 'late_accepted'] })?.mail, 'paid-late');
  assert.equal(mailFor('expired', { earlier: ['requoted', 'quote_void'] })?.mail, 'quote-void');
  assert.equal(mailFor('expired', { earlier: ['quote_void', 'expired', 'requoted'] })?.mail, 'expired');
  assert.equal(mailFor('expired', { earlier: ['created', 'reservation_released'] })?.mail, 'released');
  for (const waits of ['late_sold_out', 'late_promo_gone'] as const) {
    assert.equal(
      mailFor('late', { received: 100n, earlier: [waits] }),
      null,
      'covered by the mail of the waiting payment',
    );
    assert.equal(mailFor('late', { received: 100n, before: 1n, earlier: [waits] })?.mail, 'late');
  }
  for (const left of ['replaced', 'dropped', 'withdrawn', 'part_left'] as const) {
    assert.equal(mailFor('payment_seen', { received: 100n, earlier: [left, 'underpaid'] })?.mail, 'back', left);
  }
  assert.equal(mailFor('requoted', { received: 100n }), null, 'the received amount covers it');
  assert.deepEqual(mailFor('reorged_out'), mailFor('reorged_out', { when: later }), 'once a day');
  const nextDay = new Date('2026-03-02T00:00:00Z');
  for (const kind of ['reorged_out', 'paid_again'] as const) {
    assert.notEqual(
      mailFor(kind)?.deduplicationKey,
      mailFor(kind, { when: nextDay })?.deduplicationKey,
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
    assert.equal(mailFor(kind, { received: 100n }), null, kind);
});

test('[MAIL-02] a payment that comes and goes repeatedly causes three mails', () => {
  const earlier: StoredEventKind[] = ['created'];
  const mails = new Set<string>();
  const happen = (kind: StoredEventKind, got: bigint, before: bigint): void => {
    const selected = mailFor(kind, { received: got, before, earlier });
    if (selected) mails.add(selected.deduplicationKey);
    earlier.push(kind);
  };
  for (let times = 0; times < 100; times += 1) {
    happen('payment_seen', 100n, 0n);
    happen('dropped', 0n, 100n);
  }
  assert.deepEqual([...mails], ['seen-100', 'dropped-100', 'back-100']);
});
