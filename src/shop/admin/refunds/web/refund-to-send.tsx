import { Link } from 'react-router';
import { formatExactBtc } from '#src/shop/payments/ledger/exact-amounts.ts';
import { Moment } from '#src/storefront/moment.tsx';
import { formatUsdAmount } from '#src/shop/format-number.ts';
import { formatCoveredLines } from '#src/shop/refunds/lines/format-covered-lines.ts';
import type { Refund } from '#src/shop/refunds/contract.ts';
import { call } from '#src/storefront/call.ts';
import { useDemo } from '#src/storefront/layout/demo-bar.tsx';
import { useHydrated } from '#src/ui/react/use-hydrated.ts';
import { Button } from '#src/ui/controls/button.tsx';
import { CopyButton } from '#src/ui/copy/copy-button.tsx';
import { Field } from '#src/ui/fields/field.tsx';
import { Row } from '#src/ui/layout/row.ts';
import { Fact, Facts } from '#src/ui/display/facts.tsx';
import { Stack } from '#src/ui/layout/stack.ts';
import { Section } from '#src/ui/layout/section.tsx';
import { TextArea } from '#src/ui/fields/text-area.tsx';
import { WalletAddress } from '#src/shop/payments/web/wallet-address.tsx';
import { ConfirmedAction } from '../../kit/confirmed-action.tsx';
import styles from '../../kit/part.module.css';
import { formatBtcAtRate, formatValuedBtc } from './decision-amount.ts';
import { MAX_REASON, readText } from '../../kit/form-text.ts';
import { useMayUse } from '../../kit/use-may-use.ts';
import { savePsbt } from './save-psbt.ts';
import { SignedTransactionFields } from './signed-transaction-fields.tsx';

const STATES: Readonly<Record<Refund['state'], string>> = {
  made: 'not sent yet',
  sent: 'sent',
  confirmed: 'confirmed',
  withdrawn: 'withdrawn',
};
const COVERS = { surplus: 'Overpayment', whole: 'Full payment', lines: 'Items', amount: 'Amount' } as const;

/** With what it returns in dollars; one in kind has the value of today while it is not sent. */
function formatAmount({ amount_btc: amount, rate_usd: own, value_usd: value, state }: Refund, rate: number | null) {
  if (value !== null) return formatValuedBtc(amount, value);
  return formatBtcAtRate(amount, own ?? (state === 'made' ? rate : null));
}

function describeState(
  { credited_order_id: credited, is_recorded: isRecorded, state }: Refund,
  isStopped: boolean,
): string {
  if (credited !== null) return 'credited';
  if (isRecorded) return 'recorded as sent';
  return state === 'made' && isStopped ? 'on hold, do not send' : STATES[state];
}

interface RefundToSendProps {
  readonly refund: Refund;
  readonly isStopped: boolean;
  /** Dollars per bitcoin now; null: no fresh rate. */
  readonly rate: number | null;
}

/** A refund with its facts and, while it is not sent, its actions. */
export function RefundToSend({ refund, isStopped, rate }: RefundToSendProps) {
  const mayRefund = useMayUse('money');
  const amount = formatAmount(refund, rate);
  return (
    <Section
      title={
        <>
          {COVERS[refund.covers]}: {amount} {describeState(refund, isStopped)}
        </>
      }
      level={3}
      size={16}
      className={styles.part}
    >
      <Facts className={styles.facts}>
        <Fact label="Amount">
          <span translate="no">{amount}</span>
          {refund.fee_btc !== null && <span>with a fee of {formatExactBtc(refund.fee_btc)} BTC</span>}
        </Fact>
        {refund.credited_order_id === null ? (
          <Fact label="To">
            <WalletAddress address={refund.address} />
            <CopyButton text={refund.address} contentName="address of the refund" variant="quaternary" />
          </Fact>
        ) : (
          <Fact label="Credited to">
            <Link to={`/admin/orders/${refund.credited_order_id}`} className="link accent">
              The order of the exchange
            </Link>
          </Fact>
        )}
        <ReturnedValue refund={refund} />
        {refund.lines !== null && <CoveredLines lines={refund.lines} />}
        {refund.txid !== null && (
          <Fact label="Transaction">
            <code translate="no">{refund.txid}</code>
            <CopyButton text={refund.txid} contentName="transaction id of the refund" variant="quaternary" />
          </Fact>
        )}
        <Fact label="Made">
          <Moment at={refund.made_at} shows="moment" />
        </Fact>
      </Facts>
      {mayRefund &&
        refund.state === 'made' &&
        (isStopped ? <Stopped refund={refund} /> : <Sending refund={refund} amount={amount} />)}
      {mayRefund && refund.is_recorded && <Recorded refund={refund} />}
    </Section>
  );
}

