import { useState } from 'react';
import type { SubmitEvent } from 'react';
import { Link } from 'react-router';
import { readField } from '#src/shop/accounts/web/read-field.ts';
import { isRefusal } from '#src/storefront/api.ts';
import { call } from '#src/storefront/call.ts';
import { logError } from '#src/ui/log-error.ts';
import { Button } from '#src/ui/button.tsx';
import { Field } from '#src/ui/field.tsx';
import { TextArea } from '#src/ui/text-area.tsx';
import { useHydrated } from '#src/ui/use-hydrated.ts';
import { describeFailure } from '#src/storefront/forms/describe-failure.ts';
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
        <span className={styles.mark}>{review.rating}/5</span>
      </p>
      <p className={styles.text}>{review.text}</p>
      <p className={styles.state} role={written === null ? undefined : 'status'}>
        {STATES[review.state]} Name shown: <bdi>{review.name}</bdi>
      </p>
    </div>
  );
}

interface FormErrors {
  readonly rating?: string;
  readonly text?: string;
  readonly name?: string;
  readonly failure?: string;
}

const readReview = (form: FormData) => ({
  rating: Number(readField(form, 'rating')),
  text: readField(form, 'text'),
  name: readField(form, 'name'),
});

/** A name that the server refused. */
interface RefusedName {
  readonly name: string;
  readonly message: string;
}

/** Error messages of the invalid fields. */
function validateForm(form: FormData, refused: RefusedName | null): Omit<FormErrors, 'failure'> {
  const { rating, text, name } = readReview(form);
  const textFault = getReviewError(text);
  const nameFault = name === refused?.name ? refused.message : getNameError(name);
  return {
    ...(STARS.includes(rating) ? {} : { rating: 'Choose 1 to 5 stars' }),
    ...(textFault === null ? {} : { text: textFault }),
    ...(nameFault === null ? {} : { name: nameFault }),
  };
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
  const [isBusy, setIsBusy] = useState(false);
  const [errors, setErrors] = useState<FormErrors>({});
  const [refusedName, setRefusedName] = useState<RefusedName | null>(null);

  /** An error stays until its field is valid. */
  const recheck = (form: HTMLFormElement) => {
    const wrong = validateForm(new FormData(form), refusedName);
    setErrors((old) => ({
      ...(old.rating !== undefined && wrong.rating !== undefined && { rating: wrong.rating }),
      ...(old.text !== undefined && wrong.text !== undefined && { text: wrong.text }),
      ...(old.name !== undefined && wrong.name !== undefined && { name: wrong.name }),
    }));
  };
  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isBusy) return;
    const form = new FormData(event.currentTarget);
    const wrong = validateForm(form, refusedName);
    setErrors(wrong);
    if (Object.keys(wrong).length > 0) return;
    setIsBusy(true);
    try {
      onWritten(await call('POST /reviews', { body: { product_id: product.id, ...readReview(form) } }));
    } catch (error) {
      if (!isRefusal(error)) logError('Sending the review failed', error);
      const reason = isRefusal(error) ? error.fields['name'] : undefined;
      if (reason === undefined) setErrors({ failure: describeFailure(error) });
      else {
        const refused = { name: readReview(form).name, message: `Name to show ${reason}` };
        setRefusedName(refused);
        setErrors({ name: refused.message });
      }
      setIsBusy(false);
    }
  };
  return (
    <details className={styles.details}>
      <summary>
        {product.name} <span>write a review</span>
      </summary>
      <form
        noValidate
        className={styles.form}
        onInput={(event) => recheck(event.currentTarget)}
        onSubmit={(event) => void submit(event)}
      >
        {errors.failure !== undefined && (
          <p role="alert" className={styles.fault}>
            {errors.failure}
          </p>
        )}
        <RatingField message={errors.rating} />
        <TextArea label="Your review" name="text" rows={4} message={errors.text} />
        <Field
          label="Name to show"
          name="name"
          autoComplete="given-name"
          defaultValue={defaultName}
          maxLength={MAX_NAME_LENGTH}
          message={errors.name}
          hint="Everybody can see it."
        />
        <Button type="submit" variant="secondary" isBusy={isBusy} disabled={!isHydrated}>
          Send review
        </Button>
      </form>
    </details>
  );
}

const RatingField = ({ message }: { readonly message: string | undefined }) => (
  <fieldset className={styles.rating}>
    <legend>Your rating</legend>
    <div className={styles.stars}>
      {STARS.map((star) => (
        <label key={star}>
          <input type="radio" name="rating" value={star} />
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
