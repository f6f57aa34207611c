import { NavLink } from 'react-router';
import { Icon } from '#src/ui/graphics/icons.tsx';
import styles from './account-link.module.css';
import { classNames } from '#src/ui/styles/class-names.ts';

/**
 * Both links are in the HTML, which is the same for every visitor. An attribute of the document, set before the first
 * paint, shows one of them.
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
