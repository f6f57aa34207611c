import { Link } from 'react-router';
import { formatUsdAmount } from '#src/shop/format-number.ts';
import { Moment } from '#src/storefront/moment.tsx';
import { ListRow, RowList } from '../../kit/row-list.tsx';
import { ListPages } from '../../kit/list-pages.tsx';
import type { ListedUse } from '#src/shop/promotions/editing/contract.ts';
import styles from './promotion-uses.module.css';

interface PromotionUsesProps {
  readonly found: {
    readonly uses: readonly ListedUse[];
    readonly total: number;
    readonly given_usd: number;
    readonly gifts: number;
  };
  readonly page: number;
}

const formatGifts = (gifts: number): string => (gifts === 0 ? '' : ` and ${gifts} ${gifts === 1 ? 'gift' : 'gifts'}`);

/** Orders that used a promotion, and what they were given. */
export function PromotionUses({ found, page }: PromotionUsesProps) {
  const { uses, total, given_usd: given, gifts } = found;
  if (total === 0) return <p className="muted measure">No order has used this promotion.</p>;
  return (
    <>
      <p>
        Used by {total} {total === 1 ? 'order' : 'orders'}. Given away: ${formatUsdAmount(given)}
        {formatGifts(gifts)}.
      </p>
      <p className="muted measure">Orders that were cancelled or expired without a payment are not counted.</p>
      <RowList>
        {uses.map((use) => (
          <ListRow key={use.order_id} className={styles.use}>
            <span className="strong">
              <Link translate="no" className="link unbroken" to={`/admin/orders/${use.order_id}`}>
                {use.number}
              </Link>
            </span>
            <span className="muted small tabular">
              <Moment at={use.used_at} shows="moment" />
            </span>
            <span className="wrap-anywhere">{use.username}</span>
            <span className={styles.given}>
              {use.gift === null ? `$${formatUsdAmount(use.discount_usd)}` : `Gift: ${use.gift}`}
            </span>
          </ListRow>
        ))}
      </RowList>
      <ListPages page={page} total={total} />
    </>
  );
}
