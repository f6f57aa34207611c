import { NavLink } from 'react-router';
import { classNames } from '#src/ui/styles/class-names.ts';
import { Icon } from '#src/ui/graphics/icons.tsx';
import { cacheFragment } from '#src/platform/pages/browser/fragment-cache.tsx';
import { AccountLink } from './account-link.tsx';
import { CartDot, CartName } from './cart-link.tsx';
import { useDeliveryPromise } from '../location/use-delivery-promise.ts';
import styles from './header.module.css';
import { LocationButton } from '../location/location-button.tsx';
import { Logo } from './logo.tsx';
import type { ShopIdentity } from '../shop-identity.ts';
import { useSection } from './use-section.ts';
import { SearchBox } from '../search/search-box.tsx';
import { MENU_ID, ShopLinks } from './shop-links.tsx';
import type { HeaderCategory } from './shop-links.tsx';

function DeliveryLine() {
  const { text } = useDeliveryPromise();
  return (
    text && (
      <p>
        <Icon name="truck" size={14} />
        <span>{text}</span>
      </p>
    )
  );
}

interface HeaderProps {
  readonly categories: readonly HeaderCategory[];
  /** Part of the cache key: parts of the header read it. */
  readonly shop: Partial<ShopIdentity>;
}

function HeaderParts({ categories }: HeaderProps) {
  return (
    <>
      <header className={styles.header}>
        <div className={styles.top}>
          <LocationButton />
          <DeliveryLine />
        </div>
        <div className={styles.main}>
          <Logo />
          <NavLink to="/catalog" prefetch="intent" className={classNames(styles.catalog)}>
            <Icon name="grid" size={18} />
            Catalog
          </NavLink>
          <SearchBox />
          <button type="button" className={styles.menu} aria-label="Menu" popoverTarget={MENU_ID}>
            <Icon name="menu" size={24} />
          </button>
          <nav aria-label="Cart and account" className={styles.own}>
            <NavLink to="/cart" className={classNames(styles.item)}>
              <span className={styles.icon}>
                <Icon name="bag" size={22} />
                <CartDot />
              </span>
              <CartName />
            </NavLink>
            <AccountLink className={styles.item} />
          </nav>
        </div>
      </header>
      <ShopLinks categories={categories} />
    </>
  );
}

export const Header = !import.meta.env.SSR
  ? HeaderParts
  : cacheFragment(HeaderParts, (props) => useSection() + JSON.stringify(props));
