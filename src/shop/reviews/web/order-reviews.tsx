import { useState } from 'react';
import { Link } from 'react-router';
import { readField } from '#src/ui/form/read-field.ts';
import { isRefusal } from '#src/storefront/api.ts';
import { call } from '#src/storefront/call.ts';
import { Button } from '#src/ui/controls/button.tsx';
import { Field } from '#src/ui/fields/field.tsx';
import type { FormFailure, FormState } from '#src/ui/form/use-form.ts';
import { TextArea } from '#src/ui/fields/text-area.tsx';
import { useHydrated } from '#src/ui/react/use-hydrated.ts';
import { describeFailure } from '#src/storefront/forms/describe-failure.ts';
import { useCallForm } from '#src/storefront/forms/use-call-form.ts';
import { getNameError, getReviewError, MAX_NAME_LENGTH } from '../check-review.ts';
import type { OwnReview, ReviewState } from '../contract.ts';
import styles from './order-reviews.module.css';

interface PurchasedProduct {
  readonly id: string;
  readonly name: string;
  readonly slug: string;
}

interface OrderReviewsProps {
  /** Products of the order, without duplicates. */
  readonly products: readonly PurchasedProduct[];
  /** All reviews of the buyer. */
  readonly ownReviews: readonly OwnReview[];
  /** Name that a new review shows unless the buyer changes it. */
  readonly defaultName: string;
}

const STATES: Readonly<Record<ReviewState, string>> = {
  waiting: 'Thank you. Your review appears after we approve it.',
  approved: 'Published on the product page.',
  rejected: 'Not published.',
};
const STARS = [1, 2, 3, 4, 5];

/** REV-03: the buyer's reviews of the products of a paid order. */
export function OrderReviews({ products, ownReviews, defaultName }: OrderReviewsProps) {
  return (
    <section aria-labelledby="your-reviews-title" className={styles.section}>
      <h2 id="your-reviews-title">Your reviews</h2>
      {products.map((product) => (
        <ProductReview
          key={product.id}
          product={product}
          defaultName={defaultName}
          reviewed={ownReviews.find(({ product_id: id }) => id === product.id) ?? null}
        />
      ))}
    </section>
  );
}

interface ProductReviewProps {
  readonly product: PurchasedProduct;
  readonly reviewed: OwnReview | null;
  readonly defaultName: string;
}

function ProductReview({ product, reviewed, defaultName }: ProductReviewProps) {
  const [written, setWritten] = useState<OwnReview | null>(null);
  const review = written ?? reviewed;
  if (review === null) return <ReviewForm product={product} defaultName={defaultName} onWritten={setWritten} />;
  return (
    <div className={styles.written}>
      <p className={styles.head}>
        <Link to={`/catalog/product/${product.slug}`}>{product.name}</Link>
        <span className="muted tabular">{review.rating}/5</span>
      </p>
      <p className="multiline">{review.text}</p>
      <p className="muted small" role={written === null ? undefined : 'status'}>
        {STATES[review.state]} Name shown: <bdi>{review.name}</bdi>
      </p>
    </div>
  );
}

interface TypedReview {
  readonly rating: number;
  readonly text: string;
  readonly name: string;
}

const readReview = (form: FormData): TypedReview => ({
  rating: Number(readField(form, 'rating')),
  text: readField(form, 'text'),
  name: readField(form, 'name'),
});

const checkReview = ({ rating, text, name }: TypedReview) => ({
  rating: STARS.includes(rating) ? null : 'Choose 1 to 5 stars',
  text: getReviewError(text),
  name: getNameError(name),
});

function toFailure(error: unknown): FormFailure {
  const reason = isRefusal(error) ? error.fields['name'] : undefined;
  return reason === undefined
    ? { text: describeFailure(error), problems: {} }
    : { text: null, problems: { name: `Name to show ${reason}` } };
}

function ReviewForm({
  product,
  defaultName,
  onWritten,
}: {
  readonly product: PurchasedProduct;
  readonly defaultName: string;
  readonly onWritten: (review: OwnReview) => void;
}) {
  const isHydrated = useHydrated();
  const { ref, submit, isBusy, failure, bind } = useCallForm({
    log: 'Sending the review failed',
    read: (form) => readReview(new FormData(form)),
    check: checkReview,
    send: async (review) => onWritten(await call('POST /reviews', { body: { product_id: product.id, ...review } })),
    describe: toFailure,
  });
  return (
    <details className={styles.details}>
      <summary>
        {product.name} <span>write a review</span>
      </summary>
      <form ref={ref} noValidate className={styles.form} onSubmit={submit}>
        {failure !== null && (
          <p role="alert" className={styles.fault}>
            {failure}
          </p>
        )}
        <RatingField {...bind('rating')} />
        <TextArea label="Your review" {...bind('text')} rows={4} />
        <Field
          label="Name to show"
          {...bind('name')}
          autoComplete="given-name"
          defaultValue={defaultName}
          maxLength={MAX_NAME_LENGTH}
          hint="Everybody can see it."
        />
        <Button type="submit" variant="secondary" isBusy={isBusy} disabled={!isHydrated}>
          Send review
        </Button>
      </form>
    </details>
  );
}

const RatingField = ({ name, message, isInvalid, onChange }: ReturnType<FormState['bind']>) => (
  <fieldset className={styles.rating} data-invalid={isInvalid || undefined}>
    <legend>Your rating</legend>
    <div className={styles.stars}>
      {STARS.map((star) => (
        <label key={star}>
          <input type="radio" name={name} value={star} onChange={onChange} />
          <span className="visually-hidden">{star === 1 ? '1 star' : `${star} stars`}</span>
        </label>
      ))}
    </div>
    {message !== undefined && (
      <p role="alert" className={styles.fault}>
        {message}
      </p>
    )}
  </fieldset>
);
