import { Link } from 'react-router';
import { cacheFragment } from '#src/platform/pages/browser/fragment-cache.tsx';
import styles from './footer.module.css';
import { Logo } from './logo.tsx';
import { SHOP_ADDRESS, SHOP_NAME } from '#src/shop/shop-identity.ts';

function FooterParts() {
  return (
    <footer className={styles.footer}>
      <div className={styles.inner}>
        <div>
          <Logo />
          <p className={styles.address}>{SHOP_ADDRESS}</p>
        </div>
        <nav aria-label="Footer">
          <ul>
            <li>
              <Link to="/">Home</Link>
            </li>
            <li>
              <Link to="/free-shipping">Free shipping</Link>
            </li>
            <li>
              <Link to="/how-to-buy">How to buy</Link>
            </li>
            <li>
              <Link to="/contact">Contact</Link>
            </li>
            <li>
              <Link to="/terms">Terms</Link>
            </li>
            <li>
              <Link to="/privacy">Privacy</Link>
            </li>
            <li>
              <Link to="/returns">Returns</Link>
            </li>
          </ul>
        </nav>
        <p className={styles.note}>{`${SHOP_NAME} is not affiliated with Apple Inc.`}</p>
      </div>
    </footer>
  );
}

export const Footer = cacheFragment(FooterParts);
