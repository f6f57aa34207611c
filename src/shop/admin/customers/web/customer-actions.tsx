import { useNavigate } from 'react-router';
import { readField } from '#src/ui/form/read-field.ts';
import { call } from '#src/storefront/call.ts';
import { Section } from '#src/ui/layout/section.tsx';
import { Row } from '#src/ui/layout/row.ts';
import { Field } from '#src/ui/fields/field.tsx';
import { ConfirmedAction } from '../../kit/confirmed-action.tsx';
import type { WholeCustomer } from '../contract.ts';

interface CustomerActionsProps {
  readonly customer: WholeCustomer['customer'];
  readonly hasSessions: boolean;
}

/** Blocks a customer, ends sessions, erases the account. */
export function CustomerActions({ customer, hasSessions }: CustomerActionsProps) {
  const params = { id: customer.id };
  const isBlocked = customer.blocked_at !== null;
  return (
    <Section title="Actions" surface="outlined">
      <Row align="start">
        {isBlocked && (
          <ConfirmedAction
            key="unblock"
            button="Unblock customer"
            question={`Unblock ${customer.username}?`}
            meaning={<p>The customer can log in and order again.</p>}
            confirm="Unblock customer"
            done="Customer unblocked"
            onConfirm={() => call('POST /support/customers/{id}/unblock', { params })}
          />
        )}
        {!isBlocked && (
          <ConfirmedAction
            key="block"
            button="Block customer"
            question={`Block ${customer.username}?`}
            meaning={
              <p>
                The customer is logged out everywhere and can’t log in or order. An open order stays, and its payment
                link works.
              </p>
            }
            confirm="Block customer"
            done="Customer blocked"
            onConfirm={() => call('POST /support/customers/{id}/block', { params })}
          />
        )}
        {hasSessions && (
          <ConfirmedAction
            button="End all sessions"
            question="End all sessions of this customer?"
            meaning={<p>The customer is logged out on all devices and can log in again.</p>}
            confirm="End all sessions"
            done="Sessions ended"
            onConfirm={() => call('POST /support/customers/{id}/end-sessions', { params })}
          />
        )}
      </Row>
      <EraseCustomer customer={customer} />
    </Section>
  );
}

function EraseCustomer({ customer }: { readonly customer: WholeCustomer['customer'] }) {
  const navigate = useNavigate();
  return (
    <ConfirmedAction
      button="Erase account"
      isDestructive
      question={`Erase the account of ${customer.username}?`}
      meaning={
        <p>
          Name, addresses, tickets and reviews are deleted. Orders stay for the accounting, without names. You can’t
          undo this.
        </p>
      }
      confirm="Erase account"
      done="Account erased"
      onConfirm={async (data) => {
        const body = { username: readField(data, 'username') };
        await call('POST /support/customers/{id}/erase', { params: { id: customer.id }, body });
        await navigate('/admin/customers', { replace: true });
      }}
    >
      <Field
        label="Username of the customer"
        name="username"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        required
        hint="Only at the customer’s request. Type the name to confirm."
      />
    </ConfirmedAction>
  );
}
