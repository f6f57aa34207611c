import { useLocation } from 'react-router';
import { isOfBackOffice } from '../page/back-office.ts';
import { Button, ButtonLink } from '#src/ui/controls/button.tsx';
import styles from './failed-page.module.css';

/** Content of the 404 page. */
export function NotFoundMessage() {
  return (
    <div className={styles.page}>
      <p className={styles.code}>404</p>
      <h1>Page not found</h1>
      <p className={styles.text}>Check the address or browse the catalog.</p>
      <ButtonLink to="/catalog">Go to the catalog</ButtonLink>
    </div>
  );
}

const FAILURES: Readonly<Record<number, readonly [string, string]>> = {
  429: ['Too many requests', 'You opened too many pages in a short time.'],
  503: ['The shop is very busy', 'We get too many requests.'],
};

/** Content of the error page. @param status of the response; null if there is none */
export function FailedPage({ status }: { readonly status: number | null }) {
  const isBackOffice = isOfBackOffice(useLocation().pathname);
  const ours = isBackOffice ? 'This is an error of the shop.' : 'This is our error. Your cart is saved.';
  const [title, reason] = FAILURES[status ?? 0] ?? ['Something went wrong', ours];
  return (
    <div className={styles.page}>
      <h1>{title}</h1>
      <p className={styles.text}>{reason} Try again in a moment.</p>
      <div className={styles.actions}>
        <Button onClick={() => window.location.reload()}>Try again</Button>
        <ButtonLink to={isBackOffice ? '/admin' : '/catalog'} variant="secondary">
          {isBackOffice ? 'Go to the back office' : 'Go to the catalog'}
        </ButtonLink>
      </div>
    </div>
  );
}
