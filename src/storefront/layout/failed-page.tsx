import { Button, ButtonLink } from '#src/ui/button.tsx';
import styles from './failed-page.module.css';

/** Content of the 404 page. */
export function NotFoundMessage() {
  return (
    <div className={styles.page}>
      <p className={styles.code}>404</p>
      <h1>This page is not here</h1>
      <p className={styles.text}>
        It may have moved, or the address has a slip in it. Everything we sell is in the catalog.
      </p>
      <ButtonLink to="/catalog">Go to the catalog</ButtonLink>
    </div>
  );
}

const FAILURES: Readonly<Record<number, readonly [string, string]>> = {
  429: ['Please slow down', 'You opened very many pages in a short time.'],
  503: ['We are very busy', 'More requests arrive than we can answer at once.'],
};

/** Content of the error page. @param status of the response; null if there is none */
export function FailedPage({ status }: { readonly status: number | null }) {
  const [title, reason] = FAILURES[status ?? 0] ?? ['Something went wrong', 'It is our fault, and your cart is safe.'];
  return (
    <div className={styles.page}>
      <h1>{title}</h1>
      <p className={styles.text}>{reason} Please try again in a moment.</p>
      <div className={styles.actions}>
        <Button onClick={() => window.location.reload()}>Try again</Button>
        <ButtonLink to="/catalog" variant="secondary">
          Go to the catalog
        </ButtonLink>
      </div>
    </div>
  );
}
