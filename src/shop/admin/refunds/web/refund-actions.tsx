import { formatExactBtc } from '#src/shop/payments/ledger/exact-amounts.ts';
import type { RefundsOfOrder } from '#src/shop/refunds/contract.ts';
import type { RefundProblem } from '#src/shop/refunds/refundable.ts';
import { call } from '#src/storefront/call.ts';
import { Select } from '#src/ui/field.tsx';
import { ConfirmedAction } from '../../web/confirmed-action.tsx';
import styles from '../../web/actions.module.css';
import { readText } from '../../web/form-text.ts';
import { useMayUse } from '../../web/use-may-use.ts';
import { LineRefundForm } from './line-refund-form.tsx';
import { readSending, SendingFields } from './sending-fields.tsx';
import { RefundToSend } from './refund-to-send.tsx';

interface RefundActionsProps {
  readonly orderId: string;
  readonly refunds: RefundsOfOrder;
  /** The order's task is this refund. */
  readonly isAsked: boolean;
  /** Confirmed payments no longer cover refunds that were not sent. */
  readonly isStopped: boolean;
}

/** Null: other parts of the page show why. */
const NOT_MADE: Readonly<Record<RefundProblem, string | null>> = {
  'refund-open': null,
  'nothing-to-refund': null,
  'no-address': 'The buyer has not entered a refund address yet. The order page asks for one.',
  'address-not-confirmed': 'The buyer has not confirmed the refund address yet. The link is in a mail.',
  dust: 'The amount is below the dust limit of the network, so it can’t be refunded.',
  'address-waits':
    'Staff entered the refund address. It can be used after three days unless the buyer enters another one.',
  'order-open': 'The order can still be paid. A refund is possible once it is paid, cancelled or expired.',
  'reorged-out': 'The payment lost its confirmations. A refund is possible once it is confirmed again.',
};

const COVERS = { surplus: 'Overpayment', whole: 'Full payment' } as const;

const readCovers = (data: FormData) => (readText(data, 'covers') === 'whole' ? 'whole' : 'surplus');

/** OPS-03: refunds, paid by a transaction that staff sign with their own wallet. */
export function RefundActions({
  orderId,
  isAsked,
  isStopped,
  refunds: { refunds, refundable, refused, lines, address, may_be_forgotten: forgotten },
}: RefundActionsProps) {
  const mayRefund = useMayUse('money');
  const amounts = { surplus: refundable.surplus_btc, whole: refundable.whole_btc };
  const possible = (['surplus', 'whole'] as const).filter((covers) => refused[covers] === null && amounts[covers] > 0);
  const isThereMoney = amounts.surplus > 0 || amounts.whole > 0;
  if (refunds.length === 0 && !(isThereMoney && mayRefund)) return null;
  const why = [refused.surplus, refused.whole]
    .map((problem) => problem && NOT_MADE[problem])
    .find((text) => text !== null);
  return (
    <section className={styles.actions} aria-labelledby="refunds-title">
      <h2 id="refunds-title">Refunds</h2>
      {mayRefund && possible.length > 0 && address !== null && (
        <ConfirmedAction
          button="Create refund"
          variant={isAsked ? 'primary' : 'secondary'}
          question="Create this refund?"
          renderMeaning={(data) => <Meaning covers={readCovers(data)} amounts={amounts} address={address} />}
          confirm="Create refund"
          done="Refund created. Sign its transaction to send it"
          onConfirm={(data) =>
            call('POST /orders/{id}/refunds', {
              params: { id: orderId },
              body: { covers: readCovers(data), ...readSending(data) },
            })
          }
        >
          <Select label="Covers" name="covers">
            {possible.map((covers) => (
              <option key={covers} value={covers}>
                {COVERS[covers]}: {formatExactBtc(amounts[covers])} BTC
              </option>
            ))}
          </Select>
          <SendingFields forgotten={forgotten} />
        </ConfirmedAction>
      )}
      {mayRefund && lines.refused === null && address !== null && (
        <LineRefundForm
          key={lines.refunded_btc}
          orderId={orderId}
          lines={lines}
          address={address}
          forgotten={forgotten}
        />
      )}
      {possible.length === 0 && isThereMoney && why !== undefined && <p className={styles.muted}>{why}</p>}
      {refunds.map((refund) => (
        <RefundToSend key={refund.id} refund={refund} isStopped={isStopped} />
      ))}
    </section>
  );
}

interface MeaningProps {
  readonly covers: 'surplus' | 'whole';
  /** BTC. */
  readonly amounts: Readonly<Record<'surplus' | 'whole', number>>;
  readonly address: { readonly address: string; readonly confirmed: boolean };
}

/** Summary of a refund before it is made. */
function Meaning({ covers, amounts, address }: MeaningProps) {
  return (
    <>
      <p>
        {COVERS[covers]}, {formatExactBtc(amounts[covers])} BTC, goes to the address that{' '}
        {address.confirmed ? 'the buyer confirmed' : 'staff entered'}:
      </p>
      <p>
        <code>{address.address}</code>
      </p>
      <p>
        {covers === 'whole' && 'The order is then refunded. Do not ship it. '}
        Nothing is sent until you sign the transaction in your wallet.
      </p>
    </>
  );
}
