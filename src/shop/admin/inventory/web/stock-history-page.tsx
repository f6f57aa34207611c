import type { LoaderFunctionArgs, MetaFunction } from 'react-router';
import { Link } from 'react-router';
import { formatPageTitle } from '#src/storefront/shop-identity.ts';
import { rethrowAsNotFound } from '#src/storefront/page/page-responses.ts';
import { Moment } from '#src/storefront/moment.tsx';
import { BackLink } from '#src/ui/page/back-link.tsx';
import { Section } from '#src/ui/layout/section.tsx';
import { EmptyState } from '#src/ui/feedback/states.tsx';
import { AdminFrame } from '../../kit/admin-frame.tsx';
import { PagedList } from '../../kit/paged-list.tsx';
import { ListRow, RowList } from '../../kit/row-list.tsx';
import { readPageNumber, requireStaff } from '../../kit/staff-page.ts';
import { useLiveLoaderData } from '../../kit/use-staff-changes.ts';
import type { StockHistoryEntry } from '#src/shop/inventory/stock-list/contract.ts';
import { formatStep, REASONS } from '../stock-form.ts';
import { StockForm } from './stock-form.tsx';
import styles from './stock-history-page.module.css';
import { StockBadges, StockLevels } from './stock-levels.tsx';
import { ThresholdForm } from './threshold-form.tsx';
import { OrderNumber } from '#src/shop/orders/web/order-number.tsx';

const REASON_TEXTS: Readonly<Record<StockHistoryEntry['reason'], string>> = {
  ...REASONS,
  sold: 'Sold',
  restocked: 'Restocked after a refund or cancellation',
};

export const meta: MetaFunction = ({ matches }) => [
  { title: formatPageTitle('Stock of a variant · Back office', matches) },
  { name: 'description', content: 'The stock of a variant and its history.' },
];

export async function loader(args: LoaderFunctionArgs) {
  const id = args.params.id ?? '';
  const call = requireStaff(args, `/admin/inventory/${id}`, 'stock');
  const page = readPageNumber(new URL(args.request.url).searchParams);
  const params = { variant_id: id };
  const { variant, settings } = await call('GET /inventory/{variant_id}', { params }).catch(rethrowAsNotFound);
  const query = { page: String(page) };
  const found = await call('GET /inventory/{variant_id}/history', { params, query }).catch(() => null);
  return { variant, found, page, shopThreshold: settings.threshold };
}

/** OPS-10: one variant with its stock and the history of its changes. */
export default function StockHistoryPage() {
  const { variant, found, page, shopThreshold } = useLiveLoaderData<typeof loader>(['stock']);
  const { variant_id: id, name, sku, slug } = variant;
  return (
    <AdminFrame title={name}>
      <div className={styles.facts}>
        <BackLink to="/admin/inventory" text="All variants" />
        <p className="muted small">
          SKU <span translate="no">{sku}</span>
          {variant.is_on_sale && (
            <span>
              {' · '}
              <Link to={`/catalog/product/${slug}`} className="link">
                View product
              </Link>
            </span>
          )}
        </p>
        <StockBadges variant={variant} shopThreshold={shopThreshold} />
        <StockLevels variant={variant} />
      </div>
      <Section title="Change stock" surface="outlined">
        <StockForm variantId={id} levels={variant} />
      </Section>
      <Section title="Low stock" surface="outlined">
        <ThresholdForm variantId={id} threshold={variant.threshold} shopThreshold={shopThreshold} />
      </Section>
      <Section title="History">
        <PagedList
          found={found}
          page={page}
          failure="The history could not be loaded."
          empty={
            <EmptyState title="Nothing has changed yet.">
              <p>Changes by staff, sales and restocks appear here.</p>
            </EmptyState>
          }
        >
          {({ history }) => (
            <RowList isOrdered>
              {history.map((entry) => (
                <ListRow key={entry.id} className={styles.entry}>
                  <Entry entry={entry} />
                </ListRow>
              ))}
            </RowList>
          )}
        </PagedList>
      </Section>
    </AdminFrame>
  );
}

function describeChange({ available_before: before, available_after: after, reason }: StockHistoryEntry): string {
  if (before === null) return 'Tracking started';
  if (after === null) return 'Tracking stopped';
  const by = after - before;
  return `${REASON_TEXTS[reason]}: ${by < 0 ? '−' : '+'}${Math.abs(by)}`;
}

function Entry({ entry }: { readonly entry: StockHistoryEntry }) {
  const onHand = formatStep(entry.on_hand_before, entry.on_hand_after);
  return (
    <>
      <div className="wrap-anywhere">
        <p className="strong">{describeChange(entry)}</p>
        {entry.note !== null && <p>{entry.note}</p>}
      </div>
      <div>
        <p>Available {formatStep(entry.available_before, entry.available_after)}</p>
        {onHand !== null && <p className="muted small">On hand {onHand}</p>}
      </div>
      <div className="muted small">
        <p>
          <Moment at={entry.at} shows="moment" />
        </p>
        {entry.order === null ? (
          <p>by {entry.by ?? 'the shop'}</p>
        ) : (
          <p>
            <Link to={`/admin/orders/${entry.order.id}`} className="link">
              Order <OrderNumber number={entry.order.number} />
            </Link>
          </p>
        )}
      </div>
    </>
  );
}
