import type { StockedVariant } from '#src/shop/inventory/stock-list/contract.ts';
import { describeStockState } from '#src/shop/inventory/stock-list/stock-list.ts';
import { formatNumber } from '#src/shop/format-number.ts';
import { Badge } from '#src/ui/badge.tsx';
import styles from './stock-levels.module.css';

const format = (units: number | null): string => (units === null ? '–' : formatNumber(units));

/** What is on hand, reserved, committed and available of a variant. */
export function StockLevels({ variant }: { readonly variant: StockedVariant }) {
  const { on_hand, reserved, committed, available } = variant;
  return (
    <dl className={styles.levels}>
      <div>
        <dt>On hand</dt>
        <dd>{format(on_hand)}</dd>
      </div>
      <div>
        <dt>Reserved</dt>
        <dd>{format(reserved)}</dd>
      </div>
      <div>
        <dt>Committed</dt>
        <dd>{format(committed)}</dd>
      </div>
      <div>
        <dt>Available</dt>
        <dd className={styles.available}>{format(available)}</dd>
      </div>
    </dl>
  );
}

interface StockBadgesProps {
  readonly variant: StockedVariant;
  readonly shopThreshold: number;
}

/** States of a variant that need attention. */
export function StockBadges({ variant, shopThreshold }: StockBadgesProps) {
  const state = describeStockState(variant, shopThreshold);
  return (
    <span className={styles.badges}>
      {state !== null && <Badge tone={state.tone}>{state.text}</Badge>}
      {!variant.is_on_sale && <Badge>Not active</Badge>}
    </span>
  );
}
