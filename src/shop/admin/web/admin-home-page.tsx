import type { LoaderFunctionArgs } from 'react-router';
import { redirectTo } from '#src/storefront/page/page-outcomes.ts';
import { callForStaff } from './staff-page.ts';

/** OPS-01: staff begin with what needs doing. */
export function loader(args: LoaderFunctionArgs) {
  callForStaff(args, '/admin');
  return redirectTo('/admin/payments');
}

export default function AdminHomePage() {
  return null;
}
