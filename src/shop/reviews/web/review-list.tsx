import type { Review } from '../contract.ts';
import { ReviewCard } from './review-card.tsx';
import styles from './review-list.module.css';

interface ReviewListProps {
  /** What the reviews are about, for those who cannot see it. */
  readonly label: string;
  readonly reviews: readonly Review[];
}

/** A grid where there is room, else a row that scrolls sideways; which of them, the styles alone decide. */
export function ReviewList({ label, reviews }: ReviewListProps) {
  return (
    <ul
      className={styles.list}
      aria-label={label}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be in reach of the keyboard
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
