import { Link } from 'react-router';
import styles from './logo.module.css';
import { useShop } from '../shop-identity.ts';

/** An open ring with a block in the gap. */
function LogoMark({ size = 32 }: { readonly size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" fill="none" aria-hidden="true">
      <path d="M20.2 8.3a10 10 0 1 0 0 15.4" stroke="currentColor" strokeWidth="5" strokeLinecap="round" />
      <rect x="21" y="12.5" width="7" height="7" rx="2" fill="currentColor" />
    </svg>
  );
}

/** The logo picture; without one the name of the shop. */
export function Logo({ to = '/' }: { readonly to?: string }) {
  const { hasDemoMark, logo, name } = useShop();
  return (
    <Link to={to} prefetch="intent" className={styles.logo}>
      {hasDemoMark && <LogoMark />}
      {logo ? <img src={logo} alt={name || 'Home'} /> : <span translate="no">{name || 'Home'}</span>}
    </Link>
  );
}
