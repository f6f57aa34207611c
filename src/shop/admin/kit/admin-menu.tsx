import { NavLink, useLocation } from 'react-router';
import { mayUse } from '#src/shop/permissions.ts';
import type { Area } from '#src/shop/permissions.ts';
import { classNames } from '#src/ui/class-names.ts';
import { Icon } from '#src/ui/icons.tsx';
import { formatNumber } from '#src/shop/format-number.ts';
import styles from './admin-frame.module.css';
import { describeWaiting, useWaitingCount, useWaitingCounts } from './waiting-counts.ts';
import type { WaitingKind } from './waiting-counts.ts';
import { useRole } from './use-may-use.ts';

interface Section {
  readonly to: string;
  readonly text: string;
  /** Null: for every role. */
  readonly area: Area | null;
  /** What waits for staff on it. */
  readonly waiting?: WaitingKind;
}

interface SectionGroup {
  readonly title: string;
  readonly sections: readonly Section[];
}

const HOME = { to: '/admin', text: 'Home' };

const GROUPS: readonly SectionGroup[] = [
  {
    title: 'Sales',
    sections: [
      { to: '/admin/orders', text: 'Orders', area: 'orders', waiting: 'to_ship' },
      { to: '/admin/invoices', text: 'Invoices', area: 'orders', waiting: 'failed_invoices' },
      { to: '/admin/carriers', text: 'Carriers', area: 'shipping' },
      { to: '/admin/payments', text: 'Payment tasks', area: 'payments', waiting: 'payments' },
      { to: '/admin/sales', text: 'Sales figures', area: 'reports' },
      { to: '/admin/reservations', text: 'Reserved stock', area: 'stock' },
      { to: '/admin/chain', text: 'Chain', area: 'payments' },
    ],
  },
  {
    title: 'Customers',
    sections: [
      { to: '/admin/tickets', text: 'Tickets', area: 'support', waiting: 'tickets' },
      { to: '/admin/canned-answers', text: 'Canned answers', area: 'support' },
      { to: '/admin/messages', text: 'Messages', area: 'support', waiting: 'new_messages' },
      { to: '/admin/reviews', text: 'Reviews', area: 'support', waiting: 'reviews' },
      { to: '/admin/customers', text: 'Customers', area: 'customers' },
    ],
  },
  {
    title: 'Catalogue',
    sections: [
      { to: '/admin/products', text: 'Products', area: 'catalogue' },
      { to: '/admin/categories', text: 'Categories', area: 'catalogue' },
      { to: '/admin/brands', text: 'Brands', area: 'catalogue' },
      { to: '/admin/import', text: 'Import', area: 'catalogue' },
      { to: '/admin/inventory', text: 'Inventory', area: 'stock', waiting: 'low_stock' },
      { to: '/admin/pictures', text: 'Pictures', area: 'catalogue' },
    ],
  },
  {
    title: 'Online shop',
    sections: [
      { to: '/admin/promotions', text: 'Promotions', area: 'catalogue' },
      { to: '/admin/content', text: 'Content', area: 'catalogue' },
    ],
  },
  {
    title: 'Administration',
    sections: [
      { to: '/admin/settings', text: 'Settings', area: 'settings' },
      { to: '/admin/tax', text: 'Tax', area: 'settings' },
      { to: '/admin/shipping', text: 'Shipping', area: 'settings' },
      { to: '/admin/audit', text: 'Audit log', area: 'audit' },
      { to: '/admin/owner', text: 'Owner', area: 'team' },
      { to: '/admin/webhooks', text: 'Webhooks', area: 'integrations' },
      { to: '/admin/api-keys', text: 'API keys', area: 'integrations' },
      { to: '/admin/security', text: 'Security', area: null },
    ],
  },
];

const ALL = [HOME, ...GROUPS.flatMap(({ sections }) => sections)];

/** Name of the section that a path belongs to. */
const findSection = (path: string): string | undefined =>
  ALL.findLast(({ to }) => path === to || path.startsWith(`${to}/`))?.text;

interface AdminMenuProps {
  /** The visitor lacks the second factor, without which the counts are refused. */
  readonly isClosed: boolean;
}

/** Links to all admin pages: a column beside the page, a menu above it on small windows. */
export function AdminMenu({ isClosed }: AdminMenuProps) {
  const { pathname } = useLocation();
  const role = useRole();
  const groups = GROUPS.map(({ title, sections }) => ({
    title,
    sections: sections.filter(({ area }) => area === null || mayUse(role, area)),
  })).filter(({ sections }) => sections.length > 0);
  return (
    <nav className={styles.menu} aria-label="Back office">
      {!isClosed && <WaitingCounts />}
      {/* Another page starts with a closed menu. */}
      <details key={pathname}>
        <summary className={styles.summary}>
          <Icon name="menu" size={20} />
          Back office
          <span className={styles.current}>{findSection(pathname)}</span>
          <Icon name="chevronDown" size={18} />
        </summary>
        <div className={styles.groups}>
          <ul>
            <SectionLink {...HOME} />
          </ul>
          {groups.map(({ title, sections }) => (
            <div key={title}>
              <p className={styles.title} id={toTitleId(title)}>
                {title}
              </p>
              <ul aria-labelledby={toTitleId(title)}>
                {sections.map((section) => (
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

function WaitingCounts() {
  useWaitingCounts();
  return null;
}

const toTitleId = (title: string): string => `menu-${title.toLowerCase().replaceAll(' ', '-')}`;

function SectionLink({ to, text, waiting }: Pick<Section, 'to' | 'text' | 'waiting'>) {
  const count = useWaitingCount(waiting ?? null);
  return (
    <li className={styles.item}>
      <NavLink to={to} end={to === HOME.to} prefetch="intent" className={classNames(styles.section)}>
        {text}
      </NavLink>
      {waiting !== undefined && count > 0 && (
        <span className={styles.number}>
          {formatNumber(count)}
          <span className="visually-hidden"> {describeWaiting(waiting)}</span>
        </span>
      )}
    </li>
  );
}
