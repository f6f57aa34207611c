import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { sats } from '#src/shop/money.ts';
import { findMatchEvent, matchRefunds } from './match-refunds.ts';
import type { MatchedState, RefundOutput, RefundToMatch } from './match-refunds.ts';

const MINUTE = 60_000;
const START = Date.parse('2026-03-01T12:00:00Z');
const at = (minutes: number): Date => new Date(START + minutes * MINUTE);
const TIP = { height: 200 };
const txid = (number: number): string => number.toString(16).padStart(64, '0');

const refund = (id: string, madeAt: number, more: Partial<RefundToMatch> = {}): RefundToMatch => ({
  id,
  amountSats: sats(500n),
  madeAt: at(madeAt),
  withdrawnAt: null,
  plannedTxid: null,
  plannedOutpoints: [],
  requiredConfirmations: 2,
  state: 'made',
  txid: null,
  vout: null,
  ...more,
});
const output = (number: number, firstSeen: number, more: Partial<RefundOutput> = {}): RefundOutput => ({
  txid: txid(number),
  vout: 0,
  amountSats: sats(500n),
  isLive: true,
  height: null,
  firstSeen: at(firstSeen),
  spends: [],
  ...more,
});
const matched = (
  refunds: readonly RefundToMatch[],
  outputs: readonly RefundOutput[],
): Record<string, readonly [string, string | null]> =>
  Object.fromEntries(
    [...matchRefunds(refunds, outputs, TIP)].map(([id, { state, txid: found }]) => [id, [state, found]]),
  );

const being = (name: MatchedState['state'], number: number | null = null): MatchedState => ({
  state: name,
  txid: number === null ? null : txid(number),
  vout: number === null ? null : 0,
});

test('[PAY-13] a refund is sent, then confirmed, and made again if it leaves', () => {
  const one = [refund('a', 0)];
  assert.deepEqual(matched(one, []), { a: ['made', null] });
  assert.deepEqual(matched(one, [output(1, 5)]), { a: ['sent', txid(1)] });
  assert.deepEqual(matched(one, [output(1, 5, { height: 200 })]), { a: ['sent', txid(1)] });
  assert.deepEqual(matched(one, [output(1, 5, { height: 199 })]), { a: ['confirmed', txid(1)] });
  assert.deepEqual(matched(one, [output(1, 5, { isLive: false })]), { a: ['made', null] });
  assert.deepEqual(matched(one, [output(1, 5, { amountSats: sats(499n) })]), { a: ['made', null] });
});

test('[PAY-13] the older of two equal refunds gets the first output', () => {
  const two = [refund('b', 10), refund('a', 0)];
  assert.deepEqual(matched(two, [output(1, 20)]), { a: ['sent', txid(1)], b: ['made', null] });
  assert.deepEqual(matched(two, [output(2, 30), output(1, 20)]), { a: ['sent', txid(1)], b: ['sent', txid(2)] });
  const left = output(1, 20, { isLive: false });
  assert.deepEqual(matched(two, [left, output(2, 30)]), { a: ['sent', txid(2)], b: ['made', null] });
  // Each gets the output of its planned transaction, regardless of age.
  const planned = [refund('a', 0, { plannedTxid: txid(1) }), refund('b', 10, { plannedTxid: txid(2) })];
  assert.deepEqual(matched(planned, [output(2, 20)]), { a: ['made', null], b: ['sent', txid(2)] });
  // Replaced by a transaction with a higher fee.
  assert.deepEqual(matched(planned, [output(2, 20), output(3, 21)]), { a: ['sent', txid(3)], b: ['sent', txid(2)] });
});

