import type { LoaderFunctionArgs, MetaFunction } from 'react-router';
import { useLoaderData } from 'react-router';
import { BackLink } from '#src/ui/page/back-link.tsx';
import { YourData } from '#src/shop/personal-data/web/your-data.tsx';
import { pageContext } from '#src/storefront/page/page-context.ts';
import { throwRedirect } from '#src/storefront/page/page-responses.ts';
import { AccountDetails } from './account-details.tsx';
import { AddressNotice } from './address-notice.tsx';
import { SessionList } from './session-list.tsx';
import styles from './settings-page.module.css';
import { formatPageTitle } from '#src/storefront/shop-identity.ts';

export const meta: MetaFunction = ({ matches }) => [
  { title: formatPageTitle('Settings', matches) },
  { name: 'description', content: 'Your name, address, password and devices.' },
];

export async function loader({ context }: LoaderFunctionArgs) {
  const { call, visitor } = context.get(pageContext);
  if (!visitor.user) return throwRedirect(`/login?to=${encodeURIComponent('/dashboard/settings')}`);
  const [{ id, username, email, role }, confirmation, { sessions }] = await Promise.all([
    call('GET /users/user'),
    call('GET /users/email-confirmation'),
    call('GET /users/sessions'),
  ]);
  return { user: { id, username, email, role }, isConfirmed: confirmation.is_confirmed, sessions };
}

export default function SettingsPage() {
  const { user, isConfirmed, sessions } = useLoaderData<typeof loader>();
  return (
    <div className={styles.page}>
      <BackLink to="/dashboard" text="Back" />
      <h1>Settings</h1>
      {!isConfirmed && <AddressNotice email={user.email} />}
      <section className={styles.section} aria-labelledby="details-title">
        <h2 id="details-title">Account details</h2>
        <AccountDetails user={user} />
      </section>
      <section className={styles.section} aria-labelledby="sessions-title">
        <h2 id="sessions-title">Where you are logged in</h2>
        <SessionList sessions={sessions} />
      </section>
      <section className={styles.section} aria-labelledby="data-title">
        <h2 id="data-title">Your data</h2>
        <YourData user={user} />
      </section>
    </div>
  );
}
