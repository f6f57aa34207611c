import type { LoaderFunctionArgs, MetaFunction } from 'react-router';
import { isApiFailure } from '#src/storefront/api.ts';
import { reloadPage } from '#src/storefront/reload-page.ts';
import { formatPageTitle } from '#src/storefront/shop-identity.ts';
import { Field } from '#src/ui/fields/field.tsx';
import { Section } from '#src/ui/layout/section.tsx';
import { EmptyState, ErrorState } from '#src/ui/feedback/states.tsx';
import { AdminFrame } from '../../kit/admin-frame.tsx';
import { ChoiceFilter, ListFilters } from '../../kit/list-filters.tsx';
import { readChoice, requireStaff } from '../../kit/staff-page.ts';
import { useLiveLoaderData } from '../../kit/use-staff-changes.ts';
import { isDay, namedPeriods, salesGroups, salesUnits } from '../sales-period.ts';
import { describeDays, formatBtcText, formatUsdText } from './describe-sales.ts';
import { DownloadButton } from '#src/storefront/forms/download-button.tsx';
import { StockValue } from './stock-value.tsx';
import { SalesCharts, SalesTable } from './sales-charts.tsx';
import { GROUP_NAMES, MarginNote, SalesGroups } from './sales-groups.tsx';

const PERIODS = [...namedPeriods, 'own'] as const;
type Period = (typeof PERIODS)[number];

const PERIOD_NAMES: Readonly<Record<Period, string>> = {
  '7d': 'Last 7 days',
  '30d': 'Last 30 days',
  '90d': 'Last 90 days',
  '12m': 'Last 12 months',
  own: 'Own dates',
};
const UNIT_NAMES = { day: 'Day', week: 'Week', month: 'Month' } as const;

export const meta: MetaFunction = ({ matches }) => [
  { title: formatPageTitle('Sales · Back office', matches) },
  { name: 'description', content: 'Orders and revenue over time.' },
];

const readDay = (parameters: URLSearchParams, name: string): string => {
  const day = parameters.get(name) ?? '';
  return isDay(day) ? day : '';
};

export async function loader(args: LoaderFunctionArgs) {
  const call = requireStaff(args, '/admin/sales', 'reports');
  const parameters = new URL(args.request.url).searchParams;
  const period = readChoice(parameters, 'period', PERIODS) ?? '30d';
  const [from, to] = [readDay(parameters, 'from'), readDay(parameters, 'to')];
  const by = readChoice(parameters, 'by', salesUnits);
  const group = readChoice(parameters, 'group', salesGroups) ?? 'product';
  const filter = { period, from, to, by: by ?? '', group };
  const days = period === 'own' ? { ...(from && { from }), ...(to && { to }) } : { period };
  // Without any day the period would be the default one.
  if (period === 'own' && from === '' && to === '')
    return { filter, days, sales: null, groups: null, stock: null, isBadPeriod: true };
  let isBadPeriod = false;
  const catchFailure = (error: unknown) => {
    if (isApiFailure(error) && error.status === 400) isBadPeriod = true;
    return null;
  };
  const [sales, groups, stock] = await Promise.all([
    call('GET /support/sales', { query: { ...days, ...(by && { by }) } }).catch(catchFailure),
    call('GET /support/sales/groups', { query: { ...days, group } }).catch(catchFailure),
    call('GET /support/stock-value').catch(catchFailure),
  ]);
  return { filter, days, sales, groups, stock, isBadPeriod };
}

/** OPS-05: sales over time and by group. */
export default function SalesPage() {
  const { filter, days, sales, groups, stock, isBadPeriod } = useLiveLoaderData<typeof loader>(['orders', 'refunds']);
  return (
    <AdminFrame title="Sales">
      <SalesFilters filter={filter} />
      {isBadPeriod && (
        <EmptyState title="Choose both dates.">
          <p>The first one may not be after the last one, and they may be ten years apart at most.</p>
        </EmptyState>
      )}
      {!isBadPeriod && (sales === null || groups === null || stock === null) && (
        <ErrorState title="The sales could not be loaded." onRetry={() => void reloadPage()} />
      )}
      {sales !== null && groups !== null && stock !== null && (
        <>
          <Section title="Sales over time" actions={<p className="muted small">{describeDays(sales)}</p>}>
            {sales.totals.orders === 0 && sales.totals.refunds === 0 ? (
              <EmptyState title="No sales in this time.">
                <p>An order counts as a sale once it is paid, at the time of its payment.</p>
              </EmptyState>
            ) : (
              <>
                <SalesCharts {...sales} />
                <SalesTable {...sales} />
              </>
            )}
            <p className="muted small wrap-anywhere">
              Revenue is what buyers paid, with tax and shipping, net of refunds. Sold:{' '}
              {formatUsdText(sales.totals.sold_usd)}, {formatBtcText(sales.totals.sold_btc)}. Refunded in this time:{' '}
              {sales.totals.refunds === 0
                ? 'nothing'
                : `${formatUsdText(sales.totals.refunded_usd)}, ${formatBtcText(sales.totals.refunded_btc)}`}
              {sales.totals.waived_usd > 0 ? `. Waived: ${formatUsdText(sales.totals.waived_usd)}.` : '.'}
            </p>
            <DownloadButton
              path={`/exports/sales?${new URLSearchParams({ ...days, by: sales.by })}`}
              text="Download figures by time as CSV"
            />
          </Section>
          <Section title={`By ${filter.group}`}>
            {groups.groups.length === 0 ? (
              <EmptyState title="No sales in this time." />
            ) : (
              <>
                <SalesGroups found={groups} group={filter.group} />
                {groups.units !== null && <MarginNote margin={groups.margin} units={groups.units} />}
              </>
            )}
            <DownloadButton
              path={`/exports/sales?${new URLSearchParams({ ...days, group: filter.group })}`}
              text={`Download figures by ${filter.group} as CSV`}
            />
          </Section>
          <StockValue value={stock} />
        </>
      )}
    </AdminFrame>
  );
}

type Filter = Awaited<ReturnType<typeof loader>>['filter'];

function SalesFilters({ filter }: { readonly filter: Filter }) {
  return (
    <ListFilters filter={filter} firstWidth="equal" submit="Show">
      <ChoiceFilter
        label="Time"
        name="period"
        value={filter.period}
        options={PERIODS.map((one) => [one, PERIOD_NAMES[one]])}
      />
      <Field label="Own dates, from" name="from" type="date" defaultValue={filter.from} />
      <Field label="To" name="to" type="date" defaultValue={filter.to} />
      <ChoiceFilter
        label="Bars"
        name="by"
        value={filter.by}
        options={[['', 'Automatic'], ...salesUnits.map((one) => [one, UNIT_NAMES[one]] as const)]}
      />
      <ChoiceFilter
        label="Grouped by"
        name="group"
        value={filter.group}
        options={salesGroups.map((one) => [one, GROUP_NAMES[one]])}
      />
    </ListFilters>
  );
}
