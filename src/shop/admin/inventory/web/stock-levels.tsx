import type { StockedVariant } from '#src/shop/inventory/stock-list/contract.ts';
import { describeStockState } from '#src/shop/inventory/stock-list/stock-list.ts';
import { formatNumber } from '#src/shop/format-number.ts';
import { Badge } from '#src/ui/display/badge.tsx';
import { Fact, Facts } from '#src/ui/display/facts.tsx';
import { Row } from '#src/ui/layout/row.ts';
import styles from './stock-levels.module.css';

/** @param units null: not tracked */
export const formatUnits = (units: number | null): string => (units === null ? '–' : formatNumber(units));

interface StockLevelsProps {
  readonly variant: StockedVariant;
}

/** What is on hand, reserved, committed and available of a variant. */
export const StockLevels = ({ variant: { on_hand, reserved, committed, available } }: StockLevelsProps) => (
  <Facts layout="columns" className={styles.levels}>
    <Fact label="On hand">{formatUnits(on_hand)}</Fact>
    <Fact label="Reserved">{formatUnits(reserved)}</Fact>
    <Fact label="Committed">{formatUnits(committed)}</Fact>
    <Fact label="Available" className="strong">
      {formatUnits(available)}
    </Fact>
  </Facts>
);

interface StockBadgesProps {
  readonly variant: StockedVariant;
  readonly shopThreshold: number;
}

/** States of a variant that need attention. */
export function StockBadges({ variant, shopThreshold }: StockBadgesProps) {
  const state = describeStockState(variant, shopThreshold);
  return (
    <Row as="span" gap={8} rowGap={4}>
      {state !== null && <Badge tone={state.tone}>{state.text}</Badge>}
      {!variant.is_on_sale && <Badge>Not active</Badge>}
    </Row>
  );
}
