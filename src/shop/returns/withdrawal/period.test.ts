import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { addShopDays, endOfShopDay, startOfShopDay, toShopDay } from '#src/shop/shop-days.ts';
import { computePeriod, computeRefundDue, REFUND_DAYS, WITHDRAWAL_DAYS } from './period.ts';

const zones = fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York', 'Pacific/Apia', 'Asia/Kathmandu');
const moments = fc.date({ min: new Date('2024-01-01'), max: new Date('2034-01-01'), noInvalidDate: true });

test('[RET-02] the day of delivery is not counted, and the 14th day after it is whole', () => {
  fc.assert(
    fc.property(moments, zones, (deliveredAt, zone) => {
      const { lastDay } = computePeriod(deliveredAt, deliveredAt, zone);
      assert.ok(lastDay !== null);
      assert.equal(lastDay, addShopDays(toShopDay(deliveredAt, zone), WITHDRAWAL_DAYS));
      const end = endOfShopDay(lastDay, zone);
      assert.equal(computePeriod(deliveredAt, new Date(end.getTime() - 1), zone).isOver, false);
      assert.equal(computePeriod(deliveredAt, end, zone).isOver, true);
      // A delivery at any other moment of that day has the same period.
      const morning = startOfShopDay(toShopDay(deliveredAt, zone), zone);
      assert.equal(computePeriod(morning, morning, zone).lastDay, lastDay);
    }),
  );
});

test('[RET-02] the period never ends before one that began earlier, nor begins again', () => {
  fc.assert(
    fc.property(moments, moments, moments, zones, (a, b, now, zone) => {
      const [earlier, later] = a <= b ? [a, b] : [b, a];
      const [first, second] = [computePeriod(earlier, now, zone), computePeriod(later, now, zone)];
      assert.ok(first.isOver || !second.isOver);
      assert.ok((first.lastDay ?? '') <= (second.lastDay ?? ''));
    }),
  );
});

test('[RET-02] the period is open while the delivery is not known', () => {
  assert.deepEqual(computePeriod(null, new Date('2099-01-01'), 'UTC'), { lastDay: null, isOver: false });
});

test('[RET-02] an example over the change of clocks', () => {
  const delivered = new Date('2026-10-20T21:59:00Z');
  const period = computePeriod(delivered, new Date('2026-11-03T22:59:59Z'), 'Europe/Berlin');
  assert.deepEqual(period, { lastDay: '2026-11-03', isOver: false });
  assert.equal(computePeriod(delivered, new Date('2026-11-03T23:00:00Z'), 'Europe/Berlin').isOver, true);
});

test('[RET-02] the refund is due at the end of the 14th day after the statement', () => {
  fc.assert(
    fc.property(moments, zones, (statedAt, zone) => {
      const due = computeRefundDue(statedAt, zone);
      assert.equal(toShopDay(due, zone), addShopDays(toShopDay(statedAt, zone), REFUND_DAYS));
    }),
  );
});
