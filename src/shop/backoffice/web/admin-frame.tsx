import type { ReactNode } from 'react';
import { NavLink } from 'react-router';
import { TitledPage } from '#src/web/layout/titled-page.tsx';
import { classNames } from '#src/web/ui/class-names.ts';
import styles from './admin-frame.module.css';

interface AdminFrameProps {
  readonly title: ReactNode;
  /** Beside the title. */
  readonly beside?: ReactNode;
  readonly children: ReactNode;
}

const SECTIONS = [
  { to: '/admin/payments', text: 'Payments' },
  { to: '/admin/orders', text: 'Orders' },
  { to: '/admin/chain', text: 'Chain' },
];

/** What stands around every page of staff. */
export function AdminFrame({ title, beside, children }: AdminFrameProps) {
  return (
    <TitledPage
      above={
        <nav className={styles.sections} aria-label="Back office">
          {SECTIONS.map(({ to, text }) => (
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
