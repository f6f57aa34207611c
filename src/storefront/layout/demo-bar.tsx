import { Link, useRouteLoaderData } from 'react-router';
import styles from './demo-bar.module.css';

/** What the root loader says of the demo; null in a shop that sells. */
export interface Demo {
  /** Whether the wallet page is there: payments come from the demo's own chain. */
  readonly hasWallet: boolean;
}

/** The demo that this page belongs to; null in a shop that sells. */
export function useDemo(): Demo | null {
  return useRouteLoaderData<{ readonly demo: Demo | null }>('root')?.demo ?? null;
}

/** A slim bar above every page of the demo, with the ways to its wallet and mailbox. */
export function DemoBar() {
  const demo = useDemo();
  if (demo === null) return null;
  return (
    <aside className={styles.bar} aria-label="About this demo">
      <p>
        Demo shop.{' '}
        {demo.hasWallet && (
          <>
            Pay with the <Link to="/dev/wallet">demo wallet</Link>, read{' '}
          </>
        )}
        {!demo.hasWallet && 'Read '}
        the <Link to="/dev/mail">mailbox</Link>.
      </p>
    </aside>
  );
}
