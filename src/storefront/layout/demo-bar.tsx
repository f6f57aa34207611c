import { Link, useRouteLoaderData } from 'react-router';
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

/** Bar above every page in demo mode, with links to the wallet and the mailbox. */
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
