/** Who may use a call. A route names one of these rules as `who`. */
import type { AccessRule, RoutesOf as PlatformRoutesOf } from '#src/platform/http/call.ts';
import type { Contract } from '#src/platform/http/endpoint.ts';
import { isStaffRole, mayUse } from './permissions.ts';
import type { Area } from './permissions.ts';

type Extra = Partial<Pick<AccessRule, 'needsSecondFactor' | 'needsRecentPassword' | 'event'>>;

const forStaff = (allows: AccessRule['allows'], extra: Extra = {}): AccessRule => ({
  allows,
  isForStaff: true,
  needsSecondFactor: true,
  needsRecentPassword: false,
  event: null,
  ...extra,
});

/** For roles that may use the area. */
const forArea = (area: Area, extra?: Extra): AccessRule => forStaff((role) => mayUse(role, area), extra);

const OWNER_ACTION = { event: 'owner_action' } as const;
const SENSITIVE_OWNER_ACTION = { ...OWNER_ACTION, needsRecentPassword: true } as const;

const AREA_RULES: Readonly<Record<Area, AccessRule>> = {
  orders: forArea('orders'),
  'manual-orders': forArea('manual-orders'),
  shipping: forArea('shipping'),
  stock: forArea('stock'),
  support: forArea('support'),
  customers: forArea('customers'),
  'customer-changes': forArea('customer-changes'),
  catalogue: forArea('catalogue'),
  payments: forArea('payments'),
  /** For calls that move or write off money, or decide what counts as paid. */
  money: forArea('money', { needsRecentPassword: true, event: 'staff_money_action' }),
  reports: forArea('reports'),
  settings: forArea('settings'),
  audit: forArea('audit'),
  'settings-changes': forArea('settings-changes', SENSITIVE_OWNER_ACTION),
  /** The file has every secret of the shop, encrypted. */
  backups: forArea('backups', SENSITIVE_OWNER_ACTION),
  'legal-texts': forArea('legal-texts', SENSITIVE_OWNER_ACTION),
  accounting: forArea('accounting', SENSITIVE_OWNER_ACTION),
  team: forArea('team', OWNER_ACTION),
  integrations: forArea('integrations', OWNER_ACTION),
};

/** Further rules, of no area. */
const OTHER_RULES = {
  /** Everybody who is logged in. */
  user: { allows: () => true, isForStaff: false, needsSecondFactor: false, needsRecentPassword: false, event: null },
  /** Every role of the team. */
  'back-office': forStaff(isStaffRole),
  /** The second factor of the caller. */
  'own-factor': forStaff(isStaffRole, { needsSecondFactor: false }),
  'own-factor-changes': forStaff(isStaffRole, { needsSecondFactor: false, needsRecentPassword: true }),
  /** The environment, which nobody changes here. */
  environment: forArea('settings-changes', OWNER_ACTION),
  /** Files that leave the shop. */
  'report-exports': forArea('reports', { needsRecentPassword: true }),
  'catalogue-exports': forArea('catalogue', { needsRecentPassword: true }),
  /** Changes of roles and members. */
  'team-changes': forArea('team', SENSITIVE_OWNER_ACTION),
  /** What sends data of the shop elsewhere, or creates a secret. */
  'integration-changes': forArea('integrations', SENSITIVE_OWNER_ACTION),
} satisfies Readonly<Record<string, AccessRule>>;

export type AccessRuleName = Area | keyof typeof OTHER_RULES;

export const ACCESS_RULES: Readonly<Record<AccessRuleName, AccessRule>> = { ...AREA_RULES, ...OTHER_RULES };

export type RoutesOf<C extends Contract> = PlatformRoutesOf<C, AccessRuleName>;
