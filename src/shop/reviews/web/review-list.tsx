import type { Review, ReviewReply } from '../contract.ts';
import { ReviewCard } from './review-card.tsx';
import styles from './review-list.module.css';

interface ReviewListProps {
  /** Accessible name of the list. */
  readonly label: string;
  readonly reviews: readonly Review[];
  /** The shop's public replies to them. */
  readonly replies: readonly ReviewReply[];
  readonly shopName: string;
  /** Ids of reviews by buyers. */
  readonly verified?: readonly string[];
}

/** A grid on wide screens, otherwise a row that scrolls sideways. Decided by CSS only. */
export function ReviewList({ label, reviews, replies, shopName, verified }: ReviewListProps) {
  const texts = new Map(replies.map(({ review_id: id, text }) => [id, text]));
  const findReply = (id: string) => {
    const text = texts.get(id);
    return text === undefined ? null : { text, shopName };
  };
  return (
    <ul
      className={styles.list}
      aria-label={label}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrollable content must be reachable by keyboard
      tabIndex={0}
    >
      {reviews.map((review) => (
        <li key={review.id}>
          <ReviewCard review={review} reply={findReply(review.id)} isVerified={verified?.includes(review.id)} />
        </li>
      ))}
    </ul>
  );
}
