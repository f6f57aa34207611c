import { Link } from 'react-router';
import { Icon } from '../graphics/icons.tsx';
import styles from './back-link.module.css';

/** Link to the parent page. */
export function BackLink({ to, text }: { readonly to: string; readonly text: string }) {
  return (
    <Link to={to} className={styles.back}>
      <Icon name="arrowLeft" size={18} />
      {text}
    </Link>
  );
}
