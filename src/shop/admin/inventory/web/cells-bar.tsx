import { stockReasons } from '#src/shop/inventory/adjustments/plan-stock-change.ts';
import { MAX_COUNTS } from '#src/shop/inventory/stock-list/stock-list.ts';
import { Button } from '#src/ui/controls/button.tsx';
import { Select } from '#src/ui/fields/field.tsx';
import { Notice } from '#src/ui/display/notice.tsx';
import { Row } from '#src/ui/layout/row.ts';
import bars from '../../kit/action-bar.module.css';
import { countOf } from '../stock-cells.ts';
import { listReasons, REASONS } from '../stock-form.ts';
import type { StockCells } from './use-stock-cells.ts';

/** The fields in the rows belong to this form. */
export const CELLS_FORM = 'stock-cells';

interface CellsBarProps {
  readonly cells: StockCells;
  /** Ids of the variants that the page shows. */
  readonly shown: ReadonlySet<string>;
}

const count = (number: number, one: string): string => (number === 1 ? `1 ${one}` : `${number} ${one}s`);

function describeCells(counts: number, thresholds: number, elsewhere: number): string {
  const parts = [counts > 0 && count(counts, 'count'), thresholds > 0 && count(thresholds, 'threshold')];
  const all = parts.filter((part) => part !== false).join(', ');
  const most = Math.max(counts, thresholds);
  if (most > MAX_COUNTS) return `${all}. Discard some: at most ${MAX_COUNTS} of each are saved at once`;
  return elsewhere === 0 ? all : `${all}, ${elsewhere} on other pages`;
}

/** Saves what was typed in all rows. In view while there is any. */
export function CellsBar({ cells: { cells, form, reason, setReason, discard }, shown }: CellsBarProps) {
  const { ref, submit, failure, isBusy } = form;
  const typed = Object.values(cells);
  if (typed.length === 0) return null;
  const elsewhere = typed.filter(({ variantId }) => !shown.has(variantId));
  const [counts, thresholds] = [countOf(cells, 'on_hand'), countOf(cells, 'threshold')];
  return (
    <Row as="form" id={CELLS_FORM} ref={ref} align="end" className={bars.bar} noValidate onSubmit={submit}>
      {failure !== null && (
        <Notice role="alert" tone="bad">
          {failure}
        </Notice>
      )}
      <output className="strong">{describeCells(counts, thresholds, elsewhere.length)}</output>
      {counts > 0 && (
        <Select
          label="Reason"
          value={reason}
          onChange={({ currentTarget: { value } }) => setReason(stockReasons.find((one) => one === value) ?? reason)}
        >
          {listReasons('on_hand').map((one) => (
            <option key={one} value={one}>
              {REASONS[one]}
            </option>
          ))}
        </Select>
      )}
      <Button type="submit" isBusy={isBusy} disabled={Math.max(counts, thresholds) > MAX_COUNTS}>
        {counts > 0 && thresholds === 0 ? 'Save counts' : 'Save changes'}
      </Button>
      <Button variant="secondary" disabled={isBusy} onClick={discard}>
        Discard
      </Button>
    </Row>
  );
}
