import type { RefundsOfOrder } from '#src/shop/refunds/contract.ts';
import type { RefundProblem } from '#src/shop/refunds/refundable.ts';
import { subtractSats } from '#src/shop/money.ts';
import { call } from '#src/storefront/call.ts';
import { Section } from '#src/ui/layout/section.tsx';
import { Select } from '#src/ui/fields/field.tsx';
import { WalletAddress } from '#src/shop/payments/web/wallet-address.tsx';
import { ConfirmedAction } from '../../kit/confirmed-action.tsx';
import { formatBtcAtRate, formatValuedBtc } from './decision-amount.ts';
import { readText } from '../../kit/form-text.ts';
import { AmountRefundForm } from './amount-refund-form.tsx';
import { describeReturn, toCents, toSats } from './return-text.ts';
import { LineRefundForm } from './line-refund-form.tsx';
import { readSending, SendingFields } from './sending-fields.tsx';

interface RefundFormsProps {
  readonly orderId: string;
  readonly refunds: RefundsOfOrder;
}

/** Null: other parts of the page show why. */
const NOT_MADE: Readonly<Record<RefundProblem, string | null>> = {
  'refund-open': null,
  'nothing-to-refund': null,
  'no-rate': 'There is no fresh bitcoin price, so what a refund returns can’t be computed. Try again in a few minutes.',
  'no-address': 'The buyer has not entered a refund address yet. The order page asks for one.',
  'address-not-confirmed': 'The buyer has not confirmed the refund address yet. The link is in a mail.',
  dust: 'The amount is below the dust limit of the network, so it can’t be refunded.',
  'address-waits':
    'Staff entered the refund address. It can be used after three days unless the buyer enters another one.',
  'order-open': 'The order can still be paid. A refund is possible once it is paid, cancelled or expired.',
  'reorged-out': 'The payment lost its confirmations. A refund is possible once it is confirmed again.',
};

const COVERS = { surplus: 'Overpayment', whole: 'Full payment' } as const;

/** What a refund returns: a whole one its dollars, a surplus the same bitcoin. */
const formatReturned = (covers: 'surplus' | 'whole', amount: number, returns: RefundsOfOrder['returns']): string =>
  covers === 'whole' && returns.whole !== null && returns.whole.value_usd !== null
    ? formatValuedBtc(amount, returns.whole.value_usd)
    : formatBtcAtRate(amount, returns.rate_usd);

const readCovers = (data: FormData) => (readText(data, 'covers') === 'whole' ? 'whole' : 'surplus');

const isThereMoney = ({ refundable }: RefundsOfOrder): boolean =>
  refundable.surplus_btc > 0 || refundable.whole_btc > 0;

/** Whether there is a refund to make, or a reason why it can't be made. */
export const hasRefundForms = (refunds: RefundsOfOrder): boolean => isThereMoney(refunds);

/** OPS-03: makes refunds, which are paid by a transaction that staff sign with their own wallet. */
export function RefundForms({ orderId, refunds }: RefundFormsProps) {
  const { refundable, refused, returns, lines, address, may_be_forgotten: forgotten } = refunds;
  const amounts = { surplus: refundable.surplus_btc, whole: refundable.whole_btc };
  const possible = (['surplus', 'whole'] as const).filter((covers) => refused[covers] === null && amounts[covers] > 0);
  const shown = { ...amounts, whole: returns.whole?.returns_btc ?? amounts.whole };
  if (!isThereMoney(refunds)) return null;
  const why = [refused.surplus, refused.whole]
    .map((problem) => problem && NOT_MADE[problem])
    .find((text) => text !== null);
  return (
    <Section title="New refund" surface="outlined">
      {possible.length > 0 && address !== null && (
        <ConfirmedAction
          button="Create refund"
          variant="primary"
          question="Create this refund?"
          renderMeaning={(data) => (
            <Meaning covers={readCovers(data)} amounts={amounts} address={address} returns={returns} />
          )}
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
                {COVERS[covers]}: {formatReturned(covers, shown[covers], returns)}
              </option>
            ))}
          </Select>
          {refused.whole === null && <output>Full payment: {describeWhole(returns)}</output>}
          <SendingFields forgotten={forgotten} />
        </ConfirmedAction>
      )}
      {address !== null && (
        <PartialRefunds orderId={orderId} lines={lines} returns={returns} address={address} forgotten={forgotten} />
      )}
      {possible.length === 0 && why !== undefined && <p className="muted measure">{why}</p>}
    </Section>
  );
}

interface PartialRefundsProps {
  readonly orderId: string;
  readonly lines: RefundsOfOrder['lines'];
  readonly returns: RefundsOfOrder['returns'];
  readonly address: NonNullable<RefundsOfOrder['address']>;
  readonly forgotten: RefundsOfOrder['may_be_forgotten'];
}

/** Refunds of items and of an amount, as far as they are possible. */
const PartialRefunds = (props: PartialRefundsProps) => (
  <>
    {props.lines.refused === null && <LineRefundForm key={props.lines.refunded_btc} {...props} />}
    {props.lines.amount_refused === null && <AmountRefundForm key={`amount ${props.lines.left_usd}`} {...props} />}
  </>
);

interface MeaningProps {
  readonly covers: 'surplus' | 'whole';
  /** BTC. */
  readonly amounts: Readonly<Record<'surplus' | 'whole', number>>;
  readonly address: { readonly address: string; readonly confirmed: boolean };
  readonly returns: RefundsOfOrder['returns'];
}

/** What a refund of everything returns. */
function describeWhole(returns: RefundsOfOrder['returns']): string {
  const { whole } = returns;
  if (whole === null || whole.value_usd === null) return 'Returns the same bitcoin that was received.';
  const [debit, surplus] = [toSats(whole.debit_btc), toSats(whole.surplus_btc)];
  const value = toCents(whole.value_usd);
  return describeReturn({ value, debit: subtractSats(debit, surplus), surplus }, returns);
}

/** Summary of a refund before it is made. */
function Meaning({ covers, amounts, address, returns }: MeaningProps) {
  const amount = covers === 'whole' ? (returns.whole?.returns_btc ?? amounts.whole) : amounts.surplus;
  return (
    <>
      <p>
        {COVERS[covers]}, {formatReturned(covers, amount, returns)}, goes to the address that{' '}
        {address.confirmed ? 'the buyer confirmed' : 'staff entered'}:
      </p>
      <p>
        <WalletAddress address={address.address} />
      </p>
      <p>{covers === 'whole' ? describeWhole(returns) : 'Overpayments are returned in the same bitcoin.'}</p>
      <p>
        {covers === 'whole' && <span>The order is then refunded. Do not ship it. </span>}
        <span>Nothing is sent until you sign the transaction in your wallet.</span>
      </p>
    </>
  );
}
