import { Link } from 'react-router';
import { cacheFragment } from '#src/platform/pages/browser/fragment-cache.tsx';
import styles from './footer.module.css';
import type { LegalData } from './legal-link.tsx';
import { Logo } from './logo.tsx';
import { nameShipping } from '../shop-identity.ts';
import type { ShopIdentity } from '../shop-identity.ts';

/** Each page's path is its text, in a shop with free shipping, or here. The law names the text about the withdrawal. */
const PATHS: Readonly<Record<string, string>> = { Home: '/', 'Withdraw from contract here': '/withdrawal' };
const LINKS = ['Home', 'Free shipping', 'How to buy', 'Contact'];

function FooterParts({ shop, legal }: LegalData & { readonly shop: Partial<ShopIdentity> }) {
  return (
    <footer className={styles.footer}>
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
                <Link to={PATHS[text] ?? `/${text.toLowerCase().replaceAll(' ', '-')}`}>
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
