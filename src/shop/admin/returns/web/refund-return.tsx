import { Link } from 'react-router';
import { formatBtcAmount, formatUsdAmount } from '#src/shop/format-number.ts';
import type { DeskReturn } from '#src/shop/returns/desk/contract.ts';
import { call } from '#src/storefront/call.ts';
import { Checkbox } from '#src/ui/fields/checkbox.tsx';
import { Notice } from '#src/ui/display/notice.tsx';
import { Section } from '#src/ui/layout/section.tsx';
import { ConfirmedAction } from '../../kit/confirmed-action.tsx';
import { readSending, SendingFields } from '../../refunds/web/sending-fields.tsx';

const REFUSALS: Readonly<Record<string, string>> = {
  'no-address': 'The order has no refund address. Ask the buyer for one, or enter it on the order’s page.',
  'address-not-confirmed': 'The buyer has not confirmed the refund address yet.',
  'address-waits': 'Staff entered the refund address, and the buyer can still object.',
  'refund-open': 'Another refund of this order is open. Wait for it, or withdraw it.',
  'no-rate': 'There is no fresh bitcoin rate. Try again in a few minutes.',
  'nothing-to-refund':
    'These units cost nothing, other refunds took the payment, or it is not confirmed. Close the return if nothing is due.',
  dust: 'The amount is too small to be sent. Close the return.',
  'deduction-too-large':
    'Another refund took some of these units or a part of their price, and the rest costs less than the deduction. Save a smaller deduction under “Inspect”.',
  'too-many-units': 'Some of these units are refunded already. Close the return if nothing is due.',
};

interface RefundReturnProps {
  readonly found: DeskReturn;
  readonly mayRefund: boolean;
}

/** OPS-28: one action that makes the refund with its credit note, and closes the return. */
export function RefundReturn({ found, mayRefund }: RefundReturnProps) {
  const { refund, return: one } = found;
  const toOrder = (
    <Link to={`/admin/orders/${one.order_id}`} className="link accent">
      page of the order
    </Link>
  );
  if (one.outcome === 'refunded')
    return (
      <Section title="Refund" surface="outlined">
        <p>
          {found.refund_state === 'confirmed'
            ? 'The refund is confirmed. It is on the '
            : 'The refund is made. Sign and send it on the '}
          {toOrder}.
        </p>
      </Section>
    );
  if (refund === null) return null;
  const value = `$${formatUsdAmount(refund.value_usd)}`;
  return (
    <Section title="Refund" surface="outlined">
      <p>
        <strong>{value}</strong>
        {refund.returns_btc !== null && <span className="muted">, {formatBtcAmount(refund.returns_btc)} BTC now</span>}
        {refund.shipping && <span className="muted">, with the standard delivery</span>}
      </p>
      {one.state === 'in-transit' && (
        <p className="muted measure">
          The units have not arrived. You may refund them by the proof of sending; they are not put back on sale, so
          adjust the stock when they arrive.
        </p>
      )}
      {refund.refused !== null && (
        <Notice tone="bad">
          {REFUSALS[refund.refused] ?? 'The refund can’t be made now.'} See the {toOrder}.
        </Notice>
      )}
      {!mayRefund && <p className="muted">A manager or the owner makes the refund.</p>}
      {mayRefund && refund.refused === null && (
        <ConfirmedAction
          button={`Refund ${value} and close`}
          variant="primary"
          question={`Refund ${value}?`}
          meaning={
            <p>
              The refund and its credit note are created, the return is closed, and the buyer gets a mail. Then sign and
              send the refund on the page of the order.
            </p>
          }
          confirm="Refund and close"
          done="Refund made, return closed"
          onConfirm={(data) =>
            call('POST /support/returns/{id}/refund', {
              params: { id: one.id },
              body: { version: one.version, ...readSending(data) },
            })
          }
        >
          <SendingFields forgotten={null} />
          <Checkbox name="checked" value="yes">
            I checked in the wallet that nothing of this order was refunded before. Needed only after a backup was
            restored.
          </Checkbox>
        </ConfirmedAction>
      )}
    </Section>
  );
}
