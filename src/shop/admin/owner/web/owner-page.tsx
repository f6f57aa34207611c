import type { LoaderFunctionArgs, MetaFunction } from 'react-router';
import { useLoaderData } from 'react-router';
import { AdminFrame } from '../../kit/admin-frame.tsx';
import { ConfirmedAction } from '../../kit/confirmed-action.tsx';
import { readText } from '../../kit/form-text.ts';
import { requireStaff } from '../../kit/staff-page.ts';
import { isRole, ROLE_NAMES } from '#src/shop/permissions.ts';
import type { Role } from '#src/shop/permissions.ts';
import { formatZone } from '#src/shop/format.ts';
import { call } from '#src/storefront/call.ts';
import { Moment } from '#src/storefront/moment.tsx';
import { reloadPage } from '#src/storefront/reload-page.ts';
import { Field, Select } from '#src/ui/field.tsx';
import { Section } from '#src/ui/section.tsx';
import { Stack } from '#src/ui/stack.ts';
import { Columns } from '#src/ui/columns.ts';
import { ErrorState } from '#src/ui/states.tsx';
import type { StaffMember } from '#src/shop/accounts/team/contract.ts';
import { Invitations } from './invitations.tsx';
import styles from './owner-page.module.css';
import { saveCsv } from './save-csv.ts';
import { formatPageTitle } from '#src/storefront/shop-identity.ts';
import { Grid } from '#src/ui/grid.ts';

const parseRole = (text: string): Role => (isRole(text) ? text : 'customer');

export const meta: MetaFunction = ({ matches }) => [
  { title: formatPageTitle('Owner · Back office', matches) },
  { name: 'description', content: 'Staff and exports for the accounting.' },
];

export async function loader(args: LoaderFunctionArgs) {
  const read = requireStaff(args, '/admin/owner', 'team');
  const [staff, invitations, settings] = await Promise.all([
    read('GET /staff').catch(() => null),
    read('GET /staff/invitations').catch(() => null),
    read('GET /shop/settings').catch(() => null),
  ]);
  return {
    staff: staff?.staff ?? null,
    invitations: invitations?.invitations ?? null,
    timeZone: settings?.time.time_zone ?? null,
  };
}

/** OPS-01, OPS-16, OPS-17: roles, invitations and exports for the accounting, for owners only. */
export default function OwnerPage() {
  const { staff, invitations, timeZone } = useLoaderData<typeof loader>();
  const zone = timeZone === null ? '' : ` (${formatZone(timeZone)})`;
  return (
    <AdminFrame title="Owner">
      <Section title="Staff" surface="outlined">
        {staff === null ? (
          <ErrorState title="The staff could not be loaded." onRetry={() => void reloadPage()} />
        ) : (
          <Staff staff={staff} />
        )}
      </Section>
      <Section title="Invitations" surface="outlined">
        {invitations === null ? (
          <ErrorState title="The invitations could not be loaded." onRetry={() => void reloadPage()} />
        ) : (
          <Invitations invitations={invitations} />
        )}
      </Section>
      <Section title="Accounting export" surface="outlined">
        <AccountingExport zone={zone} />
      </Section>
      <Section title="Sales and tax" surface="outlined">
        <SalesExport zone={zone} />
      </Section>
    </AdminFrame>
  );
}

function Staff({ staff }: { readonly staff: readonly StaffMember[] }) {
  return (
    <>
      <Stack as="ul" gap={8}>
        {staff.map(({ id, username, email, role, has_second_factor: hasFactor, last_seen_at: lastSeenAt }) => (
          <Grid as="li" key={id} foldsAt={767} rowGap={4} surface="soft-small" className={styles.member}>
            <span>{username}</span>
            <span className="muted">{email}</span>
            <span>{ROLE_NAMES[role]}</span>
            <span className="whole-row muted small">
              {hasFactor ? 'Two-step login is on' : 'No second factor'},{' '}
              {lastSeenAt === null ? (
                'not logged in'
              ) : (
                <>
                  last seen <Moment at={lastSeenAt} shows="moment" />
                </>
              )}
            </span>
          </Grid>
        ))}
      </Stack>
      <ConfirmedAction
        button="Change role"
        question="Change this role?"
        renderMeaning={(data) => (
          <p>
            {readText(data, 'username')} becomes: {ROLE_NAMES[parseRole(readText(data, 'role'))]}. This takes effect
            immediately.
            {parseRole(readText(data, 'role')) === 'customer' && (
              <span> The account leaves the team: it is logged out everywhere and loses its second factor.</span>
            )}
          </p>
        )}
        confirm="Change role"
        done="The role was changed"
        onConfirm={(data) =>
          call('PUT /staff/role', {
            body: { username: readText(data, 'username'), role: parseRole(readText(data, 'role')) },
          })
        }
      >
        <Columns width={14}>
          <Field
            label="Username of the account"
            name="username"
            required
            maxLength={254}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
          />
          <Select label="Role" name="role" defaultValue="manager">
            {Object.entries(ROLE_NAMES).map(([role, text]) => (
              <option key={role} value={role}>
                {text}
              </option>
            ))}
          </Select>
        </Columns>
      </ConfirmedAction>
    </>
  );
}

interface ExportProps {
  /** Of the days, in brackets; empty if it is not known. */
  readonly zone: string;
}

const readDays = (data: FormData) => {
  const [from, to] = [readText(data, 'from'), readText(data, 'to')];
  return { ...(from === '' ? {} : { from }), ...(to === '' ? {} : { to }) };
};

async function download(data: FormData): Promise<void> {
  const { filename, csv } = await call('GET /exports/books', { query: readDays(data) });
  saveCsv(filename, csv);
}

function AccountingExport({ zone }: ExportProps) {
  return (
    <ConfirmedAction
      button="Download as CSV"
      question="Download the accounting export?"
      meaning={<p>It contains every payment of these days with its order, amount and rate. Keep it safe.</p>}
      confirm="Download"
      done="The export was downloaded"
      onConfirm={download}
    >
      <Columns width={14}>
        <Field label={`From${zone}`} name="from" type="date" hint="Leave empty to start at the first payment" />
        <Field label={`To${zone}`} name="to" type="date" hint="Leave empty to include today" />
      </Columns>
    </ConfirmedAction>
  );
}

async function downloadSales(data: FormData): Promise<void> {
  const days = new URLSearchParams(readDays(data));
  const { downloadFile } = await import('#src/storefront/download-file.ts');
  await downloadFile(`/exports/invoices?${days}`);
}

function SalesExport({ zone }: ExportProps) {
  return (
    <ConfirmedAction
      button="Download sales as CSV"
      question="Download sales and tax?"
      meaning={
        <p>
          It contains a row for each tax rate of every invoice and credit note that was issued on these days, with the
          name of the buyer. Keep it safe.
        </p>
      }
      confirm="Download"
      done="The sales were downloaded"
      onConfirm={downloadSales}
    >
      <Columns width={14}>
        <Field label={`From${zone}`} name="from" type="date" hint="Leave empty to start at the first invoice" />
        <Field label={`To${zone}`} name="to" type="date" hint="Leave empty to include today" />
      </Columns>
    </ConfirmedAction>
  );
}
