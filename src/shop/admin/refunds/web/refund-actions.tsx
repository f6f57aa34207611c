import { formatExactBtc } from '#src/shop/payments/ledger/exact-amounts.ts';
import type { RefundsOfOrder } from '#src/shop/refunds/contract.ts';
import { call } from '#src/storefront/call.ts';
import { Moment } from '#src/storefront/moment.tsx';
import { Checkbox } from '#src/ui/checkbox.tsx';
import { Field, Select } from '#src/ui/field.tsx';
import { ConfirmedAction } from '../../web/confirmed-action.tsx';
import styles from '../../web/actions.module.css';
import { readText } from '../../web/form-text.ts';
import { RefundToSend } from './refund-to-send.tsx';

interface RefundActionsProps {
  readonly orderId: string;
  readonly refunds: RefundsOfOrder;
  /** It is what the order waits for. */
  readonly isAsked: boolean;
  /** What is confirmed does not cover what was not sent yet. */
  readonly isStopped: boolean;
}

const NOT_MADE: Readonly<Record<string, string>> = {
  'no-address': 'The buyer has named no address for refunds yet; the order’s page asks for one.',
  'address-not-confirmed':
    'The buyer has named an address, and not followed the link in the mail that confirms it yet.',
  dust: 'What was paid too much is less than the network carries to that address, or to any: it can’t be sent back.',
  'address-waits':
    'The address was entered by staff. It counts three days after that, unless the buyer names another one.',
  'order-open': 'The order can still be paid. Once it is paid, cancelled or its time is over, money can go back.',
  'reorged-out': 'The network has taken the payment back; nothing can be sent back before it is confirmed again.',
};

const COVERS = { surplus: 'What was paid too much', whole: 'Everything that was received' } as const;

const coversIn = (data: FormData) => (readText(data, 'covers') === 'whole' ? 'whole' : 'surplus');

/** OPS-03: money goes back, by a transaction that a wallet of the merchant signs. */
export function RefundActions({
  orderId,
  isAsked,
  isStopped,
  refunds: { refunds, refundable, refused, address, may_be_forgotten: forgotten },
}: RefundActionsProps) {
  const amounts = { surplus: refundable.surplus_btc, whole: refundable.whole_btc };
  const possible = (['surplus', 'whole'] as const).filter((covers) => refused[covers] === null && amounts[covers] > 0);
  const isThereMoney = amounts.surplus > 0 || amounts.whole > 0;
  if (refunds.length === 0 && !isThereMoney) return null;
  const why = [refused.surplus, refused.whole]
    .map((reason) => NOT_MADE[reason ?? ''])
    .find((text) => text !== undefined);
  return (
    <section className={styles.deeds} aria-labelledby="refunds-title">
      <h2 id="refunds-title">Refunds</h2>
      {possible.length > 0 && address !== null && (
        <ConfirmedAction
          button="Make a refund"
          variant={isAsked ? 'primary' : 'secondary'}
          question="Make this refund?"
          renderMeaning={(data) => <Meaning covers={coversIn(data)} amounts={amounts} address={address} />}
          confirm="Yes, make it"
          done="The refund waits to be signed"
          onConfirm={(data) => {
            const rate = readText(data, 'fee_rate');
            return call('POST /orders/{id}/refunds', {
              params: { id: orderId },
              body: {
                covers: coversIn(data),
                fee_paid_by: readText(data, 'fee_paid_by') === 'buyer' ? 'buyer' : 'shop',
                ...(readText(data, 'checked') === '' ? {} : { checked: true }),
                from: readText(data, 'from') === 'any-wallet' ? 'any-wallet' : 'coins',
                ...(rate === '' ? {} : { fee_rate: Number(rate) }),
              },
            });
          }}
        >
          <Select label="What goes back" name="covers">
            {possible.map((covers) => (
              <option key={covers} value={covers}>
                {COVERS[covers]}: {formatExactBtc(amounts[covers])} BTC
              </option>
            ))}
          </Select>
          <Select label="The network’s fee" name="fee_paid_by">
            <option value="shop">The shop pays it</option>
            <option value="buyer">It is taken from the refund</option>
          </Select>
          <Select label="Paid from" name="from" hint="The shop makes the transaction only of coins that it knows.">
            <option value="coins">The shop’s coins, by a PSBT to sign</option>
            <option value="any-wallet">Any other wallet</option>
          </Select>
          <Field
            label="Fee rate in sat/vB (optional)"
            name="fee_rate"
            type="number"
            min={1}
            max={1000}
            step="any"
            inputMode="decimal"
            hint="Left empty: what the network asks at present."
          />
          {forgotten !== null && (
            <Checkbox name="checked" value="yes" required>
              The shop was restored from a backup of <Moment at={forgotten.backup_at} shows="moment" />. I have looked
              in the wallet: this order was not refunded after that.
            </Checkbox>
          )}
        </ConfirmedAction>
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

/** What a refund sends where, before it is made. */
function Meaning({ covers, amounts, address }: MeaningProps) {
  return (
    <>
      <p>
        {COVERS[covers]}, {formatExactBtc(amounts[covers])} BTC, goes to the address that{' '}
        {address.confirmed ? 'the buyer has confirmed' : 'staff entered'}:
      </p>
      <p>
        <code>{address.address}</code>
      </p>
      <p>
        {covers === 'whole' && 'The order is then refunded, and not to be shipped. '}
        Nothing is sent yet: the transaction is signed in a wallet of yours.
      </p>
    </>
  );
}
