import { Link } from 'react-router';
import styles from './logo.module.css';

/** An open ring with a block in the gap. */
export function LogoMark({ size = 32 }: { readonly size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" fill="none" aria-hidden="true">
      <path d="M23.4 7.2a11.5 11.5 0 1 0 0 17.6" stroke="currentColor" strokeWidth="5" strokeLinecap="round" />
      <rect x="17.5" y="11.75" width="8.5" height="8.5" rx="2.25" fill="currentColor" />
    </svg>
  );
}

export function Logo() {
  return (
    <Link to="/" prefetch="intent" className={styles.logo}>
      <LogoMark />
      <span>Crypto Market</span>
    </Link>
  );
}
