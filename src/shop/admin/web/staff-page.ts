import type { LoaderFunctionArgs } from 'react-router';
import { pageContext } from '#src/storefront/page/page-context.ts';
import { missingPage, redirectTo } from '#src/storefront/page/page-outcomes.ts';

/** What a page of staff is loaded by: who is not signed in does that first, and for a customer there is no such page. */
export function callForStaff({ context }: Pick<LoaderFunctionArgs, 'context'>, path: string) {
  const { call, visitor } = context.get(pageContext);
  if (!visitor.user) return redirectTo(`/login?to=${encodeURIComponent(path)}`);
  return visitor.user.role === 'customer' ? missingPage() : call;
}

/** As `callForStaff`; for who is no owner there is no such page. */
export function callForOwner(args: Pick<LoaderFunctionArgs, 'context'>, path: string) {
  const call = callForStaff(args, path);
  return args.context.get(pageContext).visitor.user?.role === 'owner' ? call : missingPage();
}

/** The page of a list that its address asks for. */
export function pageNumberOf(parameters: URLSearchParams): number {
  const asked = Number(parameters.get('page'));
  return Number.isInteger(asked) && asked >= 1 && asked <= 100_000 ? asked : 1;
}
