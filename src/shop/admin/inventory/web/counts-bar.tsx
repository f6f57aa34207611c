import { stockReasons } from '#src/shop/inventory/adjustments/plan-stock-change.ts';
import { MAX_COUNTS } from '#src/shop/inventory/stock-list/stock-list.ts';
import { Button } from '#src/ui/button.tsx';
import { Select } from '#src/ui/field.tsx';
import { Notice } from '#src/ui/notice.tsx';
import { Row } from '#src/ui/row.ts';
import bars from '../../kit/action-bar.module.css';
import { listReasons, REASONS } from '../stock-form.ts';
import type { StockCounts } from './use-stock-counts.ts';

/** The fields in the rows belong to this form. */
export const COUNTS_FORM = 'stock-counts';

interface CountsBarProps {
  readonly counts: StockCounts;
  /** Ids of the variants that the page shows. */
  readonly shown: ReadonlySet<string>;
}

function describeCounts(count: number, elsewhere: number): string {
  const counts = count === 1 ? '1 count' : `${count} counts`;
  const all = elsewhere === 0 ? counts : `${counts}, ${elsewhere} on other pages`;
  return count > MAX_COUNTS ? `${all}. Discard some: at most ${MAX_COUNTS} are saved at once` : all;
}

/** Saves the counts of all rows. In view while there are any. */
export function CountsBar({ counts: { counts, form, reason, setReason, discard }, shown }: CountsBarProps) {
  const { ref, submit, failure, isBusy } = form;
  const ids = Object.keys(counts);
  if (ids.length === 0) return null;
  const elsewhere = ids.filter((id) => !shown.has(id));
  const isTooMany = ids.length > MAX_COUNTS;
  return (
    <Row as="form" id={COUNTS_FORM} ref={ref} align="end" className={bars.bar} noValidate onSubmit={submit}>
      {failure !== null && (
        <Notice role="alert" tone="bad">
          {failure}
        </Notice>
      )}
      <output className="strong">{describeCounts(ids.length, elsewhere.length)}</output>
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
      <Button type="submit" isBusy={isBusy} disabled={isTooMany}>
        Save counts
      </Button>
      <Button variant="secondary" disabled={isBusy} onClick={discard}>
        Discard
      </Button>
    </Row>
  );
}
