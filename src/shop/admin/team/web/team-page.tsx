import type { LoaderFunctionArgs, MetaFunction } from 'react-router';
import { isRole, ROLE_NAMES, STAFF_ROLES } from '#src/shop/permissions.ts';
import type { Role } from '#src/shop/permissions.ts';
import type { StaffMember } from '#src/shop/accounts/team/contract.ts';
import { call } from '#src/storefront/call.ts';
import { Moment } from '#src/storefront/moment.tsx';
import { useSession } from '#src/storefront/session/session.ts';
import { reloadPage } from '#src/storefront/reload-page.ts';
import { formatPageTitle } from '#src/storefront/shop-identity.ts';
import { Badge } from '#src/ui/display/badge.tsx';
import { Columns } from '#src/ui/layout/columns.ts';
import { Disclosure } from '#src/ui/display/disclosure.tsx';
import { Fact, Facts } from '#src/ui/display/facts.tsx';
import { Field, Select } from '#src/ui/fields/field.tsx';
import { Lines } from '#src/ui/layout/lines.ts';
import { Row } from '#src/ui/layout/row.ts';
import { Section } from '#src/ui/layout/section.tsx';
import { Stack } from '#src/ui/layout/stack.ts';
import { ErrorState } from '#src/ui/feedback/states.tsx';
import { AdminFrame } from '../../kit/admin-frame.tsx';
import { ConfirmedAction } from '../../kit/confirmed-action.tsx';
import { readText } from '../../kit/form-text.ts';
import { requireStaff } from '../../kit/staff-page.ts';
import { useLiveLoaderData } from '../../kit/use-staff-changes.ts';
import { summariseRole } from '../describe-role.ts';
import { Invitations } from './invitations.tsx';
import { RoleChoice } from './role-choice.tsx';

export const meta: MetaFunction = ({ matches }) => [
  { title: formatPageTitle('Team · Back office', matches) },
  { name: 'description', content: 'Members of the team, their roles, and invitations.' },
];

export async function loader(args: LoaderFunctionArgs) {
  const read = requireStaff(args, '/admin/settings/team', 'team');
  const [staff, invitations] = await Promise.all([
    read('GET /staff').catch(() => null),
    read('GET /staff/invitations').catch(() => null),
  ]);
  return { staff: staff?.staff ?? null, invitations: invitations?.invitations ?? null };
}

const parseRole = (text: string): Role => (isRole(text) ? text : 'customer');
const retry = (): void => void reloadPage();

/** OPS-01, OPS-17: members of the team, their roles and second factors, and invitations. For owners only. */
export default function TeamPage() {
  const { staff, invitations } = useLiveLoaderData<typeof loader>(['customers']);
  return (
    <AdminFrame title="Team">
      <Section title="Members" surface="outlined">
        {staff === null ? (
          <ErrorState title="The team could not be loaded." onRetry={retry} />
        ) : (
          <Lines isFramed>
            {staff.map((member) => (
              <Stack as="li" key={member.id} gap={8} aria-label={member.username}>
                <Member member={member} />
              </Stack>
            ))}
          </Lines>
        )}
      </Section>
      <Section title="Invitations" surface="outlined">
        {invitations === null ? (
          <ErrorState title="The invitations could not be loaded." onRetry={retry} />
        ) : (
          <Invitations invitations={invitations} />
        )}
      </Section>
      <Section title="Registered accounts" surface="outlined">
        <AddAccount />
      </Section>
      <Section title="Roles" surface="outlined">
        <p className="muted measure">What each role may do. Pages and calls of the shop follow the same table.</p>
        <Facts layout="beside">
          {STAFF_ROLES.map((role) => (
            <Fact key={role} label={ROLE_NAMES[role]}>
              {summariseRole(role)}
            </Fact>
          ))}
        </Facts>
      </Section>
    </AdminFrame>
  );
}

function Member({ member }: { readonly member: StaffMember }) {
  const isOneself = useSession(({ user }) => user?.id === member.id);
  const { username, email, role, has_second_factor: hasFactor, last_seen_at: lastSeenAt } = member;
  return (
    <>
      <Row justify="between" rowGap={4}>
        <div>
          <p className="strong wrap-anywhere">{username}</p>
          <p className="muted small wrap-anywhere">{email}</p>
        </div>
        <Row gap={8} rowGap={4}>
          <Badge tone={hasFactor ? 'good' : 'waiting'}>{hasFactor ? 'Two-step login' : 'No second factor'}</Badge>
          <span className="muted small">
            {lastSeenAt === null ? (
              'not logged in'
            ) : (
              <>
                last seen <Moment at={lastSeenAt} shows="moment" />
              </>
            )}
          </span>
        </Row>
      </Row>
      <Disclosure
        summary={
          <>
            <span className="strong">{ROLE_NAMES[role]}</span>
            <span className="muted small">
              Change role or remove<span className="visually-hidden"> {username}</span>
            </span>
          </>
        }
      >
        <ConfirmedAction
          button="Change role"
          label={`Change role of ${username}`}
          question="Change this role?"
          renderMeaning={(data) => <Meaning username={username} becomes={parseRole(readText(data, 'role'))} />}
          confirm="Change role"
          // Other changes an owner can undo.
          needsQuestion={(data) => isOneself || role === 'owner' || readText(data, 'role') === 'owner'}
          done={(becomes) => (becomes === role ? `${username} has this role already` : 'The role was changed')}
          onConfirm={async (data) => {
            const becomes = parseRole(readText(data, 'role'));
            await call('PUT /staff/role', { body: { username, role: becomes, seen_role: role } });
            return becomes;
          }}
        >
          <RoleChoice current={role} of={username} />
        </ConfirmedAction>
        <ConfirmedAction
          button="Remove from the team"
          label={`Remove from the team: ${username}`}
          isDestructive
          question="Remove this member?"
          meaning={<Meaning username={username} becomes="customer" />}
          confirm="Remove"
          done="The member was removed"
          onConfirm={() => call('PUT /staff/role', { body: { username, role: 'customer', seen_role: role } })}
        />
      </Disclosure>
    </>
  );
}

const Meaning = ({ username, becomes }: { readonly username: string; readonly becomes: Role }) => (
  <p>
    {username} becomes: {ROLE_NAMES[becomes]}. This takes effect immediately.
    {becomes === 'customer' && (
      <span> The account leaves the team: it is logged out everywhere and loses its second factor.</span>
    )}
  </p>
);

/** A role for an account that exists. */
const AddAccount = () => (
  <ConfirmedAction
    button="Give role"
    question="Give this role?"
    renderMeaning={(data) => (
      <Meaning username={readText(data, 'username')} becomes={parseRole(readText(data, 'role'))} />
    )}
    confirm="Give role"
    done="The role was given"
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
      <Select label="Role" name="role" defaultValue="support">
        {STAFF_ROLES.map((role) => (
          <option key={role} value={role}>
            {ROLE_NAMES[role]}
          </option>
        ))}
      </Select>
    </Columns>
  </ConfirmedAction>
);
