import type { StockedVariant } from '#src/shop/inventory/stock-list/contract.ts';
import { describeStockState } from '#src/shop/inventory/stock-list/stock-list.ts';
import { formatNumber } from '#src/shop/format-number.ts';
import { Badge } from '#src/ui/badge.tsx';
import { Fact, Facts } from '#src/ui/facts.tsx';
import { Row } from '#src/ui/row.ts';
import { useHydrated } from '#src/ui/use-hydrated.ts';
import { CellInput } from '#src/ui/field.tsx';
import type { CellOf } from '../stock-cells.ts';
import { CELLS_FORM } from './cells-bar.tsx';
import type { StockCells } from './use-stock-cells.ts';
import styles from './stock-levels.module.css';

const format = (units: number | null): string => (units === null ? '–' : formatNumber(units));

interface LevelFields {
  readonly cells: StockCells;
  readonly shopThreshold: number;
}

interface StockLevelsProps {
  readonly variant: StockedVariant;
  /** Makes fields of the units on hand and the threshold. Omitted: numbers, without the threshold. */
  readonly fields?: LevelFields;
}

/** What is on hand, reserved, committed and available of a variant, and at which number it is low. */
export function StockLevels({ variant, fields }: StockLevelsProps) {
  const { on_hand, reserved, committed, available } = variant;
  return (
    <Facts layout="columns" className={styles.levels}>
      <Fact label="On hand">
        {fields === undefined ? (
          format(on_hand)
        ) : (
          <CellField variant={variant} of="on_hand" label="On hand" empty="–" cells={fields.cells} />
        )}
      </Fact>
      <Fact label="Reserved">{format(reserved)}</Fact>
      <Fact label="Committed">{format(committed)}</Fact>
      <Fact label="Available" className="strong">
        {format(available)}
      </Fact>
      {fields !== undefined && (
        <Fact label="Low at">
          <CellField
            variant={variant}
            of="threshold"
            label="Low at"
            empty={format(fields.shopThreshold)}
            cells={fields.cells}
          />
        </Fact>
      )}
    </Facts>
  );
}

interface CellFieldProps {
  readonly variant: StockedVariant;
  readonly of: CellOf;
  readonly label: string;
  /** What an empty field means. */
  readonly empty: string;
  readonly cells: StockCells;
}

function CellField({ variant, of, label, empty, cells }: CellFieldProps) {
  const { variant_id: id, name, [of]: stored } = variant;
  const isHydrated = useHydrated();
  const seen = cells.seenOf(id, of);
  const problem = cells.messageOf(id, of);
  // Somebody else changed it after it was typed here.
  const now = seen === undefined || seen === stored ? undefined : `Now ${stored === null ? empty : format(stored)}`;
  return (
    <CellInput
      label={`${label}: ${name}`}
      form={CELLS_FORM}
      inputMode="numeric"
      autoComplete="off"
      placeholder={empty}
      readOnly={!isHydrated}
      value={cells.textOf(variant, of)}
      message={problem || now}
      isInvalid={problem !== undefined}
      onFocus={({ currentTarget }) => currentTarget.select()}
      onChange={({ currentTarget }) => cells.type(variant, of, currentTarget.value)}
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
