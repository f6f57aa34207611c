import { formatNumber } from '#src/shop/format-number.ts';
import { ButtonLink } from '#src/ui/controls/button.tsx';
import { Columns } from '#src/ui/layout/columns.ts';
import { Row } from '#src/ui/layout/row.ts';
import { Stack } from '#src/ui/layout/stack.ts';
import { Unbroken } from '#src/ui/text/unbroken.tsx';
import { comparedDays } from '../../sales/compare-periods.ts';
import type { ComparedDays } from '../../sales/compare-periods.ts';
import type { SalesFigures } from '../../sales/contract.ts';
import { formatAverage, formatUsdText, REVENUE } from '../../sales/web/describe-sales.ts';
import { describeChange, describeComparison, PERIOD_NAMES } from './describe-comparison.ts';
import type { ShownComparison, ShownSpan } from './describe-comparison.ts';
import styles from './overview.module.css';

type Span = ShownSpan & { readonly totals: SalesFigures };
type Comparison = ShownComparison & { readonly current: Span; readonly before: Span | null };

interface SalesComparisonProps {
  readonly days: ComparedDays;
  readonly comparison: Comparison;
}

/** OPS-05: orders, revenue and average order, beside those of the same weekdays before. */
export function SalesComparison({ days, comparison }: SalesComparisonProps) {
  const { current, before } = comparison;
  const [now, then] = [current.totals, before?.totals ?? null];
  return (
    <>
      <Row as="nav" gap={4} aria-label="Days of the figures">
        {comparedDays.map((one) => (
          <ButtonLink
            key={one}
            to={one === '1' ? '/admin' : `/admin?days=${one}`}
            variant={one === days ? 'tertiary' : 'quaternary'}
            aria-current={one === days ? 'page' : undefined}
            preventScrollReset
          >
            {PERIOD_NAMES[one]}
          </ButtonLink>
        ))}
      </Row>
      <Columns as="ul" width={14} gap={12}>
        <Figure
          label="Orders"
          value={formatNumber(now.orders)}
          before={then && formatNumber(then.orders)}
          change={then && describeChange(now.orders, then.orders)}
        />
        <Figure
          label={REVENUE}
          value={formatUsdText(now.revenue_usd)}
          before={then && formatUsdText(then.revenue_usd)}
          change={then && describeChange(now.revenue_usd, then.revenue_usd)}
        />
        <Figure
          label="Average order"
          value={formatAverage(now)}
          before={then && formatAverage(then)}
          change={now.average_usd === null || !then ? null : describeChange(now.average_usd, then.average_usd ?? 0)}
        />
      </Columns>
      <p className="muted small wrap-anywhere">
        <Unbroken text={describeComparison(comparison)} />
      </p>
    </>
  );
}

interface FigureProps {
  readonly label: string;
  readonly value: string;
  /** Of the days before; null: there are none to compare with. */
  readonly before: string | null;
  readonly change: string | null;
}

const Figure = ({ label, value, before, change }: FigureProps) => (
  <Stack as="li" gap={4} surface="soft-small">
    <p className="muted small">{label}</p>
    <p className={styles.value} translate="no">
      {value}
    </p>
    {before !== null && (
      <p className="small">
        {change !== null && <span className="strong">{change} </span>}
        <span className="muted">before: {before}</span>
      </p>
    )}
  </Stack>
);
