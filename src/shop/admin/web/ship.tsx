import { call } from '#src/storefront/call.ts';
import { Field } from '#src/ui/field.tsx';
import type { WholeOrder } from '../contract.ts';
import { ConfirmedAction } from './confirmed-action.tsx';
import styles from './actions.module.css';
import { readText } from './form-text.ts';

const MAX_REFERENCE = 100;

/** OPS-03: marks a paid order as shipped, then as delivered. */
export function Ship({ whole: { attention, order, tracking_reference: reference } }: { readonly whole: WholeOrder }) {
  const { id, number, fulfilment_status: fulfilment, payment_status: status } = order;
  const params = { id };
  if (fulfilment === 'delivered' || (fulfilment === 'unfulfilled' && status !== 'paid')) return null;
  return (
    <section className={styles.actions} aria-labelledby="ship-title">
      <h2 id="ship-title">Delivery</h2>
      {fulfilment === 'unfulfilled' ? (
        <ConfirmedAction
          button="Mark as shipped"
          variant={attention === null ? 'primary' : 'secondary'}
          question={`Mark ${number} as shipped?`}
          meaning={<p>The buyer gets a mail with the tracking reference. You can’t change it later.</p>}
          confirm="Mark as shipped"
          done="Marked as shipped"
          onConfirm={(data) => {
            const named = readText(data, 'reference');
            return call('POST /orders/{id}/ship', { params, body: named === '' ? {} : { tracking_reference: named } });
          }}
        >
          <Field
            label="Tracking reference (optional)"
            name="reference"
            autoComplete="off"
            spellCheck={false}
            maxLength={MAX_REFERENCE}
          />
        </ConfirmedAction>
      ) : (
        <>
          <p className={styles.muted}>Shipped{reference === null ? '' : ` with reference ${reference}`}.</p>
          <ConfirmedAction
            button="Mark as delivered"
            question={`Mark ${number} as delivered?`}
            meaning={<p>The buyer sees it on the order page.</p>}
            confirm="Mark as delivered"
            done="Marked as delivered"
            onConfirm={() => call('POST /orders/{id}/deliver', { params })}
          />
        </>
      )}
    </section>
  );
}
