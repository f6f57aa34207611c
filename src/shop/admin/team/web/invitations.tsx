import { ROLE_NAMES, STAFF_ROLES } from '#src/shop/permissions.ts';
import type { StaffRole } from '#src/shop/permissions.ts';
import type { ShownInvitation } from '#src/shop/accounts/invitations/contract.ts';
import { call } from '#src/storefront/call.ts';
import { Moment } from '#src/storefront/moment.tsx';
import { Stack } from '#src/ui/layout/stack.ts';
import { Columns } from '#src/ui/layout/columns.ts';
import { Field, Select } from '#src/ui/fields/field.tsx';
import { Row } from '#src/ui/layout/row.ts';
import { Grid } from '#src/ui/layout/grid.ts';
import { ConfirmedAction } from '../../kit/confirmed-action.tsx';
import { readText } from '../../kit/form-text.ts';
import styles from './team-page.module.css';

const parseRole = (text: string): StaffRole => STAFF_ROLES.find((role) => role === text) ?? 'support';

/** OPS-17: open invitations to the team, and the form for a new one. */
export function Invitations({ invitations }: { readonly invitations: readonly ShownInvitation[] }) {
  return (
    <>
      <p className="muted measure">
        The mail contains a link that works once, within seven days. A person without an account creates one there.
      </p>
      {invitations.length > 0 && (
        <Stack as="ul" gap={8} aria-label="Open invitations">
          {invitations.map((invitation) => (
            <Grid as="li" key={invitation.id} foldsAt={767} rowGap={4} surface="soft-small" className={styles.member}>
              <OpenInvitation invitation={invitation} />
            </Grid>
          ))}
        </Stack>
      )}
      <ConfirmedAction
        button="Send invitation"
        // Owners can remove the one who invited them.
        needsQuestion={(data) => readText(data, 'role') === 'owner'}
        question="Invite an owner?"
        renderMeaning={(data) => (
          <p>
            Whoever reads the mail to {readText(data, 'email')} can join the team as an owner, and may then remove you
            from it.
          </p>
        )}
        confirm="Send invitation"
        done="The invitation is on its way"
        onConfirm={(data) =>
          call('POST /staff/invitations', {
            body: { email: readText(data, 'email').trim(), role: parseRole(readText(data, 'role')) },
          })
        }
      >
        <Columns width={14}>
          <Field label="Email address" name="email" type="email" required maxLength={254} autoComplete="off" />
          <Select label="Role of the invited person" name="role" defaultValue="support">
            {STAFF_ROLES.map((role) => (
              <option key={role} value={role}>
                {ROLE_NAMES[role]}
              </option>
            ))}
          </Select>
        </Columns>
        <p className="muted small measure">Whoever reads the mail can join the team in this role.</p>
      </ConfirmedAction>
    </>
  );
}

function OpenInvitation({ invitation }: { readonly invitation: ShownInvitation }) {
  const { id, email, role, invited_by: by, sent_at: sentAt, expires_at: expiresAt, is_expired: isExpired } = invitation;
  return (
    <>
      <span className={styles.address}>{email}</span>
      <span>{ROLE_NAMES[role]}</span>
      <span className="whole-row muted small">
        Sent by {by} <Moment at={sentAt} shows="moment" />,{' '}
        {isExpired ? (
          'its link no longer works'
        ) : (
          <>
            valid until <Moment at={expiresAt} shows="moment" />
          </>
        )}
      </span>
      <Row className="whole-row">
        <ConfirmedAction
          button="Send again"
          label={`Send again: the invitation to ${email}`}
          question="Send a new link?"
          meaning={<p>The link in the former mail stops working.</p>}
          confirm="Send again"
          done="A new link is on its way"
          onConfirm={() => call('POST /staff/invitations/{id}/resend', { params: { id } })}
        />
        <ConfirmedAction
          button="Withdraw"
          label={`Withdraw the invitation to ${email}`}
          isDestructive
          question="Withdraw this invitation?"
          meaning={<p>Its link stops working.</p>}
          confirm="Withdraw"
          done="The invitation was withdrawn"
          onConfirm={() => call('DELETE /staff/invitations/{id}', { params: { id } })}
        />
      </Row>
    </>
  );
}
