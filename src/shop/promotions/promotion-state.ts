import { findGeneralProblem } from './promotion.ts';
import type { Promotion } from './promotion.ts';

export const promotionStates = ['running', 'scheduled', 'ended', 'used_up', 'disabled'] as const;
export type PromotionState = (typeof promotionStates)[number];

const STATES = {
  withdrawn: 'disabled',
  'not-begun': 'scheduled',
  over: 'ended',
  'used-up': 'used_up',
} as const;

/** State of a promotion at a time, the same for every buyer. `changes.store.ts` has the same rule in SQL. */
export function getPromotionState(promotion: Promotion, now: Date): PromotionState {
  const problem = findGeneralProblem(promotion, now);
  return problem === null ? 'running' : STATES[problem];
}

const LABELS: Readonly<Record<PromotionState, string>> = {
  running: 'Running',
  scheduled: 'Scheduled',
  ended: 'Ended',
  used_up: 'Used up',
  disabled: 'Disabled',
};

export const formatPromotionState = (state: PromotionState): string => LABELS[state];
