import type { LoaderFunctionArgs, MetaFunction } from 'react-router';
import { Link } from 'react-router';
import { invoiceKinds } from '#src/shop/invoices/invoice-number.ts';
import type { InvoiceKind } from '#src/shop/invoices/invoice-number.ts';
import type { ListedInvoice } from '#src/shop/invoices/contract.ts';
import { DownloadPdf } from '#src/shop/invoices/web/invoice-list.tsx';
import { formatTotal } from '#src/shop/counted-list.ts';
import { formatNumber, formatUsdAmount } from '#src/shop/format-number.ts';
import { Moment } from '#src/storefront/moment.tsx';
import { formatPageTitle } from '#src/storefront/shop-identity.ts';
import { Row } from '#src/ui/layout/row.ts';
import { Section } from '#src/ui/layout/section.tsx';
import { EmptyState } from '#src/ui/feedback/states.tsx';
import { AdminFrame } from '../../kit/admin-frame.tsx';
import { ColumnChoice } from '../../kit/column-choice.tsx';
import { DataTable } from '../../kit/data-table.tsx';
import type { Column } from '../../kit/data-table.tsx';
import styles from './invoices-page.module.css';
import { ChoiceFilter, ListFilters, SearchFilter } from '../../kit/list-filters.tsx';
import { ListTitle } from '../../kit/list-title.tsx';
import { NoMatch, PagedList } from '../../kit/paged-list.tsx';
import { readChoice, readPageNumber, readSearchText, requireStaff } from '../../kit/staff-page.ts';
import { useShownColumns } from '../../kit/use-shown-columns.ts';
import { useLiveLoaderData } from '../../kit/use-staff-changes.ts';
import { OrderNumber } from '#src/shop/orders/web/order-number.tsx';

const KIND_NAMES: Readonly<Record<InvoiceKind, string>> = { invoice: 'Invoices', credit_note: 'Credit notes' };
const MAX_QUERY = 200;

export const meta: MetaFunction = ({ matches }) => [
  { title: formatPageTitle('Invoices · Back office', matches) },
  { name: 'description', content: 'All invoices and credit notes of the shop.' },
];

export async function loader(args: LoaderFunctionArgs) {
  const call = requireStaff(args, '/admin/invoices', 'orders');
  const parameters = new URL(args.request.url).searchParams;
  const page = readPageNumber(parameters);
  const q = readSearchText(parameters, MAX_QUERY);
  const kind = readChoice(parameters, 'kind', invoiceKinds);
  const year = /^20\d\d$/.exec(parameters.get('year') ?? '')?.[0];
  const query = { page: String(page), q, ...(kind && { kind }), ...(year && { year }) };
  const found = await call('GET /support/invoices', { query }).catch(() => null);
  return { found, page, q, kind: kind ?? '', year: year ?? '' };
}

/** OPS-16: all invoices and credit notes, found by number, order or buyer. */
export default function InvoicesPage() {
  const { found, page, q, kind, year } = useLiveLoaderData<typeof loader>(['invoices']);
  const columns = useShownColumns('invoices', COLUMNS);
  const isFiltered = q !== '' || kind !== '' || year !== '';
  const years = [...new Set([...(found?.years ?? []).map(String), ...(year === '' ? [] : [year])])];
  return (
    <AdminFrame
      title={<ListTitle text="Invoices" count={found && formatTotal(found.total, found.has_more)} />}
      beside={<ColumnChoice columns={COLUMNS} {...columns} />}
    >
      <ListFilters filter={{ q, kind, year }}>
        <SearchFilter label="Number, order or buyer" value={q} maxLength={MAX_QUERY} />
        <ChoiceFilter
          label="Kind"
          name="kind"
          value={kind}
          hasAll
          options={invoiceKinds.map((one) => [one, KIND_NAMES[one]])}
        />
        <ChoiceFilter label="Year" name="year" value={year} hasAll options={years.map((one) => [one, one])} />
      </ListFilters>
      {found !== null && found.failed > 0 && <Failed total={found.failed} orders={found.failed_orders} />}
      <PagedList
        found={found}
        page={page}
        failure="The invoices could not be loaded."
        empty={
          isFiltered ? (
            <NoMatch title="No invoice matches." showAll="Show all invoices" to="/admin/invoices" />
          ) : (
            <EmptyState title="There are no invoices yet. Each paid order gets one." />
          )
        }
      >
        {({ invoices }) => <DataTable label="Invoices" columns={columns.shown} rows={invoices} idOf={({ id }) => id} />}
      </PagedList>
    </AdminFrame>
  );
}

interface FailedProps {
  readonly total: number;
  /** The first of them. */
  readonly orders: readonly { readonly id: string; readonly number: string }[];
}

/** Orders whose document could not be issued. */
function Failed({ total, orders }: FailedProps) {
  return (
    <Section
      title={`${total === 1 ? 'The document of 1 order' : `The documents of ${formatNumber(total)} orders`} could not be issued`}
      gap={8}
      surface="soft"
      className={styles.failed}
    >
      <p>The shop tries again at least once an hour. The log names the reason.</p>
      <Row as="ul" gap={24} rowGap={0}>
        {orders.map(({ id, number }) => (
          <li key={id}>
            <Link to={`/admin/orders/${id}`} className="link">
              Order <OrderNumber number={number} />
            </Link>
          </li>
        ))}
      </Row>
      {total > orders.length && <p>And {formatNumber(total - orders.length)} more.</p>}
    </Section>
  );
}

const formatSign = ({ kind }: ListedInvoice): string => (kind === 'credit_note' ? '−' : '');

const COLUMNS: readonly Column<ListedInvoice>[] = [
  {
    id: 'number',
    title: 'Number',
    isName: true,
    render: ({ kind, number }) => (
      <>
        <p translate="no" className="strong">
          {number}
        </p>
        <p className="muted small">{kind === 'invoice' ? 'Invoice' : 'Credit note'}</p>
      </>
    ),
  },
  {
    id: 'order',
    title: 'Order',
    render: ({ order_id: id, order_number: number }) => (
      <Link to={`/admin/orders/${id}`} className="link">
        <span>
          Order <OrderNumber number={number} />
        </span>
      </Link>
    ),
  },
  { id: 'buyer', title: 'Customer', render: ({ buyer, is_erased: isErased }) => (isErased ? 'Erased' : buyer) },
  { id: 'issued', title: 'Issued', render: ({ issued_at: at }) => <Moment at={at} shows="moment" /> },
  {
    id: 'total',
    title: 'Total',
    isFigure: true,
    phone: 'beside',
    render: (invoice) => (
      <>
        {formatSign(invoice)}${formatUsdAmount(invoice.total_usd)}
      </>
    ),
  },
  {
    id: 'tax',
    title: 'Tax',
    isFigure: true,
    phone: 'hidden',
    render: (invoice) =>
      invoice.tax_usd > 0 && (
        <>
          {formatSign(invoice)}${formatUsdAmount(invoice.tax_usd)}
        </>
      ),
  },
  {
    id: 'document',
    title: 'Document',
    render: (invoice) =>
      invoice.is_erased ? (
        <p className="muted small">Erased after the retention period</p>
      ) : (
        <DownloadPdf invoice={invoice} path={`/support/invoices/${invoice.id}/pdf`} />
      ),
  },
];
