import { NavLink } from 'react-router';
import { Icon } from '#src/ui/icons.tsx';
import styles from './account-link.module.css';
import { classNames } from '#src/ui/class-names.ts';

/**
 * Both links are in the HTML, which is the same for everybody; a mark on the document, set before the first paint,
 * decides which of them is shown.
 */
export function AccountLink({ className }: { readonly className: string | undefined }) {
  return (
    <>
      <NavLink to="/dashboard" className={classNames(className, styles.profile)}>
        <Icon name="user" size={22} />
        Profile
      </NavLink>
      <NavLink to="/login" className={classNames(className, styles.login)}>
        <Icon name="user" size={22} />
        Login
      </NavLink>
    </>
  );
}

/** Shown by the same kind of mark. */
export function CartDot() {
  return <span className={styles.dot} />;
}

/** What the dot shows is said after the name: "Cart, has items". Hidden words of their own would be read with a gap. */
export function CartName() {
  return (
    <>
      <span aria-hidden="true">Cart</span>
      <span className="visually-hidden">
        Cart<span className={styles.items}>, has items</span>
      </span>
    </>
  );
}
