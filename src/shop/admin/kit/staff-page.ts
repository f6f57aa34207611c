import type { LoaderFunctionArgs } from 'react-router';
import { pageContext } from '#src/storefront/page/page-context.ts';
import { isBackOfficeOpen, isStaffRole, mayUse } from '#src/shop/permissions.ts';
import type { Area } from '#src/shop/permissions.ts';
import { throwNotFound, throwRedirect } from '#src/storefront/page/page-responses.ts';

/** The page where members of the team set up their second factor, and set a password that is long enough. */
const SECURITY_PATH = '/admin/security';

/**
 * Loads data of a back-office page. Redirects visitors to the login, and members to whom the back
 * office is closed to the page that opens it; everybody else who may not use the area gets a 404.
 * @param area null: open to every role of the team
 */
export function requireStaff(args: Pick<LoaderFunctionArgs, 'context'>, path: string, area: Area | null) {
  const { call, visitor } = args.context.get(pageContext);
  if (!visitor.user) return throwRedirect(`/login?to=${encodeURIComponent(path)}`);
  const { role } = visitor.user;
  if (!(area === null ? isStaffRole(role) : mayUse(role, area))) return throwNotFound();
  return isBackOfficeOpen(visitor.user) || path === SECURITY_PATH ? call : throwRedirect(SECURITY_PATH);
}

/** Role of the visitor of a page. */
export const readRole = ({ context }: Pick<LoaderFunctionArgs, 'context'>): string =>
  context.get(pageContext).visitor.user?.role ?? '';

/** Page number from the query. */
export function readPageNumber(parameters: URLSearchParams): number {
  const page = Number(parameters.get('page'));
  return Number.isInteger(page) && page >= 1 && page <= 100_000 ? page : 1;
}

/** Search text of a list, from the query. */
export const readSearchText = (parameters: URLSearchParams, maxLength: number): string =>
  (parameters.get('q') ?? '').slice(0, maxLength);

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const MAX_CHOSEN = 50;

/** Ids of chosen orders from the query: `id`, repeated; at most 50. */
export const readChosenIds = (parameters: URLSearchParams): readonly string[] =>
  [...new Set(parameters.getAll('id'))].filter((id) => UUID.test(id)).slice(0, MAX_CHOSEN);

/** The chosen value from the query; undefined if it is none of them. */
export const readChoice = <Choice extends string>(
  parameters: URLSearchParams,
  name: string,
  choices: readonly Choice[],
): Choice | undefined => choices.find((one) => one === parameters.get(name));
