import { formatExactBtc } from '#src/shop/payments/ledger/exact-amounts.ts';
import { Moment } from '#src/storefront/moment.tsx';
import type { RefundsOfOrder } from '#src/shop/refunds/contract.ts';
import { call } from '#src/storefront/call.ts';
import { Field, Select } from '#src/ui/field.tsx';
import { TextArea } from '#src/ui/text-area.tsx';
import { ConfirmedAction } from '../../web/confirmed-action.tsx';
import styles from '../../web/actions.module.css';
import { MAX_REASON, readText } from '../../web/form-text.ts';

interface ManualRefundsProps {
  readonly orderId: string;
  readonly refunds: RefundsOfOrder;
}

const COVERS = { surplus: 'Overpayment', whole: 'Full payment' } as const;

const readCovers = (data: FormData) => (readText(data, 'covers') === 'whole' ? 'whole' : 'surplus');

/** @param to the action, for example "enter it". */
const Reason = ({ to }: { readonly to: string }) => (
  <TextArea label={`Why you ${to}, for staff only`} name="reason" rows={2} required maxLength={MAX_REASON} />
);

/** OPS-25: manual refund actions of staff. Renders nothing if there are none. */
export function ManualRefunds({ orderId, refunds }: ManualRefundsProps) {
  const { refundable, refused, unclaimed, write_offs: writeOffs, paid_twice_btc: paidTwice, address } = refunds;
  const amounts = { surplus: refundable.surplus_btc, whole: refundable.whole_btc };
  const isOpen = [refused.surplus, refused.whole].some((why) => why === 'refund-open' || why === 'order-open');
  const isOwed = !isOpen && (amounts.surplus > 0 || amounts.whole > 0);
  const isUnclaimed = unclaimed.amount_btc !== null || unclaimed.refusal === 'too-early';
  if (!isOwed && !isUnclaimed && writeOffs.length === 0 && paidTwice === null) return null;
  return (
    <section className={styles.actions} aria-labelledby="by-hand-title">
      <h2 id="by-hand-title">Manual refunds</h2>
      {paidTwice !== null && <PaidTwice orderId={orderId} excess={paidTwice} />}
      {isOwed && address?.confirmed !== true && <EnterAddress orderId={orderId} />}
      {isOwed && <RecordElsewhere orderId={orderId} amounts={amounts} />}
      {isUnclaimed && <Unclaimed orderId={orderId} unclaimed={unclaimed} />}
      {writeOffs.map((writeOff) => (
        <WriteOff key={writeOff.id} writeOff={writeOff} />
      ))}
    </section>
  );
}

function EnterAddress({ orderId }: { readonly orderId: string }) {
  return (
    <div className={styles.refund}>
      <h3>Enter a refund address</h3>
      <p className={styles.muted}>
        Use this if the buyer gave you the address in another way. The buyer gets a mail and can object for three days.
        Then you can send the refund.
      </p>
      <ConfirmedAction
        button="Enter address"
        question="Enter this address?"
        renderMeaning={(data) => (
          <p>
            Refunds of this order go to <code>{readText(data, 'address')}</code> in three days, unless the buyer
            objects.
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
        <Field label="Bitcoin address" name="address" required maxLength={100} autoComplete="off" spellCheck={false} />
        <Reason to="enter it" />
      </ConfirmedAction>
    </div>
  );
}

interface ElsewhereProps {
  readonly orderId: string;
  /** BTC. */
  readonly amounts: Readonly<Record<'surplus' | 'whole', number>>;
}

function RecordElsewhere({ orderId, amounts }: ElsewhereProps) {
  const possible = (['surplus', 'whole'] as const).filter((covers) => amounts[covers] > 0);
  return (
    <div className={styles.refund}>
      <h3>Record a refund that was sent elsewhere</h3>
      <ConfirmedAction
        button="Record refund"
        question="Record this refund?"
        renderMeaning={(data) => (
          <p>
            {COVERS[readCovers(data)]} counts as refunded without a check on the network. The buyer gets a mail with the
            transaction.
          </p>
        )}
        confirm="Record refund"
        done="The refund was recorded"
        onConfirm={(data) => {
          const amount = readText(data, 'amount');
          return call('POST /orders/{id}/refunds/elsewhere', {
            params: { id: orderId },
            body: {
              covers: readCovers(data),
              txid: readText(data, 'txid').toLowerCase(),
              address: readText(data, 'address'),
              reason: readText(data, 'reason'),
              ...(amount === '' ? {} : { amount_btc: Number(amount) }),
            },
          });
        }}
      >
        <Select label="Covers" name="covers">
          {possible.map((covers) => (
            <option key={covers} value={covers}>
              {COVERS[covers]}: {formatExactBtc(amounts[covers])} BTC
            </option>
          ))}
        </Select>
        <Field
          label="Transaction id"
          name="txid"
          required
          pattern="\s*[0-9a-fA-F]{64}\s*"
          title="Enter 64 characters, 0 to 9 and a to f"
          autoComplete="off"
          spellCheck={false}
        />
        <Field label="Sent to" name="address" required maxLength={100} autoComplete="off" spellCheck={false} />
        <Field
          label="Amount that arrived in BTC (optional)"
          name="amount"
          type="number"
          min={0.00000001}
          step="any"
          inputMode="decimal"
          hint="Leave empty for the full amount. If less arrived, the difference counts as network fee."
        />
        <Reason to="record it" />
      </ConfirmedAction>
    </div>
  );
}

interface UnclaimedProps {
  readonly orderId: string;
  readonly unclaimed: RefundsOfOrder['unclaimed'];
}

function Unclaimed({ orderId, unclaimed: { amount_btc: amount, from } }: UnclaimedProps) {
  return (
    <div className={styles.refund}>
      <h3>Write off</h3>
      {amount === null ? (
        <p className={styles.muted}>
          If nobody claims the amount, you can write it off from {from !== null && <Moment at={from} shows="moment" />}.
        </p>
      ) : (
        <ConfirmedAction
          button="Write off"
          isDestructive
          question={`Write off ${formatExactBtc(amount)} BTC?`}
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
    </div>
  );
}

function PaidTwice({ orderId, excess }: { readonly orderId: string; readonly excess: number }) {
  return (
    <div className={styles.refund}>
      <h3>Refunded twice: {formatExactBtc(excess)} BTC</h3>
      <p className={styles.muted}>
        Ask the buyer to pay the amount back to the order’s address. If nothing arrives, accept the loss.
      </p>
      <ConfirmedAction
        button="Accept loss"
        isDestructive
        question={`Accept a loss of ${formatExactBtc(excess)} BTC?`}
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
    </div>
  );
}

function WriteOff({ writeOff }: { readonly writeOff: RefundsOfOrder['write_offs'][number] }) {
  const { kind, amount_btc: amount, reason, made_at: madeAt, reopened_at: reopenedAt } = writeOff;
  return (
    <div className={styles.refund}>
      <h3>
        {formatExactBtc(amount)} BTC {kind === 'unclaimed' ? 'written off as unclaimed' : 'accepted as a loss'}
      </h3>
      <dl className={styles.facts}>
        <div>
          <dt>Reason</dt>
          <dd>{reason}</dd>
        </div>
        <div>
          <dt>Written off</dt>
          <dd>
            <Moment at={madeAt} shows="moment" />
          </dd>
        </div>
        {reopenedAt !== null && (
          <div>
            <dt>Claimed</dt>
            <dd>
              <Moment at={reopenedAt} shows="moment" />
            </dd>
          </div>
        )}
      </dl>
    </div>
  );
}
