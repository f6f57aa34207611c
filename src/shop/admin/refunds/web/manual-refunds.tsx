import { MAX_ADDRESS_CHARACTERS } from '#src/shop/refunds/typed-address.ts';
import { formatExactBtc } from '#src/shop/payments/ledger/exact-amounts.ts';
import { Moment } from '#src/storefront/moment.tsx';
import type { RefundsOfOrder } from '#src/shop/refunds/contract.ts';
import { call } from '#src/storefront/call.ts';
import { Section } from '#src/ui/layout/section.tsx';
import { Fact, Facts } from '#src/ui/display/facts.tsx';
import { Field } from '#src/ui/fields/field.tsx';
import { ConfirmedAction } from '../../kit/confirmed-action.tsx';
import styles from '../../kit/part.module.css';
import { formatBtcAtRate } from './decision-amount.ts';
import { readText } from '../../kit/form-text.ts';
import { Reason } from './reason.tsx';
import { RecordElsewhere } from './record-elsewhere.tsx';

interface ManualRefundsProps {
  readonly orderId: string;
  readonly refunds: RefundsOfOrder;
}

const isOpen = ({ refused }: RefundsOfOrder): boolean =>
  [refused.surplus, refused.whole].some((why) => why === 'refund-open' || why === 'order-open');
const isOwed = (refunds: RefundsOfOrder): boolean =>
  !isOpen(refunds) && (refunds.refundable.surplus_btc > 0 || refunds.refundable.whole_btc > 0);
const isUnclaimed = ({ unclaimed }: RefundsOfOrder): boolean =>
  unclaimed.amount_btc !== null || unclaimed.refusal === 'too-early';

/** Whether staff can do anything about a refund by hand. */
export const hasManualRefunds = (refunds: RefundsOfOrder): boolean =>
  isOwed(refunds) || isUnclaimed(refunds) || refunds.paid_twice_btc !== null;

/** OPS-25: manual refund actions of staff. Renders nothing if there are none. */
export function ManualRefunds({ orderId, refunds }: ManualRefundsProps) {
  const { refundable, returns, lines, unclaimed, paid_twice_btc: paidTwice, address } = refunds;
  const amounts = { surplus: refundable.surplus_btc, whole: refundable.whole_btc };
  if (!hasManualRefunds(refunds)) return null;
  return (
    <Section title="Manual refunds" surface="outlined">
      {paidTwice !== null && <PaidTwice orderId={orderId} excess={paidTwice} rate={returns.rate_usd} />}
      {isOwed(refunds) && address?.confirmed !== true && <EnterAddress orderId={orderId} />}
      {isOwed(refunds) && <RecordElsewhere orderId={orderId} amounts={amounts} lines={lines} returns={returns} />}
      {isUnclaimed(refunds) && <Unclaimed orderId={orderId} unclaimed={unclaimed} rate={returns.rate_usd} />}
    </Section>
  );
}

function EnterAddress({ orderId }: { readonly orderId: string }) {
  return (
    <Section title="Enter a refund address" level={3} size={16} className={styles.part}>
      <p className="muted measure">
        Use this if the buyer gave you the address in another way. The buyer gets a mail and can object for three days.
        Then you can send the refund.
      </p>
      <ConfirmedAction
        button="Enter address"
        question="Enter this address?"
        renderMeaning={(data) => (
          <p>
            Refunds of this order go to <code translate="no">{readText(data, 'address')}</code> in three days, unless
            the buyer objects.
          </p>
        )}
        confirm="Enter address"
        done="Address saved. The buyer gets a mail"
        onConfirm={(data) =>
          call('POST /orders/{id}/refund-address/enter', {
            params: { id: orderId },
            body: { address: readText(data, 'address'), reason: readText(data, 'reason') },
          })
        }
      >
        <Field
          label="Bitcoin address"
          name="address"
          required
          maxLength={MAX_ADDRESS_CHARACTERS}
          autoComplete="off"
          spellCheck={false}
        />
        <Reason to="enter it" />
      </ConfirmedAction>
    </Section>
  );
}

interface UnclaimedProps {
  readonly orderId: string;
  readonly unclaimed: RefundsOfOrder['unclaimed'];
  /** Dollars per bitcoin now; null without a fresh rate. */
  readonly rate: number | null;
}

interface PaidTwiceProps extends Pick<UnclaimedProps, 'orderId' | 'rate'> {
  /** BTC. */
  readonly excess: number;
}

function Unclaimed({ orderId, rate, unclaimed: { amount_btc: amount, from } }: UnclaimedProps) {
  return (
    <Section title="Write off" level={3} size={16} className={styles.part}>
      {amount === null ? (
        <p className="muted measure">
          If nobody claims the amount, you can write it off from {from !== null && <Moment at={from} shows="moment" />}
          <span>.</span>
        </p>
      ) : (
        <ConfirmedAction
          button="Write off"
          isDestructive
          question={`Write off ${formatBtcAtRate(amount, rate)}?`}
          meaning={
            <p>
              The amount appears in the accounting export as unclaimed, and the order is closed. The buyer gets a mail.
              If the buyer confirms an address later, the amount is owed again and you refund it.
            </p>
          }
          confirm="Write off"
          done="The amount was written off"
          onConfirm={(data) =>
            call('POST /orders/{id}/write-offs', {
              params: { id: orderId },
              body: { kind: 'unclaimed', reason: readText(data, 'reason') },
            })
          }
        >
          <Reason to="write it off" />
        </ConfirmedAction>
      )}
    </Section>
  );
}

function PaidTwice({ orderId, excess, rate }: PaidTwiceProps) {
  return (
    <Section title={<>Refunded twice: {formatBtcAtRate(excess, rate)}</>} level={3} size={16} className={styles.part}>
      <p className="muted measure">
        Ask the buyer to pay the amount back to the order’s address. If nothing arrives, accept the loss.
      </p>
      <ConfirmedAction
        button="Accept loss"
        isDestructive
        question={`Accept a loss of ${formatBtcAtRate(excess, rate)}?`}
        meaning={<p>It appears in the accounting export as a loss. You can’t undo this.</p>}
        confirm="Accept loss"
        done="The loss was accepted"
        onConfirm={(data) =>
          call('POST /orders/{id}/write-offs', {
            params: { id: orderId },
            body: { kind: 'paid-twice', reason: readText(data, 'reason') },
          })
        }
      >
        <Reason to="accept it" />
      </ConfirmedAction>
    </Section>
  );
}

/** What was written off of an order, and whether it was claimed since. */
export function WriteOff({ writeOff }: { readonly writeOff: RefundsOfOrder['write_offs'][number] }) {
  const { kind, amount_btc: amount, reason, made_at: madeAt, reopened_at: reopenedAt } = writeOff;
  return (
    <Section
      title={
        <>
          {formatExactBtc(amount)} BTC {kind === 'unclaimed' ? 'written off as unclaimed' : 'accepted as a loss'}
        </>
      }
      level={3}
      size={16}
      className={styles.part}
    >
      <Facts className={styles.facts}>
        <Fact label="Reason">{reason}</Fact>
        <Fact label="Written off">
          <Moment at={madeAt} shows="moment" />
        </Fact>
        {reopenedAt !== null && (
          <Fact label="Claimed">
            <Moment at={reopenedAt} shows="moment" />
          </Fact>
        )}
      </Facts>
    </Section>
  );
}
