import { Link, NavLink } from 'react-router';
import { classNames } from '../ui/class-names.ts';
import { Icon } from '../ui/icons.tsx';
import { keptOnServer } from '../kept.tsx';
import { AccountLink, CartDot, CartName } from './account-link.tsx';
import styles from './header.module.css';
import { LocationButton } from './location-button.tsx';
import { Logo } from './logo.tsx';
import { useSection } from './use-section.ts';
import { SearchBox } from './search-box.tsx';

export interface HeaderCategory {
  readonly id: string;
  readonly name: string;
  readonly slug: string;
}

function HeaderParts({ categories }: { readonly categories: readonly HeaderCategory[] }) {
  return (
    <>
      <header className={styles.header}>
        <div className={styles.top}>
          <LocationButton />
          <p>
            <Icon name="truck" size={14} />
            Delivery today in 24 hours
          </p>
        </div>
        <div className={styles.main}>
          <Logo />
          <NavLink to="/catalog" prefetch="intent" className={classNames(styles.catalog)}>
            <Icon name="grid" size={18} />
            Catalog
          </NavLink>
          <SearchBox />
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
      <nav aria-label="Shop" className={styles.links}>
        <ul>
          <li>
            <NavLink to="/" end prefetch="intent">
              Home
            </NavLink>
          </li>
          <li>
            <NavLink to="/free-shipping">Free shipping</NavLink>
          </li>
          <li>
            <NavLink to="/how-to-buy">How to buy</NavLink>
          </li>
        </ul>
        <ul className={styles.categories}>
          {categories.map((category) => (
            <li key={category.id}>
              <Link to={`/catalog/category/${category.slug}`} prefetch="intent">
                {category.name}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
    </>
  );
}

export const Header = keptOnServer(HeaderParts, (props) => useSection() + JSON.stringify(props));
