import { Link, useRouteLoaderData } from 'react-router';
import { useShop } from '../shop-identity.ts';
import styles from './demo-bar.module.css';

/** From the root loader; null in live mode. */
export interface Demo {
  /** Whether the wallet page exists: payments come from the devchain. */
  readonly hasWallet: boolean;
}

/** The demo data of this page; null in live mode. */
export function useDemo(): Demo | null {
  return useRouteLoaderData<{ readonly demo: Demo | null }>('root')?.demo ?? null;
}

/** Bars above every page: the announcement of the shop, and in demo mode links to the wallet and the mailbox. */
export function TopBars() {
  return useShop().bars?.map(({ label, parts }) => (
    <aside key={label} className={styles.bar} aria-label={label}>
      <p>
        {parts.map(({ text, to }) =>
          to ? (
            <Link key={text} to={to}>
              {text}
            </Link>
          ) : (
            text
          ),
        )}
      </p>
    </aside>
  ));
}
