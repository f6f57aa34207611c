import { cacheFragment } from '#src/platform/pages/browser/fragment-cache.tsx';
import type { Review, ReviewReply } from '../contract.ts';
import type { ReviewSummary } from '../describe-reviews.ts';
import { classNames } from '#src/ui/styles/class-names.ts';
import styles from './product-reviews.module.css';
import { ReviewList } from './review-list.tsx';

const RATINGS = [5, 4, 3, 2, 1];

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

/** How many reviews gave each rating. A progress bar needs no width in a style attribute, which pages may not have. */
function Histogram({ ratings }: { readonly ratings: readonly number[] }) {
  return (
    <ul className={styles.histogram} aria-label="Ratings">
      {RATINGS.map((rating) => {
        const count = ratings.filter((one) => one === rating).length;
        return (
          <li key={rating}>
            <span>{`${rating} ${rating === 1 ? 'star' : 'stars'}`}</span>
            <progress value={count} max={ratings.length} aria-hidden="true" />
            <span>{count}</span>
          </li>
        );
      })}
    </ul>
  );
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
        {average && <Histogram ratings={list.reviews.map(({ rating }) => rating)} />}
        <p className={classNames('muted small measure', styles.note)}>{note}</p>
      </div>
      {average ? <ReviewList label={`Reviews of ${name}`} {...list} /> : <p className="muted">No reviews yet.</p>}
    </section>
  );
}

/** Reviews of a product. */
export const ProductReviews = cacheFragment(Reviews);
