import type { LoaderFunctionArgs } from 'react-router';
import { throwRedirect } from '#src/storefront/page/page-responses.ts';
import { requireStaff } from './staff-page.ts';

/** OPS-01: redirects to the payment tasks. */
export function loader(args: LoaderFunctionArgs) {
  requireStaff(args, '/admin');
  return throwRedirect('/admin/payments');
}

export default function AdminHomePage() {
  return null;
}
