import { Link } from 'react-router';
import { useDemo } from '#src/storefront/layout/demo-bar.tsx';
import styles from './demo-hint.module.css';

/** Demo: how to pay without a wallet. */
export function DemoHint() {
  if (useDemo()?.hasWallet !== true) return null;
  return (
    <p className={styles.hint}>
      This is a demo, so no real bitcoin is needed: <Link to="/dev/wallet">pay with the demo wallet</Link>.
    </p>
  );
}