test('[PAY-13] a fee bump pays the refund whose coins it spends', () => {
  const planned = [
    refund('a', 0, { plannedTxid: txid(1), plannedOutpoints: ['coin:1'] }),
    refund('b', 10, { plannedTxid: txid(2), plannedOutpoints: ['coin:2', 'coin:3'] }),
  ];
  const bumped = output(5, 20, { spends: ['coin:3', 'coin:2'] });
  assert.deepEqual(matched(planned, [bumped]), { a: ['made', null], b: ['sent', txid(5)] });
  const foreign = output(4, 15, { spends: ['coin:9'] });
  assert.deepEqual(matched(planned, [foreign, bumped]), { a: ['sent', txid(4)], b: ['sent', txid(5)] });
  // The next refund plans the same coins, and precedes the withdrawn one.
  const again = [
    refund('w', 0, { withdrawnAt: at(5), plannedOutpoints: ['coin:1'] }),
    refund('n', 10, { plannedOutpoints: ['coin:1'] }),
  ];
  assert.deepEqual(matched(again, [output(6, 20, { spends: ['coin:1'] })]), {
    w: ['withdrawn', null],
    n: ['sent', txid(6)],
  });
});

test('[PAY-13] an output seen before a refund was made does not pay it', () => {
  const one = [refund('a', 300)];
  assert.deepEqual(matched(one, [output(1, 299)]), { a: ['made', null] });
  assert.deepEqual(matched(one, [output(1, 299, { height: 200 })]), { a: ['sent', txid(1)] });
  assert.deepEqual(matched(one, [output(1, 179, { height: 200 })]), { a: ['made', null] });
  // A block time may lag, so an early block pays the refund that was made before it.
  const withdrawn = refund('w', 0, { withdrawnAt: at(200) });
  assert.deepEqual(matched([withdrawn, ...one], [output(1, 299, { height: 200 })]), {
    w: ['sent', txid(1)],
    a: ['made', null],
  });
});

const seenAt = (instant: string): RefundOutput => output(1, 0, { firstSeen: new Date(instant) });

test('[PAY-13] matches a refund that was paid within the second it was made', () => {
  const made = refund('a', 0, { madeAt: new Date('2026-03-01T12:00:00.900Z') });
  assert.deepEqual(matched([made], [seenAt('2026-03-01T12:00:00Z')]), { a: ['sent', txid(1)] });
  assert.deepEqual(matched([made], [seenAt('2026-03-01T11:59:59Z')]), { a: ['sent', txid(1)] });
  assert.deepEqual(matched([made], [seenAt('2026-03-01T11:59:58Z')]), { a: ['made', null] });
});

test('[PAY-13] a withdrawn refund that was sent is matched after open ones', () => {
  const both = [refund('w', 0, { withdrawnAt: at(5), state: 'withdrawn' }), refund('a', 10)];
  assert.deepEqual(matched(both, []), { w: ['withdrawn', null], a: ['made', null] });
  assert.deepEqual(matched(both, [output(1, 20)]), { w: ['withdrawn', null], a: ['sent', txid(1)] });
  assert.deepEqual(matched(both, [output(1, 20), output(2, 21, { height: 150 })]), {
    w: ['confirmed', txid(2)],
    a: ['sent', txid(1)],
  });
  assert.deepEqual(matched(both, [output(1, 4)]), { w: ['sent', txid(1)], a: ['made', null] });
});

test('[PAY-13] the transaction of a withdrawn refund pays its identical successor', () => {
  const plan = { plannedTxid: txid(1) };
  const both = [refund('w', 0, { ...plan, withdrawnAt: at(5), state: 'withdrawn' }), refund('a', 10, plan)];
  assert.deepEqual(matched(both, [output(1, 20)]), { w: ['withdrawn', null], a: ['sent', txid(1)] });
  // The planned transaction of a withdrawn refund does not pay another refund of the same amount.
  const others = [both[0] ?? assert.fail(), refund('a', 10, { plannedTxid: txid(2) })];
  assert.deepEqual(matched(others, [output(1, 20)]), { w: ['sent', txid(1)], a: ['made', null] });
});

test('[PAY-13] a recorded refund does not change and uses up its output', () => {
  const word = refund('r', 0, { state: 'confirmed', txid: txid(1), vout: null });
  assert.deepEqual(matched([word], []), { r: ['confirmed', txid(1)] });
  assert.deepEqual(matched([word, refund('a', 1)], [output(1, 20, { vout: 3 })]), {
    r: ['confirmed', txid(1)],
    a: ['made', null],
  });
});

