import { NavLink } from 'react-router';
import { classNames } from '#src/ui/styles/class-names.ts';
import { Icon } from '#src/ui/graphics/icons.tsx';
import { cacheFragment } from '#src/platform/pages/browser/fragment-cache.tsx';
import { AccountLink } from './account-link.tsx';
import styles from './bottom-bar.module.css';
import { CartDot, CartName } from './cart-link.tsx';
import { useSection } from './use-section.ts';

function Bar() {
  return (
    <nav aria-label="Main" className={styles.bar}>
      <NavLink to="/" end className={classNames(styles.item)}>
        <Icon name="home" size={22} />
        Home
      </NavLink>
      <NavLink to="/catalog" className={classNames(styles.item)}>
        <Icon name="grid" size={22} />
        Catalog
      </NavLink>
      <NavLink to="/cart" className={classNames(styles.item)}>
        <span className={styles.icon}>
          <Icon name="bag" size={22} />
          <CartDot />
        </span>
        <CartName />
      </NavLink>
      <AccountLink className={styles.item} />
    </nav>
  );
}

/** Bottom navigation on phones. */
export const BottomBar = cacheFragment(Bar, useSection);
