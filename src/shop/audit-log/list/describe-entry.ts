/** Audit entries in plain English. */
import { formatBtc, formatNumber, formatUsd } from '#src/shop/format-number.ts';
import type { AuditSubject, AuditSubjectKind } from '../audit-entry.ts';
import type { AuditValue, ChangedFields } from '../changed-fields.ts';
import { describeField, toTitle } from '../describe-field.ts';
import { cents, sats } from '#src/shop/money.ts';

/** `order.refund_made` is "Order: refund made". */
export function describeAction(action: string): string {
  const [kind = '', ...verbs] = action.replaceAll(/[_-]/g, ' ').split('.');
  const subject = toTitle(kind);
  return verbs.length === 0 ? subject : `${subject}: ${verbs.join(' ')}`;
}

const NONE = 'None';
const INTEGER = /^-?\d{1,18}$/;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** A value as staff read it, by the unit that its name ends with. */
export function describeValue(name: string, value: AuditValue): string {
  if (value === null || value === '') return NONE;
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (typeof value === 'object') return JSON.stringify(value);
  const text = String(value);
  if (/_(?:cents|usd)$/.test(name) && INTEGER.test(text)) return formatUsd(cents(BigInt(text)));
  if (/_(?:sats|btc)$/.test(name) && INTEGER.test(text)) return formatBtc(sats(BigInt(text)));
  if (name.endsWith('_basis_points') && INTEGER.test(text)) {
    return `${formatNumber(Number(text) / 100, Number(text) % 100 === 0 ? 0 : 2)}%`;
  }
  return INSTANT.test(text) ? `${text.slice(0, 16).replace('T', ' ')} UTC` : text;
}

export interface DescribedChange {
  readonly field: string;
  /** Null: there was no value, or there is none now. */
  readonly before: string | null;
  readonly after: string | null;
}

function describeIn(fields: ChangedFields['before'], name: string): string | null {
  const value = fields?.[name];
  return value === undefined ? null : describeValue(name, value);
}

/** The fields of an entry, before and after. Of a created or deleted subject those with a value. */
export function describeChanges({ before, after }: ChangedFields): DescribedChange[] {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  const changes = names.map((name) => ({
    field: describeField(name),
    before: describeIn(before, name),
    after: describeIn(after, name),
  }));
  const isWhole = before === null || after === null;
  return isWhole ? changes.filter((change) => (change.before ?? change.after) !== NONE) : changes;
}

/** Pages of kinds without a page for each subject. */
const LIST_PATHS: Partial<Readonly<Record<AuditSubjectKind, string>>> = {
  'api-key': '/admin/api-keys',
  brand: '/admin/brands',
  'canned-answer': '/admin/canned-answers',
  category: '/admin/categories',
  chain: '/admin/chain',
  content: '/admin/content',
  picture: '/admin/pictures',
  review: '/admin/reviews',
  settings: '/admin/settings',
  team: '/admin/settings/team',
  report: '/admin/accounting',
};
const SUBJECT_PATHS: Partial<Readonly<Record<AuditSubjectKind, string>>> = {
  account: '/admin/customers',
  import: '/admin/import',
  message: '/admin/messages',
  order: '/admin/orders',
  product: '/admin/products',
  promotion: '/admin/promotions',
  ticket: '/admin/tickets',
  variant: '/admin/inventory',
  webhook: '/admin/webhooks',
};
/** Pages of groups of settings that are not on the settings page. */
const SETTINGS_PATHS: Readonly<Record<string, string>> = {
  'low-stock': '/admin/inventory',
  announcement: '/admin/settings/texts',
  late_payments: '/admin/settings/payments',
  mail: '/admin/settings/mail',
  paid_order_mails: '/admin/orders',
  prices: '/admin/security',
  refunds: '/admin/settings/payments',
  retention: '/admin/settings/retention',
  returns: '/admin/settings/payments',
  shipping: '/admin/shipping',
  tax: '/admin/tax',
  withdrawal: '/admin/settings/payments',
  national_currency: '/admin/invoice-currency',
  national_rates: '/admin/invoice-currency',
};

/** Page of a subject; null if it was deleted, or has none. */
export function findSubjectPath({ kind, id }: AuditSubject, action: string): string | null {
  if (kind === 'settings' && id.startsWith('carrier ')) return '/admin/carriers';
  if (kind === 'settings' && Object.hasOwn(SETTINGS_PATHS, id)) return SETTINGS_PATHS[id] ?? null;
  const list = LIST_PATHS[kind];
  if (list !== undefined) return list;
  const path = SUBJECT_PATHS[kind];
  return path === undefined || action.endsWith('.deleted') ? null : `${path}/${id}`;
}
