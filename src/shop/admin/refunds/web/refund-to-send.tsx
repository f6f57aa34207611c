import { Moment } from '#src/storefront/moment.tsx';
import { formatExactBtc } from '#src/shop/payments/ledger/exact-amounts.ts';
import type { Refund } from '#src/shop/refunds/contract.ts';
import { call } from '#src/storefront/call.ts';
import { useHydrated } from '#src/ui/use-hydrated.ts';
import { Button } from '#src/ui/button.tsx';
import { CopyButton } from '#src/ui/copy-button.tsx';
import { Field } from '#src/ui/field.tsx';
import { TextArea } from '#src/ui/text-area.tsx';
import { ConfirmedAction } from '../../web/confirmed-action.tsx';
import styles from '../../web/actions.module.css';
import { MAX_REASON, readText } from '../../web/form-text.ts';
import { savePsbt } from './save-psbt.ts';

const STATES: Readonly<Record<Refund['state'], string>> = {
  made: 'waits to be sent',
  sent: 'is on its way',
  confirmed: 'has arrived',
  withdrawn: 'was given up',
};
const COVERS = { surplus: 'Surplus', whole: 'Whole order' } as const;

function stateOf({ is_recorded: isRecorded, state }: Refund, isStopped: boolean): string {
  if (isRecorded) return 'was recorded as sent';
  return state === 'made' && isStopped ? 'must not be sent' : STATES[state];
}

/** A refund and, while nothing was seen of it, what brings it on its way. */
export function RefundToSend({ refund, isStopped }: { readonly refund: Refund; readonly isStopped: boolean }) {
  return (
    <div className={styles.refund}>
      <h3>
        {COVERS[refund.covers]}: {formatExactBtc(refund.amount_btc)} BTC {stateOf(refund, isStopped)}
      </h3>
      <dl className={styles.facts}>
        <div>
          <dt>Amount</dt>
          <dd>
            <span>{formatExactBtc(refund.amount_btc)} BTC</span>
            {refund.fee_btc !== null && <span>with a fee of {formatExactBtc(refund.fee_btc)} BTC</span>}
          </dd>
        </div>
        <div>
          <dt>To</dt>
          <dd>
            <code>{refund.address}</code>
            <CopyButton text={refund.address} contentName="address of the refund" variant="quaternary" />
          </dd>
        </div>
        {refund.txid !== null && (
          <div>
            <dt>Transaction</dt>
            <dd>
              <code>{refund.txid}</code>
              <CopyButton text={refund.txid} contentName="transaction id of the refund" variant="quaternary" />
            </dd>
          </div>
        )}
        <div>
          <dt>Made</dt>
          <dd>
            <Moment at={refund.made_at} shows="moment" />
          </dd>
        </div>
      </dl>
      {refund.state === 'made' && (isStopped ? <Stopped refund={refund} /> : <Sending refund={refund} />)}
      {refund.is_recorded && <Recorded refund={refund} />}
    </div>
  );
}

/** Staff's word, which can be taken back. */
function Recorded({ refund }: { readonly refund: Refund }) {
  return (
    <>
      <p className={styles.muted}>
        By the word of staff{refund.reason === null ? '' : `: ${refund.reason}`}. The shop did not check it.
      </p>
      <ConfirmedAction
        button="Undo the record"
        isDestructive
        variant="quaternary"
        question="Undo this record?"
        meaning={
          <p>
            {refund.is_elsewhere ? 'The money is owed again.' : 'The refund waits to be sent again.'} The buyer gets a
            mail that it is not done yet.
          </p>
        }
        confirm="Yes, undo it"
        done="The record was undone"
        onConfirm={(data) =>
          call('POST /refunds/{id}/undo-record', {
            params: { id: refund.id },
            body: { reason: readText(data, 'reason') },
          })
        }
      >
        <TextArea label="Why you undo it, for staff only" name="reason" rows={2} required maxLength={MAX_REASON} />
      </ConfirmedAction>
    </>
  );
}

/** Nothing covers it: it is neither signed nor sent. */
function Stopped({ refund }: { readonly refund: Refund }) {
  return (
    <>
      <p className={styles.muted}>
        The payment that it sends back is not confirmed any more, so the shop does not broadcast it. Do not send it from
        another wallet either. It can be sent again once the payment is confirmed.
      </p>
      <NoteTransaction refund={refund} />
      <Withdraw refund={refund} />
    </>
  );
}

function Sending({ refund }: { readonly refund: Refund }) {
  const params = { id: refund.id };
  const isAlive = useHydrated();
  const { psbt } = refund;
  return (
    <>
      {psbt !== null && (
        <div className={styles.psbt}>
          <p>
            Sign this transaction in the wallet of the shop’s account, and paste it back here. The wallet shows the
            address and the amount above: compare them before you sign.
          </p>
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls */}
          <section className={styles.base64} tabIndex={0} aria-label="Unsigned transaction (PSBT)">
            {psbt}
          </section>
          <div className={styles.row}>
            <CopyButton text={psbt} contentName="PSBT" label="Copy PSBT" />
            <Button
              variant="tertiary"
              disabled={!isAlive}
              onClick={() => savePsbt(psbt, `refund-${refund.id.slice(-12)}.psbt`)}
            >
              Save as a file
            </Button>
          </div>
          <ConfirmedAction
            button="Broadcast"
            variant="primary"
            question="Send this transaction?"
            meaning={<p>{formatExactBtc(refund.amount_btc)} BTC leave the shop’s account for good.</p>}
            confirm="Yes, send it"
            done="The refund is on its way"
            onConfirm={(data) =>
              call('POST /refunds/{id}/broadcast', { params, body: { psbt: readText(data, 'psbt') } })
            }
          >
            <TextArea label="Signed PSBT" name="psbt" rows={4} required spellCheck={false} />
          </ConfirmedAction>
        </div>
      )}
      <p className={styles.muted}>
        {psbt === null
          ? 'Send exactly this amount to the address.'
          : 'Or send exactly this amount from another wallet.'}{' '}
        The shop recognises it by itself.
      </p>
      <p>
        <a className={styles.wallet} href={refund.bip21}>
          Open in a wallet
        </a>
      </p>
      <NoteTransaction refund={refund} />
      <Withdraw refund={refund} />
    </>
  );
}

/** It was sent all the same, and the shop does not see it. */
function NoteTransaction({ refund }: { readonly refund: Refund }) {
  return (
    <ConfirmedAction
      button="Note the transaction"
      question="Note that this was paid?"
      meaning={<p>Only where the shop can’t see it: it takes your word for it. Noted, it counts as sent back.</p>}
      confirm="Yes, it was paid"
      done="The refund was noted"
      onConfirm={(data) =>
        call('POST /refunds/{id}/record', {
          params: { id: refund.id },
          body: { txid: readText(data, 'txid').toLowerCase() },
        })
      }
    >
      <Field
        label="Transaction id, if the shop does not see it"
        name="txid"
        required
        pattern="\s*[0-9a-fA-F]{64}\s*"
        title="64 digits and letters from a to f"
        autoComplete="off"
        spellCheck={false}
      />
    </ConfirmedAction>
  );
}

function Withdraw({ refund }: { readonly refund: Refund }) {
  return (
    <ConfirmedAction
      button="Withdraw the refund"
      isDestructive
      variant="quaternary"
      question="Give this refund up?"
      meaning={<p>Don’t, if you have signed and sent its transaction: it is recognised all the same.</p>}
      confirm="Yes, give it up"
      done="The refund was given up"
      onConfirm={() => call('POST /refunds/{id}/withdraw', { params: { id: refund.id } })}
    />
  );
}
