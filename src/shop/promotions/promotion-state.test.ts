import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { formatPromotionState, getPromotionState, promotionStates } from './promotion-state.ts';
import { isRunning } from './promotion.ts';
import type { Promotion } from './promotion.ts';

const NOW = new Date('2026-03-01T12:00:00Z');
const nearby = fc.option(fc.integer({ min: -2, max: 2 }).map((ms) => new Date(NOW.getTime() + ms)));

const promotion: fc.Arbitrary<Promotion> = fc.record({
  id: fc.constant('019b0000-0000-7000-8000-000000000001'),
  code: fc.constant('CODE'),
  type: fc.constant('fixed_percent' as const),
  discountBasisPoints: fc.constant(1000),
  discountCents: fc.constant(null),
  giftProductId: fc.constant(null),
  startsAt: nearby,
  endsAt: nearby,
  minimumSubtotalCents: fc.constant(null),
  maxUses: fc.option(fc.integer({ min: 1, max: 2 })),
  maxUsesPerUser: fc.constant(null),
  uses: fc.integer({ min: 0, max: 2 }),
  isActive: fc.boolean(),
  isAdvertised: fc.boolean(),
  version: fc.constant(1),
});

test('[OPS-11] a promotion has exactly one state, running when usable', () => {
  const seen = new Set<string>();
  fc.assert(
    fc.property(promotion, (one) => {
      const state = getPromotionState(one, NOW);
      seen.add(state);
      assert.equal(state === 'running', isRunning(one, NOW));
      if (!one.isActive) assert.equal(state, 'disabled');
      else if (one.startsAt !== null && one.startsAt > NOW) assert.equal(state, 'scheduled');
      else if (one.endsAt !== null && one.endsAt <= NOW) assert.equal(state, 'ended');
      else assert.equal(state, one.maxUses !== null && one.uses >= one.maxUses ? 'used_up' : 'running');
    }),
    { numRuns: 2000 },
  );
  assert.deepEqual([...seen].toSorted(), [...promotionStates].toSorted());
});

test('[OPS-11] labels every state differently', () => {
  assert.equal(new Set(promotionStates.map(formatPromotionState)).size, promotionStates.length);
});