/** Dollars that a refund returns, its rate, and what was received for them. */
function ReturnedValue({ refund }: { readonly refund: Refund }) {
  const { amount_reason: reason, debit_btc: debit, rate_at: at, rate_usd: rate, value_usd: value } = refund;
  return (
    <>
      {value !== null && (
        <Fact label="Value">
          <span>${formatUsdAmount(value)} with tax</span>
          <span>{formatExactBtc(debit)} BTC was received for it</span>
          {rate !== null && at !== null && (
            <span>
              ${formatUsdAmount(rate)} for one bitcoin, <Moment at={at} shows="moment" />
            </span>
          )}
        </Fact>
      )}
      {reason !== null && <Fact label="Reason">{reason}</Fact>}
    </>
  );
}

/** The units that a refund covers, with what they cost. */
function CoveredLines({ lines }: { readonly lines: NonNullable<Refund['lines']> }) {
  return (
    <>
      <Fact label="Items">
        <span>{formatCoveredLines(lines)}</span>
        <span>${formatUsdAmount(lines.total_usd)} with tax</span>
      </Fact>
      <Fact label="Reason">
        <span>{lines.reason}</span>
        {lines.restock && <span>Back in stock once the refund is confirmed</span>}
      </Fact>
    </>
  );
}

/** A refund recorded by staff, which can be undone. */
function Recorded({ refund }: { readonly refund: Refund }) {
  return (
    <>
      <p className="muted measure">
        {refund.reason === null ? 'Recorded by staff. ' : `Recorded by staff: ${refund.reason}. `}
        Not checked on the network.
      </p>
      <ConfirmedAction
        button="Undo record"
        isDestructive
        variant="quaternary"
        question="Undo this record?"
        meaning={
          <p>
            {refund.is_elsewhere ? 'The amount is owed again.' : 'The refund is open again.'} The buyer gets a mail that
            it is not complete yet.
          </p>
        }
        confirm="Undo record"
        done="The record was undone"
        onConfirm={(data) =>
          call('POST /refunds/{id}/undo-record', {
            params: { id: refund.id },
            body: { reason: readText(data, 'reason') },
          })
        }
      >
        <TextArea label="Reason for undoing, for staff only" name="reason" rows={2} required maxLength={MAX_REASON} />
      </ConfirmedAction>
    </>
  );
}

/** The order lost money: the refund must not be signed or sent. */
function Stopped({ refund }: { readonly refund: Refund }) {
  return (
    <>
      <p className="muted measure">
        Its payment is no longer confirmed, so the shop does not broadcast it. Do not send it from another wallet. You
        can send it once the payment is confirmed again.
      </p>
      <NoteTransaction refund={refund} />
      <Withdraw refund={refund} />
    </>
  );
}

interface SendingProps {
  readonly refund: Refund;
  /** As the page shows it. */
  readonly amount: string;
}

