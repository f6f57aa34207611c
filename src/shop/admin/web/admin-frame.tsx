import type { ReactNode } from 'react';
import { NavLink } from 'react-router';
import { TitledPage } from '#src/storefront/layout/titled-page.tsx';
import { useSession } from '#src/storefront/session/session.ts';
import { classNames } from '#src/ui/class-names.ts';
import styles from './admin-frame.module.css';

interface AdminFrameProps {
  readonly title: ReactNode;
  /** Shown beside the title. */
  readonly beside?: ReactNode;
  readonly children: ReactNode;
}

const SECTIONS = [
  { to: '/admin/payments', text: 'Payments' },
  { to: '/admin/orders', text: 'Orders' },
  { to: '/admin/reservations', text: 'Reserved stock' },
  { to: '/admin/chain', text: 'Chain' },
];
const OWNERS_SECTION = { to: '/admin/owner', text: 'Owner' };

/** Frame of every admin page. */
export function AdminFrame({ title, beside, children }: AdminFrameProps) {
  const isOwner = useSession(({ user }) => user?.role === 'owner');
  const sections = isOwner ? [...SECTIONS, OWNERS_SECTION] : SECTIONS;
  return (
    <TitledPage
      above={
        <nav className={styles.sections} aria-label="Back office">
          {sections.map(({ to, text }) => (
            <NavLink key={to} to={to} prefetch="intent" className={classNames(styles.section)}>
              {text}
            </NavLink>
          ))}
        </nav>
      }
      title={title}
      beside={beside}
    >
      {children}
    </TitledPage>
  );
}
