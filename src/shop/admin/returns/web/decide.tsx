import type { Return } from '#src/shop/returns/contract.ts';
import { call } from '#src/storefront/call.ts';
import { Section } from '#src/ui/layout/section.tsx';
import { TextArea } from '#src/ui/fields/text-area.tsx';
import { ConfirmedAction } from '../../kit/confirmed-action.tsx';
import { readText } from '../../kit/form-text.ts';
import { ReturnTextForm } from './return-text-form.tsx';

const MAX_DECISION = 1000;
const MAX_PROOF = 200;

/** OPS-28: approves a return, or refuses it. */
export function Decide({ one }: { readonly one: Return }) {
  const { actions, id, version } = one;
  const params = { id };
  if (!actions.includes('approve')) return null;
  return (
    <Section title="Decide" surface="outlined">
      <ConfirmedAction
        button="Approve"
        variant="primary"
        question="Approve this return?"
        meaning={
          <p>
            The buyer gets a mail with the return address and the instructions. The refund is due within 14 days, once
            the units or a proof of sending arrive.
          </p>
        }
        confirm="Approve"
        done="Return approved"
        onConfirm={() => call('POST /support/returns/{id}/approve', { params, body: { version } })}
      />
      <Refuse one={one} />
    </Section>
  );
}

function Refuse({ one: { actions, id, version } }: { readonly one: Return }) {
  if (!actions.includes('refuse')) return null;
  return (
    <ConfirmedAction
      button="Refuse"
      isDestructive
      question="Refuse this return?"
      meaning={<p>The buyer gets a mail with your reason. The units can be returned again.</p>}
      confirm="Refuse"
      done="Return refused"
      onConfirm={(data) =>
        call('POST /support/returns/{id}/refuse', {
          params: { id },
          body: { version, reason: readText(data, 'reason') },
        })
      }
    >
      <TextArea label="Reason, which the buyer reads" name="reason" rows={3} required maxLength={MAX_DECISION} />
    </ConfirmedAction>
  );
}

/** OPS-28: ends a return that needs no refund. */
export function EndReturn({ one, mayRefund }: { readonly one: Return; readonly mayRefund: boolean }) {
  const { actions, cause, id, version } = one;
  const mayVoid = mayRefund && actions.includes('void');
  const isApproved = actions.includes('refuse') && !actions.includes('approve');
  if (!actions.includes('close') && !isApproved && !mayVoid) return null;
  return (
    <Section title="End without a refund" surface="outlined">
      {isApproved && <Refuse one={one} />}
      {actions.includes('close') && (
        <ConfirmedAction
          button="Close without refund"
          isDestructive
          question="Close this return without a refund?"
          meaning={
            cause === 'withdrawal' ? (
              <p>
                Nothing of this withdrawal is left that can be refunded. The buyer gets a mail with your reason. Units
                that arrived stay here, unless they are sent back. If the refund that took its price is given up, the
                withdrawal is open again.
              </p>
            ) : (
              <p>The buyer gets a mail with your reason and keeps the units, which can be returned again.</p>
            )
          }
          confirm="Close without refund"
          done="Return closed"
          onConfirm={(data) =>
            call('POST /support/returns/{id}/close', {
              params: { id },
              body: { version, reason: readText(data, 'reason') },
            })
          }
        >
          <TextArea label="Reason, which the buyer reads" name="reason" rows={3} required maxLength={MAX_DECISION} />
        </ConfirmedAction>
      )}
      {mayVoid && <VoidWithdrawal one={one} />}
    </Section>
  );
}

/** RET-06: ends a withdrawal without its refund. */
function VoidWithdrawal({ one: { id, version } }: { readonly one: Return }) {
  const params = { id };
  return (
    <ConfirmedAction
      button="Withdrawal is void"
      isDestructive
      question="Is this withdrawal void by agreement?"
      meaning={
        <>
          <p>
            A withdrawal ends the contract, so what was paid has to be refunded. Go on only if the buyer agreed to keep
            the order: nothing is refunded, and units that were not shipped can be shipped.
          </p>
          <p>The buyer gets a mail with your note.</p>
        </>
      }
      confirm="Withdrawal is void"
      done="Withdrawal closed as void"
      onConfirm={(data) =>
        call('POST /support/returns/{id}/void', { params, body: { version, reason: readText(data, 'reason') } })
      }
    >
      <TextArea
        label="How the buyer agreed, which the buyer reads"
        name="reason"
        rows={3}
        required
        maxLength={MAX_DECISION}
      />
    </ConfirmedAction>
  );
}

/** OPS-28: the buyer named a proof of sending elsewhere. */
export function SentByBuyer({ one }: { readonly one: Return }) {
  const { actions, id, proof } = one;
  if (!actions.includes('send')) return null;
  return (
    <Section title="In transit" surface="outlined">
      <ReturnTextForm
        one={one}
        name="proof"
        label="Proof of sending"
        hint="Such as a tracking number. With it the refund can’t be withheld any more."
        maxLength={MAX_PROOF}
        isRequired
        button={proof === null ? 'Mark as in transit' : 'Correct proof'}
        saved="Proof saved"
        send={(text, version) =>
          call('POST /support/returns/{id}/sent', { params: { id }, body: { version, proof: text } })
        }
      />
    </Section>
  );
}
