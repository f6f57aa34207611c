import type { StockedVariant } from '#src/shop/inventory/stock-list/contract.ts';
import { describeStockState } from '#src/shop/inventory/stock-list/stock-list.ts';
import { formatNumber } from '#src/shop/format-number.ts';
import { Badge } from '#src/ui/badge.tsx';
import { Fact, Facts } from '#src/ui/facts.tsx';
import { Row } from '#src/ui/row.ts';
import { useHydrated } from '#src/ui/use-hydrated.ts';
import { COUNTS_FORM } from './counts-bar.tsx';
import type { StockCounts } from './use-stock-counts.ts';
import { CellInput } from '#src/ui/field.tsx';
import styles from './stock-levels.module.css';

const format = (units: number | null): string => (units === null ? '–' : formatNumber(units));

interface StockLevelsProps {
  readonly variant: StockedVariant;
  /** Makes the units on hand a field. Omitted: a number. */
  readonly counts?: StockCounts;
}

/** What is on hand, reserved, committed and available of a variant. */
export function StockLevels({ variant, counts }: StockLevelsProps) {
  const { on_hand, reserved, committed, available } = variant;
  return (
    <Facts layout="columns" className={styles.levels}>
      <Fact label="On hand">
        {counts === undefined ? format(on_hand) : <CountField variant={variant} counts={counts} />}
      </Fact>
      <Fact label="Reserved">{format(reserved)}</Fact>
      <Fact label="Committed">{format(committed)}</Fact>
      <Fact label="Available" className="strong">
        {format(available)}
      </Fact>
    </Facts>
  );
}

function CountField({ variant, counts }: Required<StockLevelsProps>) {
  const { variant_id: id, name, on_hand: onHand } = variant;
  const isHydrated = useHydrated();
  const seen = counts.seenOf(id);
  const problem = counts.form.messageOf(id);
  // Somebody else changed it after it was typed here.
  const now = seen === undefined || seen === onHand ? undefined : `Now ${format(onHand)}`;
  return (
    <CellInput
      label={`On hand: ${name}`}
      form={COUNTS_FORM}
      inputMode="numeric"
      autoComplete="off"
      placeholder="–"
      readOnly={!isHydrated}
      value={counts.textOf(variant)}
      message={problem || now}
      isInvalid={problem !== undefined}
      onFocus={({ currentTarget }) => currentTarget.select()}
      onChange={({ currentTarget }) => counts.type(variant, currentTarget.value)}
    />
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
    <Row as="span" gap={8} rowGap={4}>
      {state !== null && <Badge tone={state.tone}>{state.text}</Badge>}
      {!variant.is_on_sale && <Badge>Not active</Badge>}
    </Row>
  );
}
