import { useShop } from '#src/storefront/shop-identity.ts';
import { useTimeZone } from '#src/storefront/time-zone.ts';
import { CopyButton } from '#src/ui/copy/copy-button.tsx';
import { Icon } from '#src/ui/graphics/icons.tsx';
import type { CardProduct } from '#src/storefront/products/card-product.ts';
import { ProductCard } from '#src/storefront/products/product-card.tsx';
import type { RunningPromotion } from '../contract.ts';
import { listConditions, describeBenefit } from '../promotion-messages.ts';
import styles from './promotion-card.module.css';

interface PromotionCardProps {
  readonly promotion: RunningPromotion;
  /** Gift product, if any. */
  readonly gift: CardProduct | null;
}

export function PromotionCard({ promotion, gift }: PromotionCardProps) {
  const { code } = promotion;
  const { title, text } = describeBenefit(promotion, useShop().shipping !== 'paid');
  const timeZone = useTimeZone();
  return (
    <article className={styles.card}>
      <div className={styles.content}>
        <h2>{title}</h2>
        <p className={styles.text}>{text}</p>
        <ul className={styles.conditions} aria-label="Conditions">
          {listConditions(promotion, timeZone).map((condition) => (
            <li key={condition} suppressHydrationWarning>
              <Icon name="check" size={16} />
              {condition}
            </li>
          ))}
        </ul>
        <p className={styles.code}>
          <span className="visually-hidden">Code </span>
          <strong translate="no">{code}</strong>
          <CopyButton text={code} contentName={`code ${code}`} />
        </p>
      </div>
      {gift && (
        <div className={styles.gift}>
          <ProductCard product={gift} sizes="240px" />
        </div>
      )}
    </article>
  );
}
