import { Link, NavLink } from 'react-router';
import { Icon } from '#src/ui/graphics/icons.tsx';
import { nameShipping, useShop } from '../shop-identity.ts';
import { LocationButton } from '../location/location-button.tsx';
import styles from './shop-links.module.css';

export interface HeaderCategory {
  readonly id: string;
  readonly name: string;
  readonly slug: string;
}

/** Referenced by the menu button. */
export const MENU_ID = 'menu';

/** Shop and category links: a row, or on phones the sheet of the menu button. Works without a script. */
export function ShopLinks({ categories }: { readonly categories: readonly HeaderCategory[] }) {
  return (
    <nav aria-label="Shop" id={MENU_ID} popover="auto" className={styles.links}>
      <p className={styles.head}>
        Menu
        <button type="button" aria-label="Close menu" popoverTarget={MENU_ID} popoverTargetAction="hide">
          <Icon name="close" />
        </button>
      </p>
      <ul>
        <li>
          <NavLink to="/" end prefetch="intent">
            Home
          </NavLink>
        </li>
        <li>
          <NavLink to="/free-shipping">{nameShipping(useShop())}</NavLink>
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
      <div className={styles.place}>
        <LocationButton />
      </div>
    </nav>
  );
}
