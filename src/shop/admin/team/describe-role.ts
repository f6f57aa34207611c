/** What a role may do, in the words of the table of permissions. */
import { AREAS, listAreas, mayUse } from '#src/shop/permissions.ts';
import type { Role } from '#src/shop/permissions.ts';

export interface DescribedRole {
  /** What it may do; empty for none. */
  readonly may: readonly string[];
  readonly mayNot: readonly string[];
}

export function describeRole(role: Role): DescribedRole {
  const listTexts = (isAllowed: boolean): string[] =>
    listAreas()
      .filter((area) => mayUse(role, area) === isAllowed)
      .map((area) => AREAS[area]);
  return { may: listTexts(true), mayNot: listTexts(false) };
}

const toLowerFirst = (text: string): string => text.slice(0, 1).toLowerCase() + text.slice(1);

/** In one line: all, all but a few, or those that it may do. */
export function summariseRole(role: Role): string {
  const { may, mayNot } = describeRole(role);
  if (mayNot.length === 0) return 'Everything.';
  if (may.length === 0) return 'Nothing in the back office: the account becomes that of a customer.';
  if (mayNot.length < may.length) return `Everything but: ${mayNot.map(toLowerFirst).join('; ')}.`;
  return `${may.map((text, at) => (at === 0 ? text : toLowerFirst(text))).join('; ')}.`;
}
