import { formatNumber } from '#src/shop/format-number.ts';
import type { SalesFigures, SalesPoint } from '../contract.ts';
import type { SalesUnit } from '../sales-period.ts';
import { BarChart } from './bar-chart.tsx';
import {
  describeUnit,
  formatAverage,
  formatBtcCell,
  formatBtcText,
  formatBtcTick,
  formatCountTick,
  formatUsdText,
  formatUsdTick,
  REVENUE,
  SOLD,
} from './describe-sales.ts';
import { Grid } from '#src/ui/layout/grid.ts';
import { Disclosure } from '#src/ui/display/disclosure.tsx';
import { Table } from '#src/ui/display/table.tsx';
import styles from './sales-charts.module.css';

interface SalesChartsProps {
  readonly totals: SalesFigures;
  readonly points: readonly SalesPoint[];
  readonly by: SalesUnit;
}

const countOrders = (orders: number): string => `${formatNumber(orders)} ${orders === 1 ? 'order' : 'orders'}`;

export function RevenueChart({ totals, points, by }: SalesChartsProps) {
  return (
    <BarChart
      title={REVENUE}
      total={formatUsdText(totals.revenue_usd)}
      points={points.map(({ start, revenue_usd: value }) => ({
        label: describeUnit(start, by),
        // More refunded than sold has no bar.
        value: Math.max(0, value),
        text: formatUsdText(value),
      }))}
      formatTick={formatUsdTick}
    />
  );
}

/** Revenue in both currencies, orders and the average order. */
export function SalesCharts(props: SalesChartsProps) {
  const { totals, points, by } = props;
  const describe = (value: (point: SalesPoint) => number, text: (point: SalesPoint) => string) =>
    points.map((point) => ({ label: describeUnit(point.start, by), value: value(point), text: text(point) }));
  return (
    <Grid foldsAt={767} className={styles.charts}>
      <RevenueChart {...props} />
      <BarChart
        title="Revenue in bitcoin, net of refunds"
        total={formatBtcText(totals.revenue_btc)}
        points={describe(
          ({ revenue_btc: btc }) => Math.max(0, btc),
          ({ revenue_btc: btc }) => formatBtcText(btc),
        )}
        formatTick={formatBtcTick}
      />
      <BarChart
        title="Orders"
        total={formatNumber(totals.orders)}
        points={describe(
          ({ orders }) => orders,
          ({ orders }) => countOrders(orders),
        )}
        formatTick={formatCountTick}
      />
      <BarChart
        title="Average order"
        total={formatAverage(totals)}
        points={describe(({ average_usd: usd }) => usd ?? 0, formatAverage)}
        formatTick={formatUsdTick}
      />
    </Grid>
  );
}

const UNIT_NAMES: Readonly<Record<SalesUnit, string>> = { day: 'Day', week: 'Week', month: 'Month' };

/** The figures of the charts, newest first. */
export function SalesTable({ totals, points, by }: SalesChartsProps) {
  return (
    <Disclosure summary="Figures as a table">
      <Table label="Figures by time" hasFigures className="small">
        <thead>
          <tr>
            <th scope="col">{UNIT_NAMES[by]}</th>
            <th scope="col">Orders</th>
            <th scope="col">{SOLD}</th>
            <th scope="col">In bitcoin</th>
            <th scope="col">Average order</th>
            <th scope="col">Waived</th>
            <th scope="col">Refunded</th>
            <th scope="col">In bitcoin</th>
            <th scope="col">{REVENUE}</th>
            <th scope="col">In bitcoin</th>
          </tr>
        </thead>
        <tbody>
          {points.toReversed().map((point) => (
            <tr key={point.start}>
              <th scope="row">{describeUnit(point.start, by)}</th>
              <FigureCells figures={point} />
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">Total</th>
            <FigureCells figures={totals} />
          </tr>
        </tfoot>
      </Table>
    </Disclosure>
  );
}

const FigureCells = ({ figures }: { readonly figures: SalesFigures }) => (
  <>
    <td>{formatNumber(figures.orders)}</td>
    <td translate="no">{formatUsdText(figures.sold_usd)}</td>
    <td>{formatBtcCell(figures.sold_btc)}</td>
    <td>{formatAverage(figures)}</td>
    <td translate="no">{formatUsdText(figures.waived_usd)}</td>
    <td translate="no">{formatUsdText(figures.refunded_usd)}</td>
    <td>{formatBtcCell(figures.refunded_btc)}</td>
    <td translate="no">{formatUsdText(figures.revenue_usd)}</td>
    <td>{formatBtcCell(figures.revenue_btc)}</td>
  </>
);
