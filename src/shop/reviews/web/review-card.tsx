import { formatDate } from '#src/shop/format.ts';
import { useTimeZone } from '#src/storefront/time-zone.ts';
import type { Review } from '../contract.ts';
import styles from './review-card.module.css';

const STARS = [1, 2, 3, 4, 5];

export function ReviewCard({ review }: { readonly review: Review }) {
  const { name, text, rating, created } = review;
  const timeZone = useTimeZone();
  return (
    <article className={styles.card}>
      <div className={styles.rating}>
        <span className={styles.stars} aria-hidden="true">
          {STARS.map((star) => (
            <span key={star} data-filled={star <= rating || undefined} />
          ))}
        </span>
        <span className={styles.mark}>
          <span className="visually-hidden">Rated </span>
          {`${rating}/5`}
        </span>
      </div>
      <p className={styles.text}>{text}</p>
      <footer className={styles.foot}>
        <h3>{name}</h3>
        <time dateTime={created} suppressHydrationWarning>
          {formatDate(created, 'numeric', timeZone)}
        </time>
      </footer>
    </article>
  );
}
