import { formatDate } from '#src/shop/format.ts';
import { useTimeZone } from '#src/storefront/time-zone.ts';
import type { Review } from '../contract.ts';
import styles from './review-card.module.css';

const STARS = [1, 2, 3, 4, 5];

/** The shop's public reply to a review. */
interface PublicReply {
  readonly text: string;
  /** Empty if the shop has no name. */
  readonly shopName: string;
}

interface ReviewCardProps {
  readonly review: Review;
  readonly reply: PublicReply | null;
  /** Its author bought the product here. */
  readonly isVerified?: boolean | undefined;
}

export function ReviewCard({ review, reply, isVerified }: ReviewCardProps) {
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
      {reply !== null && (
        <div className={styles.reply}>
          <p className="strong">Reply from {reply.shopName || 'the shop'}</p>
          <p>{reply.text}</p>
        </div>
      )}
      <footer className={styles.foot}>
        <h3>{name}</h3>
        {isVerified && <span>Verified purchase</span>}
        <time dateTime={created} suppressHydrationWarning>
          {formatDate(created, 'numeric', timeZone)}
        </time>
      </footer>
    </article>
  );
}
