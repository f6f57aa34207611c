import { Link } from 'react-router';
import { formatUsdAmount } from '#src/shop/format-number.ts';
import { Moment } from '#src/storefront/moment.tsx';
import actionStyles from '../../kit/actions.module.css';
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
  if (total === 0) return <p className={actionStyles.muted}>No order has used this promotion.</p>;
  return (
    <>
      <p>
        Used by {total} {total === 1 ? 'order' : 'orders'}. Given away: ${formatUsdAmount(given)}
        {formatGifts(gifts)}.
      </p>
      <p className={actionStyles.muted}>Orders that were cancelled or expired without a payment are not counted.</p>
      <ul className={styles.list}>
        {uses.map((use) => (
          <li key={use.order_id} className={styles.use}>
            <span className={styles.order}>
              <Link translate="no" className="unbroken" to={`/admin/orders/${use.order_id}`}>
                {use.number}
              </Link>
            </span>
            <span className={styles.muted}>
              <Moment at={use.used_at} shows="moment" />
            </span>
            <span className={styles.customer}>{use.username}</span>
            <span className={styles.given}>
              {use.gift === null ? `$${formatUsdAmount(use.discount_usd)}` : `Gift: ${use.gift}`}
            </span>
          </li>
        ))}
      </ul>
      <ListPages page={page} total={total} />
    </>
  );
}
