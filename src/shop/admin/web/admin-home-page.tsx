import type { LoaderFunctionArgs, MetaFunction } from 'react-router';
import { useLoaderData } from 'react-router';
import { mayUse } from '#src/shop/permissions.ts';
import { throwRedirect } from '#src/storefront/page/page-responses.ts';
import { formatPageTitle } from '#src/storefront/shop-identity.ts';
import { AdminFrame } from './admin-frame.tsx';
import { SetupList } from './setup-list.tsx';
import { readRole, requireStaff } from './staff-page.ts';

export const meta: MetaFunction = ({ matches }) => [
  { title: formatPageTitle('Set up your shop · Back office', matches) },
  { name: 'description', content: 'What your shop needs before its first sale.' },
];

/** OPS-01, OPS-07: shows the set-up checklist while something is missing, then redirects to the payment tasks. Others see the orders. */
export async function loader(args: LoaderFunctionArgs) {
  const read = requireStaff(args, '/admin', null);
  const role = readRole(args);
  if (!mayUse(role, 'settings')) return throwRedirect('/admin/orders');
  const setup = await read('GET /support/setup').catch(() => null);
  if (setup === null || setup.is_complete) return throwRedirect('/admin/payments');
  return { steps: setup.steps };
}

export default function AdminHomePage() {
  const { steps } = useLoaderData<typeof loader>();
  return (
    <AdminFrame title="Set up your shop">
      <SetupList steps={steps} />
    </AdminFrame>
  );
}
