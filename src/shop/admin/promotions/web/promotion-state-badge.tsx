import { formatPromotionState } from '#src/shop/promotions/promotion-state.ts';
import type { PromotionState } from '#src/shop/promotions/promotion-state.ts';
import { Badge } from '#src/ui/display/badge.tsx';
import type { BadgeTone } from '#src/ui/display/badge.tsx';

const TONES: Readonly<Record<PromotionState, BadgeTone>> = {
  running: 'good',
  scheduled: 'waiting',
  ended: 'neutral',
  used_up: 'neutral',
  disabled: 'neutral',
};

export const PromotionStateBadge = ({ state }: { readonly state: PromotionState }) => (
  <Badge tone={TONES[state]}>{formatPromotionState(state)}</Badge>
);
