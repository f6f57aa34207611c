import { NavLink, useLocation } from 'react-router';
import { useSession } from '#src/storefront/session/session.ts';
import { classNames } from '#src/ui/class-names.ts';
import { Icon } from '#src/ui/icons.tsx';
import styles from './admin-frame.module.css';

interface Section {
  readonly to: string;
  readonly text: string;
  readonly isForOwners?: boolean;
}

interface SectionGroup {
  readonly title: string;
  readonly sections: readonly Section[];
}

const HOME: Section = { to: '/admin', text: 'Home' };

const GROUPS: readonly SectionGroup[] = [
  {
    title: 'Sales',
    sections: [
      { to: '/admin/orders', text: 'Orders' },
      { to: '/admin/invoices', text: 'Invoices' },
      { to: '/admin/payments', text: 'Payments' },
      { to: '/admin/reservations', text: 'Reserved stock' },
      { to: '/admin/chain', text: 'Chain' },
    ],
  },
  {
    title: 'Catalogue',
    sections: [
      { to: '/admin/products', text: 'Products' },
      { to: '/admin/categories', text: 'Categories' },
      { to: '/admin/brands', text: 'Brands' },
      { to: '/admin/import', text: 'Import' },
      { to: '/admin/inventory', text: 'Inventory' },
      { to: '/admin/pictures', text: 'Pictures' },
    ],
  },
  {
    title: 'Online shop',
    sections: [
      { to: '/admin/promotions', text: 'Promotions' },
      { to: '/admin/content', text: 'Content' },
    ],
  },
  {
    title: 'Administration',
    sections: [
      { to: '/admin/settings', text: 'Settings' },
      { to: '/admin/tax', text: 'Tax' },
      { to: '/admin/shipping', text: 'Shipping' },
      { to: '/admin/owner', text: 'Owner', isForOwners: true },
    ],
  },
];

const ALL = [HOME, ...GROUPS.flatMap(({ sections }) => sections)];

/** Name of the section that a path belongs to. */
const findSection = (path: string): string | undefined =>
  ALL.findLast(({ to }) => path === to || path.startsWith(`${to}/`))?.text;

/** Links to all admin pages: a column beside the page, a menu above it on small windows. */
export function AdminMenu() {
  const { pathname } = useLocation();
  const isOwner = useSession(({ user }) => user?.role === 'owner');
  return (
    <nav className={styles.menu} aria-label="Back office">
      {/* Another page starts with a closed menu. */}
      <details key={pathname}>
        <summary className={styles.summary}>
          <Icon name="menu" size={20} />
          Back office
          <span className={styles.current}>{findSection(pathname)}</span>
          <Icon name="chevronDown" size={18} />
        </summary>
        <div className={styles.groups}>
          <ul className={styles.group}>
            <SectionLink {...HOME} />
          </ul>
          {GROUPS.map(({ title, sections }) => (
            <div key={title}>
              <p className={styles.title} id={toTitleId(title)}>
                {title}
              </p>
              <ul className={styles.group} aria-labelledby={toTitleId(title)}>
                {sections
                  .filter(({ isForOwners = false }) => isOwner || !isForOwners)
                  .map((section) => (
                    <SectionLink key={section.to} {...section} />
                  ))}
              </ul>
            </div>
          ))}
        </div>
      </details>
    </nav>
  );
}

const toTitleId = (title: string): string => `menu-${title.toLowerCase().replaceAll(' ', '-')}`;

function SectionLink({ to, text }: Section) {
  return (
    <li>
      <NavLink to={to} end={to === HOME.to} prefetch="intent" className={classNames(styles.section)}>
        {text}
      </NavLink>
    </li>
  );
}
