import type { Review } from '../contract.ts';
import { ReviewCard } from './review-card.tsx';
import styles from './review-list.module.css';

interface ReviewListProps {
  /** Accessible name of the list. */
  readonly label: string;
  readonly reviews: readonly Review[];
}

/** A grid on wide screens, otherwise a row that scrolls sideways. Decided by CSS only. */
export function ReviewList({ label, reviews }: ReviewListProps) {
  return (
    <ul
      className={styles.list}
      aria-label={label}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrollable content must be reachable by keyboard
      tabIndex={0}
    >
      {reviews.map((review) => (
        <li key={review.id}>
          <ReviewCard review={review} />
        </li>
      ))}
    </ul>
  );
}
