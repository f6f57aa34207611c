/** Shows every page of the back office in its shell, and why a page is not there. */
import type { MetaFunction } from 'react-router';
import { isRouteErrorResponse, Outlet, useRouteError, useRouteLoaderData } from 'react-router';
import { FailedPage, NotFoundMessage } from '#src/storefront/layout/failed-page.tsx';
import { RateNotice } from '#src/storefront/layout/rate-notice.tsx';
import { TitledPage } from '#src/storefront/layout/titled-page.tsx';
import { formatPageTitle } from '#src/storefront/shop-identity.ts';
import { ButtonLink } from '#src/ui/controls/button.tsx';
import { Shell } from './shell.tsx';
import { useRole } from './use-may-use.ts';

// Of a page that failed: the others have their own.
export const meta: MetaFunction = ({ error, matches }) => [
  { title: formatPageTitle(readStatus(error) === 404 ? 'Page not found' : 'Something went wrong', matches) },
];

export default function BackOffice() {
  const root = useRouteLoaderData<{ readonly notice: string }>('root');
  return (
    <>
      <RateNotice text={root?.notice} />
      <Shell>
        <Outlet />
      </Shell>
    </>
  );
}

const readStatus = (error: unknown): number | null => (isRouteErrorResponse(error) ? error.status : null);

export function ErrorBoundary() {
  const status = readStatus(useRouteError());
  const isStaff = useRole() !== '';
  // A visitor does not learn that there is a back office.
  if (!isStaff) return status === 404 ? <NotFoundMessage /> : <FailedPage status={status} />;
  return <Shell>{status === 404 ? <NoSuchPage /> : <FailedPage status={status} />}</Shell>;
}

/** The role may not use the page, or what it shows does not exist. */
function NoSuchPage() {
  return (
    <TitledPage above={null} title="This page is not here">
      <p>Either it does not exist, or your role may not use it. An owner can give you another role.</p>
      <p>
        <ButtonLink to="/admin">Go to the home page</ButtonLink>
      </p>
    </TitledPage>
  );
}
