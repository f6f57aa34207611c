import { Link } from 'react-router';
import { cacheFragment } from '#src/platform/pages/browser/fragment-cache.tsx';
import styles from './footer.module.css';
import type { LegalData } from './legal-link.tsx';
import { Logo } from './logo.tsx';
import { nameShipping } from '../shop-identity.ts';
import type { ShopIdentity } from '../shop-identity.ts';

/** Each page's path is its text, in a shop with free shipping. */
const LINKS = ['Home', 'Free shipping', 'How to buy', 'Contact'];

interface FooterProps extends LegalData {
  readonly shop: Partial<ShopIdentity>;
  /** The page above fills its width and there is no bottom bar. */
  readonly isBelowPanes?: boolean;
}

function FooterParts({ shop, legal, isBelowPanes = false }: FooterProps) {
  return (
    <footer className={styles.footer} data-plain={isBelowPanes || undefined}>
      <div className={styles.inner}>
        <div>
          <Logo />
          <p translate="no" className={styles.address}>
            {shop.address}
          </p>
        </div>
        <nav aria-label="Footer">
          <ul>
            {[...LINKS, ...legal].map((text) => (
              <li key={text}>
                <Link to={text === 'Home' ? '/' : `/${text.toLowerCase().replaceAll(' ', '-')}`}>
                  {text === 'Free shipping' ? nameShipping(shop) : text}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        {shop.footer_note && <p className={styles.note}>{shop.footer_note}</p>}
      </div>
    </footer>
  );
}

export const Footer = cacheFragment(FooterParts);