test('[PAY-13] each change of a refund has an event', () => {
  const cases = [
    [being('made'), being('made'), null],
    [being('made'), being('sent', 1), 'refund_sent'],
    [being('sent', 1), being('sent', 1), null],
    [being('sent', 1), being('sent', 2), 'refund_sent'],
    [being('made'), being('confirmed', 1), 'refund_confirmed'],
    [being('sent', 1), being('confirmed', 1), 'refund_confirmed'],
    [being('confirmed', 1), being('confirmed', 2), null],
    [being('confirmed', 1), being('sent', 1), 'refund_unconfirmed'],
    [being('sent', 1), being('made'), 'refund_left'],
    [being('confirmed', 1), being('withdrawn'), 'refund_left'],
  ] as const;
  for (const [before, after, expected] of cases) assert.equal(findMatchEvent(before, after), expected);
});

const arbitraryRefund = fc.record({
  madeAt: fc.integer({ min: 0, max: 40 }),
  amountSats: fc.constantFrom(sats(500n), sats(600n)),
  kind: fc.constantFrom('made', 'made', 'withdrawn', 'recorded', 'planned'),
});
const arbitraryOutput = fc.record({
  number: fc.integer({ min: 0, max: 12 }),
  vout: fc.integer({ min: 0, max: 2 }),
  firstSeen: fc.integer({ min: 0, max: 60 }),
  amountSats: fc.constantFrom(sats(500n), sats(600n)),
  isLive: fc.boolean(),
  height: fc.option(fc.integer({ min: 150, max: 200 }), { nil: null }),
});

test('[PAY-13] random refunds and outputs match one to one', () => {
  let paid = 0;
  fc.assert(
    fc.property(
      fc.array(arbitraryRefund, { maxLength: 6 }),
      fc.uniqueArray(arbitraryOutput, { maxLength: 8, selector: ({ number, vout }) => number * 10 + vout }),
      fc.nat(),
      (made, seen, turn) => {
        const refunds = made.map(({ madeAt, amountSats, kind }, index) =>
          refund(`r${index}`, madeAt, {
            amountSats,
            ...(kind === 'withdrawn' ? { withdrawnAt: at(madeAt + 1), state: 'withdrawn' as const } : {}),
            ...(kind === 'recorded' ? { state: 'confirmed' as const, txid: txid(index) } : {}),
            ...(kind === 'planned' ? { plannedTxid: txid(index) } : {}),
          }),
        );
        const outputs = seen.map(({ number, height, isLive, ...one }) => ({
          ...one,
          spends: [],
          txid: txid(number),
          isLive,
          height: isLive ? height : null,
          firstSeen: at(one.firstSeen),
        }));
        const states = matchRefunds(refunds, outputs, TIP);
        const used = new Set<string>();
        for (const one of refunds) {
          const is = states.get(one.id) ?? assert.fail();
          if (is.vout === null) continue;
          const pays = outputs.find((out) => out.txid === is.txid && out.vout === is.vout) ?? assert.fail();
          assert.ok(pays.isLive && pays.amountSats === one.amountSats);
          const name = `${pays.txid}:${pays.vout}`;
          assert.ok(!used.has(name), 'an output pays two refunds');
          used.add(name);
          paid += 1;
        }
        const words = refunds.filter(({ state }) => state === 'confirmed');
        for (const one of refunds) {
          if (states.get(one.id)?.state !== 'made') continue;
          const missed = outputs.find(
            (out) =>
              out.isLive &&
              out.amountSats === one.amountSats &&
              out.firstSeen >= one.madeAt &&
              !used.has(`${out.txid}:${out.vout}`) &&
              !words.some((word) => word.txid === out.txid),
          );
          assert.equal(missed, undefined, 'an unmatched output fits');
        }
        // The order of rows does not matter.
        const turned = <T>(list: readonly T[]): T[] =>
          list.map((_, index) => list[(index + turn) % list.length] ?? assert.fail());
        assert.deepEqual(
          new Map([...matchRefunds(turned(refunds), turned(outputs), TIP)].toSorted(([a], [b]) => (a < b ? -1 : 1))),
          new Map([...states].toSorted(([a], [b]) => (a < b ? -1 : 1))),
        );
      },
    ),
    { numRuns: 1000 },
  );
  assert.ok(paid > 300, `only ${paid} were paid`);
});
