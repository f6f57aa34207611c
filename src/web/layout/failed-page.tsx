import { Button, ButtonLink } from '../ui/button.tsx';
import styles from './failed-page.module.css';

/** What stands at an address that leads nowhere. */
export function MissingPage() {
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

/** What stands where a page could not be made. */
export function FailedPage() {
  return (
    <div className={styles.page}>
      <h1>Something went wrong</h1>
      <p className={styles.text}>It is our fault, and your cart is safe. Please try again in a moment.</p>
      <div className={styles.actions}>
        <Button onClick={() => window.location.reload()}>Try again</Button>
        <ButtonLink to="/catalog" variant="secondary">
          Go to the catalog
        </ButtonLink>
      </div>
    </div>
  );
}
