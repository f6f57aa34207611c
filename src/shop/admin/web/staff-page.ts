import type { LoaderFunctionArgs } from 'react-router';
import { pageContext } from '#src/storefront/page/page-context.ts';
import { throwNotFound, throwRedirect } from '#src/storefront/page/page-responses.ts';

/** Loads data of a staff page. Redirects visitors to the login; customers get a 404. */
export function requireStaff({ context }: Pick<LoaderFunctionArgs, 'context'>, path: string) {
  const { call, visitor } = context.get(pageContext);
  if (!visitor.user) return throwRedirect(`/login?to=${encodeURIComponent(path)}`);
  return visitor.user.role === 'customer' ? throwNotFound() : call;
}

/** As `requireStaff`, for owners only. */
export function requireOwner(args: Pick<LoaderFunctionArgs, 'context'>, path: string) {
  const call = requireStaff(args, path);
  return args.context.get(pageContext).visitor.user?.role === 'owner' ? call : throwNotFound();
}

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
