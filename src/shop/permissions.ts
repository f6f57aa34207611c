/** Roles of accounts and the areas of the back office that each may use. Pages and calls follow it. */

export const ROLES = ['customer', 'shipping', 'support', 'manager', 'owner'] as const;
export type Role = (typeof ROLES)[number];
/** Names on the screen. */
export const ROLE_NAMES: Readonly<Record<Role, string>> = {
  owner: 'Owner',
  manager: 'Manager',
  support: 'Support',
  shipping: 'Shipping',
  customer: 'Customer',
};
export type StaffRole = Exclude<Role, 'customer'>;

/** What each area contains, as the operator's manual says it. */
export const AREAS = {
  orders: 'See orders, write to their buyers, correct delivery addresses',
  'manual-orders': 'Create orders for customers, renew their price, cancel them',
  shipping: 'Mark orders as shipped and delivered',
  stock: 'See and change stock and reservations',
  support: 'Answer tickets and contact messages, approve reviews',
  customers: 'See customers',
  'customer-changes': 'Block customers, end their sessions, erase accounts',
  catalogue: 'Change products, promotions, pictures and texts',
  payments: 'See payments, the chain and rescans',
  money: 'Accept, refund and write off payments',
  reports: 'See and export figures, see and change costs of products',
  settings: 'See settings, the set-up checklist and health',
  audit: 'See the audit log',
  'settings-changes': 'Change settings, see the environment',
  backups: 'Download backups of the database',
  'legal-texts': 'Publish legal texts',
  accounting: 'Download the accounting export',
  team: 'See and change the team',
  integrations: 'Connect other systems: webhooks and API keys',
} as const;
export type Area = keyof typeof AREAS;

const isArea = (name: string): name is Area => Object.hasOwn(AREAS, name);

/** All areas, in the order of the manual. */
export const listAreas = (): Area[] => Object.keys(AREAS).filter((name) => isArea(name));

const ALL = listAreas();
const FOR_OWNERS: ReadonlySet<Area> = new Set([
  'settings-changes',
  'backups',
  'legal-texts',
  'accounting',
  'team',
  'integrations',
]);

const AREAS_OF: Readonly<Record<Role, readonly Area[]>> = {
  customer: [],
  shipping: ['orders', 'shipping', 'stock'],
  support: ['orders', 'manual-orders', 'shipping', 'support', 'customers'],
  manager: ALL.filter((area) => !FOR_OWNERS.has(area)),
  owner: ALL,
};

export const isRole = (text: string): text is Role => ROLES.some((role) => role === text);

/** Roles of members of the team, the most powerful first. */
export const STAFF_ROLES = ['owner', 'manager', 'support', 'shipping'] as const satisfies readonly StaffRole[];

/** Whether accounts of this role belong to the team. False for an unknown role. */
export const isStaffRole = (role: string): role is StaffRole => isRole(role) && role !== 'customer';

/** Whether this role may use the area. False for an unknown role. */
export const mayUse = (role: string, area: Area): boolean => isRole(role) && AREAS_OF[role].includes(area);

/**
 * As `mayUse`, for a session: false while the back office is closed to it. For calls that members of
 * the team share with customers.
 */
export const mayAct = (
  session: { readonly role: string; readonly lacksSecondFactor?: boolean; readonly lacksLongPassword?: boolean },
  area: Area,
): boolean => isBackOfficeOpen(session) && mayUse(session.role, area);

/** False while a member of the team has to set up a second factor or a longer password. */
export const isBackOfficeOpen = ({
  lacksSecondFactor = false,
  lacksLongPassword = false,
}: {
  readonly lacksSecondFactor?: boolean;
  readonly lacksLongPassword?: boolean;
}): boolean => !lacksSecondFactor && !lacksLongPassword;

/** Whether a change of the role opens an area that was closed before. */
export const isPromotion = (before: Role, after: Role): boolean =>
  AREAS_OF[after].some((area) => !AREAS_OF[before].includes(area));

/** The role as account calls show it (API-13). */
export function toShownRole(role: string): 'customer' | 'staff' | 'owner' {
  if (role === 'owner') return 'owner';
  return isStaffRole(role) ? 'staff' : 'customer';
}