function Sending({ refund, amount }: SendingProps) {
  const params = { id: refund.id };
  const isAlive = useHydrated();
  const { psbt } = refund;
  return (
    <>
      {psbt !== null && (
        <Stack surface="soft" gap={12}>
          <p>
            Sign this transaction in the wallet of the shop’s account. Compare address and amount before you sign, then
            paste the signed transaction here, or choose the file that the wallet saved.
          </p>
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrollable content must be reachable by keyboard */}
          <section className={styles.base64} tabIndex={0} aria-label="Unsigned transaction (PSBT)">
            <code className="fine">{psbt}</code>
          </section>
          <Row align="start">
            <CopyButton text={psbt} contentName="PSBT" label="Copy PSBT" />
            <Button
              variant="tertiary"
              disabled={!isAlive}
              onClick={() => savePsbt(psbt, `refund-${refund.id.slice(-12)}.psbt`)}
            >
              Save as file
            </Button>
          </Row>
          <ConfirmedAction
            button="Broadcast"
            variant="primary"
            question="Broadcast this transaction?"
            meaning={<p>{amount} leaves the shop’s account. You can’t undo this.</p>}
            confirm="Broadcast"
            done="The refund was sent"
            onConfirm={(data) =>
              call('POST /refunds/{id}/broadcast', { params, body: { psbt: readText(data, 'psbt') } })
            }
          >
            <SignedTransactionFields />
          </ConfirmedAction>
          <DemoSigning refund={refund} amount={amount} />
        </Stack>
      )}
      <p className="muted measure">
        {psbt === null
          ? 'Send exactly this amount to the address.'
          : 'Or send exactly this amount from another wallet.'}{' '}
        The shop detects it automatically.
      </p>
      <p>
        <a className="link accent" href={refund.bip21}>
          Open in a wallet
        </a>
      </p>
      <NoteTransaction refund={refund} />
      <Withdraw refund={refund} />
    </>
  );
}

/** Demo: signs and broadcasts without another wallet. */
function DemoSigning({ refund, amount }: SendingProps) {
  if (useDemo()?.hasWallet !== true) return null;
  const params = { id: refund.id };
  return (
    <ConfirmedAction
      button="Sign with the demo wallet"
      question="Sign and broadcast this transaction?"
      meaning={<p>This is a demo: its wallet signs the transaction, and {amount} leaves its account.</p>}
      confirm="Sign and broadcast"
      done="The refund was sent"
      onConfirm={async () => {
        const { psbt } = await call('POST /dev/refunds/{id}/sign', { params });
        return call('POST /refunds/{id}/broadcast', { params, body: { psbt } });
      }}
    />
  );
}

/** For a refund that was sent but is not detected. */
function NoteTransaction({ refund }: { readonly refund: Refund }) {
  return (
    <ConfirmedAction
      button="Record transaction"
      question="Record this transaction?"
      meaning={
        <p>Only if the shop does not detect it. The refund then counts as sent, without a check on the network.</p>
      }
      confirm="Record transaction"
      done="The refund was recorded"
      onConfirm={(data) =>
        call('POST /refunds/{id}/record', {
          params: { id: refund.id },
          body: { txid: readText(data, 'txid').toLowerCase() },
        })
      }
    >
      <Field
        label="Transaction id, if it was not detected"
        name="txid"
        required
        pattern="\s*[0-9a-fA-F]{64}\s*"
        title="Enter 64 characters, 0 to 9 and a to f"
        autoComplete="off"
        spellCheck={false}
      />
    </ConfirmedAction>
  );
}

function Withdraw({ refund }: { readonly refund: Refund }) {
  return (
    <ConfirmedAction
      button="Withdraw refund"
      isDestructive
      variant="quaternary"
      question="Withdraw this refund?"
      meaning={<p>Do not withdraw it if you have already sent its transaction.</p>}
      confirm="Withdraw refund"
      done="The refund was withdrawn"
      onConfirm={() => call('POST /refunds/{id}/withdraw', { params: { id: refund.id } })}
    />
  );
}
