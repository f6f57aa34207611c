import { formatNumber } from '#src/shop/format-number.ts';
import { cacheFragment } from '#src/platform/pages/browser/fragment-cache.tsx';
import { computeAverageRating } from '../average-rating.ts';
import type { Review, ReviewReply } from '../contract.ts';
import styles from './product-reviews.module.css';
import { ReviewList } from './review-list.tsx';

const RATINGS = [5, 4, 3, 2, 1];

interface ProductReviewsProps {
  /** Name of the product. */
  readonly name: string;
  readonly reviews: readonly Review[];
  readonly replies: readonly ReviewReply[];
  readonly shopName: string;
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

function Reviews({ name, reviews, replies, shopName }: ProductReviewsProps) {
  const average = computeAverageRating(reviews.map(({ rating }) => rating));
  return (
    <section aria-labelledby="reviews-title" className={styles.section}>
      <div>
        <h2 id="reviews-title">Reviews</h2>
        {average !== null && (
          <p className={styles.average}>
            <span>{formatNumber(average, 1)}</span>
            {` out of 5, from ${reviews.length} ${reviews.length === 1 ? 'review' : 'reviews'}`}
          </p>
        )}
        {reviews.length > 0 && <Histogram ratings={reviews.map(({ rating }) => rating)} />}
      </div>
      {reviews.length === 0 ? (
        <p className={styles.none}>No reviews yet.</p>
      ) : (
        <ReviewList label={`Reviews of ${name}`} reviews={reviews} replies={replies} shopName={shopName} />
      )}
    </section>
  );
}

/** Reviews of a product. */
export const ProductReviews = cacheFragment(Reviews);
