import { cacheFragment } from '#src/platform/pages/browser/fragment-cache.tsx';
import type { Review, ReviewReply } from '../contract.ts';
import type { ReviewSummary } from '../describe-reviews.ts';
import styles from './product-reviews.module.css';
import { ReviewList } from './review-list.tsx';

interface ProductReviewsProps {
  /** Name of the product. */
  readonly name: string;
  readonly reviews: readonly Review[];
  readonly replies: readonly ReviewReply[];
  readonly shopName: string;
  /** Ids of reviews by buyers. */
  readonly verified: readonly string[];
  readonly summary: ReviewSummary;
}

function Reviews({ name, summary: { average, note }, ...list }: ProductReviewsProps) {
  return (
    <section aria-labelledby="reviews-title" className={styles.section}>
      <div>
        <h2 id="reviews-title">Reviews</h2>
        {average && (
          <p className={styles.average}>
            <span>{average[0]}</span>
            {average[1]}
          </p>
        )}
        <p className="muted small measure">{note}</p>
      </div>
      {average ? <ReviewList label={`Reviews of ${name}`} {...list} /> : <p className={styles.none}>No reviews yet.</p>}
    </section>
  );
}

/** Reviews of a product. */
export const ProductReviews = cacheFragment(Reviews);
