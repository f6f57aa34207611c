import { cacheFragment } from '#src/platform/pages/browser/fragment-cache.tsx';
import type { Review } from '../contract.ts';
import { ReviewList } from './review-list.tsx';
import styles from './shop-reviews.module.css';

function Reviews({ reviews }: { readonly reviews: readonly Review[] }) {
  return (
    <section aria-labelledby="reviews-title">
      <h2 id="reviews-title" className={styles.title}>
        {`Reviews user's`}
      </h2>
      <ReviewList label="Reviews of the shop" reviews={reviews} />
    </section>
  );
}

/** Reviews of the shop. */
export const ShopReviews = cacheFragment(Reviews);
