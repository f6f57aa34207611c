import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { sats } from '#src/shop/money.ts';
import { findMatchEvent, matchRefunds } from './match-refunds.ts';
import type { MatchedState, RefundOutput, RefundToMatch } from './match-refunds.ts';

const MINUTE = 60_000;
const START = Date.parse('2026-03-01T12:00:00Z');
const getTimeAt = (minutes: number): Date => new Date(START + minutes * MINUTE);
const TIP = { height: 200 };
const createTxid = (number: number): string => number.toString(16).padStart(64, '0');

const refund = (id: string, madeAt: number, more: Partial<RefundToMatch> = {}): RefundToMatch => ({
  id,
  amountSats: sats(500n),
  madeAt: getTimeAt(madeAt),
  withdrawnAt: null,
  plannedTxid: null,
  plannedOutpoints: [],
  requiredConfirmations: 2,
  state: 'made',
  txid: null,
  vout: null,
  ...more,
});
const createOutput = (number: number, firstSeen: number, more: Partial<RefundOutput> = {}): RefundOutput => ({
  txid: createTxid(number),
  vout: 0,
  amountSats: sats(500n),
  isLive: true,
  height: null,
  firstSeen: getTimeAt(firstSeen),
  spends: [],
  ...more,
});
const matchAll = (
  refunds: readonly RefundToMatch[],
  outputs: readonly RefundOutput[],
): Record<string, readonly [string, string | null]> =>
  Object.fromEntries(
    [...matchRefunds(refunds, outputs, TIP)].map(([id, { state, txid: found }]) => [id, [state, found]]),
  );

const createState = (name: MatchedState['state'], number: number | null = null): MatchedState => ({
  state: name,
  txid: number === null ? null : createTxid(number),
  vout: number === null ? null : 0,
});

test('[PAY-13] a refund is sent, then confirmed, and made again if it leaves', () => {
  const one = [refund('a', 0)];
  assert.deepEqual(matchAll(one, []), { a: ['made', null] });
  assert.deepEqual(matchAll(one, [createOutput(1, 5)]), { a: ['sent', createTxid(1)] });
  assert.deepEqual(matchAll(one, [createOutput(1, 5, { height: 200 })]), { a: ['sent', createTxid(1)] });
  assert.deepEqual(matchAll(one, [createOutput(1, 5, { height: 199 })]), { a: ['confirmed', createTxid(1)] });
  assert.deepEqual(matchAll(one, [createOutput(1, 5, { isLive: false })]), { a: ['made', null] });
  assert.deepEqual(matchAll(one, [createOutput(1, 5, { amountSats: sats(499n) })]), { a: ['made', null] });
});

test('[PAY-13] the older of two equal refunds gets the first output', () => {
  const two = [refund('b', 10), refund('a', 0)];
  assert.deepEqual(matchAll(two, [createOutput(1, 20)]), { a: ['sent', createTxid(1)], b: ['made', null] });
  assert.deepEqual(matchAll(two, [createOutput(2, 30), createOutput(1, 20)]), {
    a: ['sent', createTxid(1)],
    b: ['sent', createTxid(2)],
  });
  const left = createOutput(1, 20, { isLive: false });
  assert.deepEqual(matchAll(two, [left, createOutput(2, 30)]), { a: ['sent', createTxid(2)], b: ['made', null] });
  // Each gets the output of its planned transaction, regardless of age.
  const planned = [refund('a', 0, { plannedTxid: createTxid(1) }), refund('b', 10, { plannedTxid: createTxid(2) })];
  assert.deepEqual(matchAll(planned, [createOutput(2, 20)]), { a: ['made', null], b: ['sent', createTxid(2)] });
  // Replaced by a transaction with a higher fee.
  assert.deepEqual(matchAll(planned, [createOutput(2, 20), createOutput(3, 21)]), {
    a: ['sent', createTxid(3)],
    b: ['sent', createTxid(2)],
  });
});

test('[PAY-13] a fee bump pays the refund whose coins it spends', () => {
  const planned = [
    refund('a', 0, { plannedTxid: createTxid(1), plannedOutpoints: ['coin:1'] }),
    refund('b', 10, { plannedTxid: createTxid(2), plannedOutpoints: ['coin:2', 'coin:3'] }),
  ];
  const bumped = createOutput(5, 20, { spends: ['coin:3', 'coin:2'] });
  assert.deepEqual(matchAll(planned, [bumped]), { a: ['made', null], b: ['sent', createTxid(5)] });
  const foreign = createOutput(4, 15, { spends: ['coin:9'] });
  assert.deepEqual(matchAll(planned, [foreign, bumped]), { a: ['sent', createTxid(4)], b: ['sent', createTxid(5)] });
  // The next refund plans the same coins, and precedes the withdrawn one.
  const again = [
    refund('w', 0, { withdrawnAt: getTimeAt(5), plannedOutpoints: ['coin:1'] }),
    refund('n', 10, { plannedOutpoints: ['coin:1'] }),
  ];
  assert.deepEqual(matchAll(again, [createOutput(6, 20, { spends: ['coin:1'] })]), {
    w: ['withdrawn', null],
    n: ['sent', createTxid(6)],
  });
});

