/** Kinds of rows of the access table. */
import type { shopApi } from '#src/shop/api.ts';
import type { demoToolsApi } from '#src/shop/demo/contract.ts';
import { EMPTY_SHOP_SETTINGS } from './empty-shop-settings.ts';
import type { SettingsSection } from '#src/shop/shop-settings/shop-settings.ts';
import { ABSENT_ID } from './access-callers.ts';
import type { Asked, Caller } from './access-callers.ts';
import { createPromotionFields } from './promotion-fields.ts';

export type CallKey = keyof typeof shopApi | keyof typeof demoToolsApi;
/** The team gets the response of customers unless stated otherwise. */
export type Statuses = Readonly<Record<Exclude<Caller['kind'], 'staff'>, number>> & {
  readonly staff?: number;
  /** As `staff` unless stated otherwise. */
  readonly owner?: number;
  readonly support?: number;
  readonly shipping?: number;
};

/** A call without an owned id: the same for all callers. */
export interface PlainRow {
  readonly ask: (caller: Caller) => Asked;
  readonly statuses: Statuses;
  /** The response contains data of all users, for staff. */
  readonly isOfStaff?: true;
}

/** A call with an id that belongs to a user. */
export interface OwnedRow {
  readonly name: (id: string) => Asked;
  /** The caller's own id; empty if there is none. */
  readonly ownOf: (caller: Caller) => string;
  readonly missing: string;
  readonly malformed: readonly string[];
  readonly own: Statuses;
  /** The response to a foreign id equals the response to a missing one, byte for byte. */
  readonly others: Statuses;
  readonly malformedStatuses: Statuses;
  /** Demo calls act on any order on purpose: foreign ids are not treated as missing. */
  readonly othersAreOpen?: true;
  /** The status for support with a foreign id that it may access. */
  readonly staffReach?: number;
}
export type Row = PlainRow | OwnedRow;

export const all = (status: number): Statuses => ({ anonymous: status, guest: status, user: status });
export const usersOnly = (status: number): Statuses => ({ anonymous: 401, guest: 401, user: status });
export const plain = (statuses: Statuses, ask: (caller: Caller) => Asked = () => ({})): PlainRow => ({ ask, statuses });

/** Calls of managers and owners: others are refused before ownership is checked. */
export const staffOnly = (staff: number, ask?: (caller: Caller) => Asked): PlainRow => ({
  ...plain({ ...usersOnly(403), staff, support: 403, shipping: 403 }, ask),
  isOfStaff: true,
});

/** As `staffOnly`, for an area that support or shipping use as well. */
export function areaOnly(area: keyof typeof FURTHER_ROLES, status: number, ask?: (caller: Caller) => Asked): PlainRow {
  const row = staffOnly(status, ask);
  const further = Object.fromEntries(FURTHER_ROLES[area].map((role) => [role, status]));
  return { ...row, statuses: { ...row.statuses, ...further } };
}

const FURTHER_ROLES = {
  orders: ['support', 'shipping'],
  shipping: ['support', 'shipping'],
  stock: ['shipping'],
  support: ['support'],
  customers: ['support'],
  'manual-orders': ['support'],
} as const;

/** Calls of every role of the team. */
export const teamOnly = (status: number, ask?: (caller: Caller) => Asked): PlainRow =>
  plain({ ...usersOnly(403), staff: status }, ask);

/** Owner calls: all others are refused like customers. */
export const ownerOnly = (owner: number, ask?: (caller: Caller) => Asked): PlainRow => ({
  ...plain({ ...usersOnly(403), staff: 403, owner }, ask),
  isOfStaff: true,
});

/** A change of a section by somebody who has not read it. */
export const changeOf = (section: SettingsSection) => ({ ...EMPTY_SHOP_SETTINGS[section], version: 1_000_000 });

const MALFORMED_PATHS = ['1', 'null', 'not-a-uuid', '%27%20or%201=1', '..%2f..%2fetc', 'x'.repeat(200), '-1'];
const MALFORMED_IDS = ['', '1', 'not-a-uuid', `${ABSENT_ID}0`, "' or 1=1 --"];

export const orderInPath = (path: (id: string) => string): OwnedRow => ({
  name: (id) => ({ path: path(id) }),
  ownOf: ({ order }) => order,
  missing: ABSENT_ID,
  malformed: MALFORMED_PATHS,
  own: usersOnly(200),
  others: usersOnly(404),
  malformedStatuses: usersOnly(404),
});
export const ticketInPath = (path: (id: string) => string): OwnedRow => ({
  ...orderInPath(path),
  ownOf: ({ ticket }) => ticket,
  staffReach: 200,
});
export const inBody = (body: (id: string) => unknown) => ({
  name: (id: string) => ({ body: body(id) }),
  malformed: MALFORMED_IDS,
});
export const line = (id: string) => ({ product_id: id, quantity: 1 });
/** A regtest address without an owner. */
export const REFUND_ADDRESS = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080';
let names = 0;
export const createNumber = (): number => (names += 1);
/** A promotion with a code of its own, disabled. */
export const createPromotionBody = () => createPromotionFields({ code: `ACCESS-${createNumber()}`, is_active: false });
