import { cacheFragment } from '#src/platform/pages/browser/fragment-cache.tsx';
import type { Review, ReviewReply } from '../contract.ts';
import { ReviewList } from './review-list.tsx';
import styles from './shop-reviews.module.css';

interface ShopReviewsProps {
  readonly reviews: readonly Review[];
  readonly replies: readonly ReviewReply[];
  readonly shopName: string;
  /** Whether and how they are verified. */
  readonly note: string;
}

function Reviews({ note, ...props }: ShopReviewsProps) {
  return (
    <section aria-labelledby="reviews-title">
      <h2 id="reviews-title" className={styles.title}>
        {`Reviews user's`}
      </h2>
      <p className="muted small measure">{note}</p>
      <ReviewList label="Reviews of the shop" {...props} />
    </section>
  );
}

/** Reviews of the shop. */
export const ShopReviews = cacheFragment(Reviews);