test('[PAY-13] an output seen before a refund was made does not pay it', () => {
  const one = [refund('a', 300)];
  assert.deepEqual(matchAll(one, [createOutput(1, 299)]), { a: ['made', null] });
  assert.deepEqual(matchAll(one, [createOutput(1, 299, { height: 200 })]), { a: ['sent', createTxid(1)] });
  assert.deepEqual(matchAll(one, [createOutput(1, 179, { height: 200 })]), { a: ['made', null] });
  // A block time may lag, so an early block pays the refund that was made before it.
  const withdrawn = refund('w', 0, { withdrawnAt: getTimeAt(200) });
  assert.deepEqual(matchAll([withdrawn, ...one], [createOutput(1, 299, { height: 200 })]), {
    w: ['sent', createTxid(1)],
    a: ['made', null],
  });
});

const createOutputSeenAt = (instant: string): RefundOutput => createOutput(1, 0, { firstSeen: new Date(instant) });

test('[PAY-13] matches a refund that was paid within the second it was made', () => {
  const made = refund('a', 0, { madeAt: new Date('2026-03-01T12:00:00.900Z') });
  assert.deepEqual(matchAll([made], [createOutputSeenAt('2026-03-01T12:00:00Z')]), { a: ['sent', createTxid(1)] });
  assert.deepEqual(matchAll([made], [createOutputSeenAt('2026-03-01T11:59:59Z')]), { a: ['sent', createTxid(1)] });
  assert.deepEqual(matchAll([made], [createOutputSeenAt('2026-03-01T11:59:58Z')]), { a: ['made', null] });
});

test('[PAY-13] a withdrawn refund that was sent is matched after open ones', () => {
  const both = [refund('w', 0, { withdrawnAt: getTimeAt(5), state: 'withdrawn' }), refund('a', 10)];
  assert.deepEqual(matchAll(both, []), { w: ['withdrawn', null], a: ['made', null] });
  assert.deepEqual(matchAll(both, [createOutput(1, 20)]), { w: ['withdrawn', null], a: ['sent', createTxid(1)] });
  assert.deepEqual(matchAll(both, [createOutput(1, 20), createOutput(2, 21, { height: 150 })]), {
    w: ['confirmed', createTxid(2)],
    a: ['sent', createTxid(1)],
  });
  assert.deepEqual(matchAll(both, [createOutput(1, 4)]), { w: ['sent', createTxid(1)], a: ['made', null] });
});

test('[PAY-13] the transaction of a withdrawn refund pays its identical successor', () => {
  const plan = { plannedTxid: createTxid(1) };
  const both = [refund('w', 0, { ...plan, withdrawnAt: getTimeAt(5), state: 'withdrawn' }), refund('a', 10, plan)];
  assert.deepEqual(matchAll(both, [createOutput(1, 20)]), { w: ['withdrawn', null], a: ['sent', createTxid(1)] });
  // The planned transaction of a withdrawn refund does not pay another refund of the same amount.
  const others = [both[0] ?? assert.fail(), refund('a', 10, { plannedTxid: createTxid(2) })];
  assert.deepEqual(matchAll(others, [createOutput(1, 20)]), { w: ['sent', createTxid(1)], a: ['made', null] });
});

test('[PAY-13] a recorded refund does not change and uses up its output', () => {
  const word = refund('r', 0, { state: 'confirmed', txid: createTxid(1), vout: null });
  assert.deepEqual(matchAll([word], []), { r: ['confirmed', createTxid(1)] });
  assert.deepEqual(matchAll([word, refund('a', 1)], [createOutput(1, 20, { vout: 3 })]), {
    r: ['confirmed', createTxid(1)],
    a: ['made', null],
  });
});

test('[PAY-13] each change of a refund has an event', () => {
  const cases = [
    [createState('made'), createState('made'), null],
    [createState('made'), createState('sent', 1), 'refund_sent'],
    [createState('sent', 1), createState('sent', 1), null],
    [createState('sent', 1), createState('sent', 2), 'refund_sent'],
    [createState('made'), createState('confirmed', 1), 'refund_confirmed'],
    [createState('sent', 1), createState('confirmed', 1), 'refund_confirmed'],
    [createState('confirmed', 1), createState('confirmed', 2), null],
    [createState('confirmed', 1), createState('sent', 1), 'refund_unconfirmed'],
    [createState('sent', 1), createState('made'), 'refund_left'],
    [createState('confirmed', 1), createState('withdrawn'), 'refund_left'],
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
            ...(kind === 'withdrawn' ? { withdrawnAt: getTimeAt(madeAt + 1), state: 'withdrawn' as const } : {}),
            ...(kind === 'recorded' ? { state: 'confirmed' as const, txid: createTxid(index) } : {}),
            ...(kind === 'planned' ? { plannedTxid: createTxid(index) } : {}),
          }),
        );
        const outputs = seen.map(({ number, height, isLive, ...one }) => ({
          ...one,
          spends: [],
          txid: createTxid(number),
          isLive,
          height: isLive ? height : null,
          firstSeen: getTimeAt(one.firstSeen),
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
        const rotate = <T>(list: readonly T[]): T[] =>
          list.map((_, index) => list[(index + turn) % list.length] ?? assert.fail());
        assert.deepEqual(
          new Map([...matchRefunds(rotate(refunds), rotate(outputs), TIP)].toSorted(([a], [b]) => (a < b ? -1 : 1))),
          new Map([...states].toSorted(([a], [b]) => (a < b ? -1 : 1))),
        );
      },
    ),
    { numRuns: 1000 },
  );
  assert.ok(paid > 300, `only ${paid} were paid`);
});
