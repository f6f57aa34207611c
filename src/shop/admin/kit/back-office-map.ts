/** Where the pages of the back office are: the entries of its rail, and the pages behind each. */
import { mayUse } from '#src/shop/permissions.ts';
import type { Area } from '#src/shop/permissions.ts';
import type { WaitingKind } from './waiting-counts.ts';
import type { RailIconName } from './rail-icon.tsx';

interface Section {
  readonly to: string;
  readonly text: string;
  /** Null: for every role. */
  readonly area: Area | null;
  /** What waits for staff on it. */
  readonly waiting?: WaitingKind;
  /** Pages that belong to it too. */
  readonly also?: readonly { readonly to: string; readonly text: string }[];
}

export interface Entry {
  readonly text: string;
  readonly icon: RailIconName;
  /** The first one is the page of the entry. */
  readonly sections: readonly [Section, ...Section[]];
}

const ENTRIES: readonly Entry[] = [
  { text: 'Home', icon: 'home', sections: [{ to: '/admin', text: 'Home', area: null }] },
  {
    text: 'Orders',
    icon: 'orders',
    sections: [
      { to: '/admin/orders', text: 'Orders', area: 'orders', waiting: 'to_ship' },
      { to: '/admin/returns', text: 'Returns', area: 'orders', waiting: 'returns' },
      { to: '/admin/withdrawals', text: 'Withdrawals without order', area: 'orders', waiting: 'withdrawals' },
      { to: '/admin/payments', text: 'Payment tasks', area: 'payments', waiting: 'payments' },
      { to: '/admin/invoices', text: 'Invoices', area: 'orders', waiting: 'failed_invoices' },
      { to: '/admin/serial-numbers', text: 'Serial numbers', area: 'shipping' },
      { to: '/admin/chain', text: 'Chain', area: 'payments' },
    ],
  },
  {
    text: 'Products',
    icon: 'products',
    sections: [
      { to: '/admin/products', text: 'Products', area: 'catalogue' },
      { to: '/admin/categories', text: 'Categories', area: 'catalogue' },
      { to: '/admin/brands', text: 'Brands', area: 'catalogue' },
      { to: '/admin/pictures', text: 'Pictures', area: 'catalogue' },
      { to: '/admin/import', text: 'Import', area: 'catalogue' },
    ],
  },
  {
    text: 'Inventory',
    icon: 'inventory',
    sections: [
      { to: '/admin/inventory', text: 'Inventory', area: 'stock', waiting: 'low_stock' },
      { to: '/admin/reservations', text: 'Reserved stock', area: 'stock' },
    ],
  },
  {
    text: 'Customers',
    icon: 'customers',
    sections: [{ to: '/admin/customers', text: 'Customers', area: 'customers' }],
  },
  {
    text: 'Support',
    icon: 'support',
    sections: [
      { to: '/admin/tickets', text: 'Tickets', area: 'support', waiting: 'tickets' },
      { to: '/admin/messages', text: 'Messages', area: 'support', waiting: 'new_messages' },
      { to: '/admin/reviews', text: 'Reviews', area: 'support', waiting: 'reviews' },
      { to: '/admin/canned-answers', text: 'Canned answers', area: 'support' },
    ],
  },
  {
    text: 'Marketing',
    icon: 'marketing',
    sections: [
      { to: '/admin/promotions', text: 'Promotions', area: 'catalogue' },
      { to: '/admin/content', text: 'Content', area: 'catalogue' },
    ],
  },
  {
    text: 'Reports',
    icon: 'reports',
    sections: [
      { to: '/admin/sales', text: 'Sales figures', area: 'reports' },
      { to: '/admin/accounting', text: 'Accounting', area: 'accounting' },
    ],
  },
  {
    text: 'Settings',
    icon: 'settings',
    sections: [
      { to: '/admin/settings', text: 'General', area: 'settings' },
      { to: '/admin/settings/payments', text: 'Payments', area: 'settings' },
      { to: '/admin/shipping', text: 'Delivery', area: 'settings' },
      { to: '/admin/carriers', text: 'Carriers', area: 'shipping' },
      {
        to: '/admin/tax',
        text: 'Tax',
        area: 'settings',
        also: [{ to: '/admin/invoice-currency', text: 'Invoice currency' }],
      },
      { to: '/admin/settings/mail', text: 'Mail', area: 'settings' },
      { to: '/admin/settings/texts', text: 'Texts', area: 'settings' },
      { to: '/admin/settings/retention', text: 'Retention', area: 'settings' },
      { to: '/admin/settings/team', text: 'Team', area: 'team', also: [{ to: '/admin/owner', text: 'Owner' }] },
      { to: '/admin/security', text: 'Security', area: null },
      {
        to: '/admin/settings/integrations',
        text: 'Integrations',
        area: 'integrations',
        also: [
          { to: '/admin/webhooks', text: 'Webhooks' },
          { to: '/admin/api-keys', text: 'API keys' },
        ],
      },
      { to: '/admin/audit', text: 'Audit log', area: 'audit' },
      { to: '/admin/settings/system', text: 'System', area: 'settings' },
    ],
  },
];

/** The entries of a role, each with the pages that the role may use. */
export const listEntries = (role: string): Entry[] =>
  ENTRIES.flatMap((entry) => {
    const [first, ...others] = entry.sections.filter(({ area }) => area === null || mayUse(role, area));
    return first === undefined ? [] : [{ ...entry, sections: [first, ...others] as const }];
  });

/** The longest path of the section that is the page or above it. */
function matchSection({ to, also = [] }: Section, path: string): number {
  const isOn = (one: string): boolean => path === one || (one !== '/admin' && path.startsWith(`${one}/`));
  return Math.max(0, ...[to, ...also.map((page) => page.to)].filter((one) => isOn(one)).map((one) => one.length));
}

export interface Place {
  readonly entry: Entry;
  readonly section: Section;
}

/** Where a page is among the entries; null for a page that is none of them. */
export function findPlace(entries: readonly Entry[], path: string): Place | null {
  const places = entries.flatMap((entry) =>
    entry.sections.map((section) => ({ entry, section, match: matchSection(section, path) })),
  );
  const [best] = places.filter(({ match }) => match > 0).toSorted((one, other) => other.match - one.match);
  return best === undefined ? null : { entry: best.entry, section: best.section };
}
