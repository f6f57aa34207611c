import { useRef } from 'react';
import { Link } from 'react-router';
import { call } from '#src/storefront/call.ts';
import { Button } from '#src/ui/controls/button.tsx';
import { Section } from '#src/ui/layout/section.tsx';
import { useFocusAfterChange } from '#src/ui/form/use-focus-after-change.ts';
import { Row } from '#src/ui/layout/row.ts';
import { Columns } from '#src/ui/layout/columns.ts';
import { Field } from '#src/ui/fields/field.tsx';
import styles from './new-order.module.css';
import { SearchBox } from './search-box.tsx';

interface ChosenCustomer {
  readonly id: string;
  readonly username: string;
  readonly email: string;
}
interface NewCustomer {
  readonly email: string;
  readonly name: string;
}
export type CustomerDraft =
  | { readonly kind: 'none' }
  | { readonly kind: 'known'; readonly customer: ChosenCustomer }
  | { readonly kind: 'new'; readonly customer: NewCustomer };

interface ChooseCustomerProps {
  readonly draft: CustomerDraft;
  readonly onChange: (draft: CustomerDraft) => void;
}

/** The customer of a new order: an account, or the address and name of a new customer. */
export function ChooseCustomer({ draft, onChange }: ChooseCustomerProps) {
  const box = useRef<HTMLElement>(null);
  const focusAfterChange = useFocusAfterChange(box, draft.kind);
  const change = (next: CustomerDraft): void => {
    if (next.kind !== draft.kind) focusAfterChange(next.kind === 'known' ? 'button' : 'input');
    onChange(next);
  };
  return (
    <Section title="Customer" surface="outlined" ref={box}>
      {draft.kind === 'none' && <FindCustomer onChange={change} />}
      {draft.kind === 'known' && (
        <Row justify="between">
          <p className={styles.names}>
            <Link to={`/admin/customers/${draft.customer.id}`} className="link accent">
              {draft.customer.username}
            </Link>
            <span className="muted small wrap-anywhere">{draft.customer.email}</span>
          </p>
          <Button variant="secondary" onClick={() => change({ kind: 'none' })}>
            Change customer
          </Button>
        </Row>
      )}
      {draft.kind === 'new' && <NewCustomerFields customer={draft.customer} onChange={change} />}
    </Section>
  );
}

function FindCustomer({ onChange }: Pick<ChooseCustomerProps, 'onChange'>) {
  return (
    <>
      <SearchBox
        label="Find a customer"
        hint="Part of the name or email address."
        none="No customer matches. Add a new one below."
        more="There are more. Type more of the name or address."
        load={async (q, signal) => {
          const found = await call('GET /support/customers', { query: { q } }, { signal });
          return { items: found.customers, hasMore: found.total > found.customers.length };
        }}
        toKey={({ id }) => id}
        findObstacle={({ blocked_at: blockedAt }) => (blockedAt === null ? null : 'Blocked')}
        renderItem={({ username, email }) => (
          <span className={styles.names}>
            <span>{username}</span>
            <span className="muted small wrap-anywhere">{email}</span>
          </span>
        )}
        onChoose={({ id, username, email }) => onChange({ kind: 'known', customer: { id, username, email } })}
      />
      <Button
        variant="secondary"

        onClick={() => onChange({ kind: 'new', customer: { email: '', name: '' } })}
      >
        New customer
      </Button>
    </>
  );
}

interface NewCustomerFieldsProps extends Pick<ChooseCustomerProps, 'onChange'> {
  readonly customer: NewCustomer;
}

function NewCustomerFields({ customer, onChange }: NewCustomerFieldsProps) {
  return (
    <>
      <Columns width={18}>
        <Field
          label="Email address"
          type="email"
          name="email"
          required
          maxLength={254}
          autoComplete="off"
          value={customer.email}
          onChange={({ currentTarget: { value: email } }) =>
            onChange({ kind: 'new', customer: { ...customer, email } })
          }
        />
        <Field
          label="Name"
          name="name"
          required
          maxLength={60}
          autoComplete="off"
          value={customer.name}
          onChange={({ currentTarget: { value: name } }) => onChange({ kind: 'new', customer: { ...customer, name } })}
        />
      </Columns>
      <p className="muted small wrap-anywhere">
        The customer gets an account without a password, and sets one with “Lost password”. An address that has an
        account uses that account.
      </p>
      <Button variant="secondary" onClick={() => onChange({ kind: 'none' })}>
        Find a customer instead
      </Button>
    </>
  );
}
