import { useRef } from 'react';
import { MANUAL_WINDOW_NAMES, manualWindows } from '#src/shop/orders/checkout/manual-window.ts';
import type { ManualWindow } from '#src/shop/orders/checkout/manual-window.ts';
import { isApiFailure } from '#src/storefront/api.ts';
import { call } from '#src/storefront/call.ts';
import { CopyButton } from '#src/ui/copy/copy-button.tsx';
import { Select } from '#src/ui/fields/field.tsx';
import { TextArea } from '#src/ui/fields/text-area.tsx';
import { Section } from '#src/ui/layout/section.tsx';
import { useHydrated } from '#src/ui/react/use-hydrated.ts';
import type { WholeOrder } from '../contract.ts';
import { ConfirmedAction } from '../../kit/confirmed-action.tsx';
import { MAX_REASON, readText } from '../../kit/form-text.ts';

/** The link with which anyone can pay an open order. Nothing for other orders. */
export function PaymentLink({ whole: { order, pay_path: path } }: { readonly whole: WholeOrder }) {
  const isHydrated = useHydrated();
  if (order.payment_status !== 'pending' && order.payment_status !== 'user_paid') return null;
  return (
    <Section title="Payment link" surface="outlined">
      <p className="muted measure">Anyone with the link can pay. It shows no personal details.</p>
      <div>
        <CopyButton
          text={isHydrated ? new URL(path, globalThis.location.origin).href : null}
          contentName="payment link"
          label="Copy payment link"
          variant="secondary"
        />
      </div>
    </Section>
  );
}

/** Whether staff created the order, and can renew its price or cancel it. */
export const isManuallyChangeable = ({
  created_by: by,
  can_be_renewed: canBeRenewed,
  can_be_cancelled: canBeCancelled,
}: WholeOrder): boolean => by !== null && (canBeRenewed || canBeCancelled);

/** OPS-13: renews the price of an order that staff created, or cancels it. */
export function ManualOrder({ whole }: { readonly whole: WholeOrder }) {
  const { order, can_be_renewed: canBeRenewed, can_be_cancelled: canBeCancelled } = whole;
  // The new total that the last refusal showed: confirming again accepts it.
  const acceptedUsd = useRef<number | null>(null);
  if (!isManuallyChangeable(whole)) return null;
  const params = { id: order.id };
  const renew = async (window: ManualWindow): Promise<void> => {
    const expected = acceptedUsd.current;
    const body = { window, ...(expected !== null && { expected_total_usd: expected }) };
    try {
      await call('POST /support/orders/{id}/renew-price', { params, body });
      acceptedUsd.current = null;
    } catch (error) {
      const newTotal = isApiFailure(error) && error.code === 'repriced' ? error.fields['new_total_usd'] : undefined;
      if (newTotal !== undefined) acceptedUsd.current = Number(newTotal);
      throw error;
    }
  };
  return (
    <Section title="Created by staff" surface="outlined">
      {canBeRenewed && (
        <ConfirmedAction
          button="Renew price"
          question={`Renew the price of ${order.number}?`}
          meaning={
            <p>
              The order gets today’s prices, fixed at today’s rate for the chosen time. The items are reserved again. If
              the total changes, both totals are shown first: confirm again to accept the new one. The buyer gets a mail
              with the payment link.
            </p>
          }
          confirm="Renew price"
          done="Price renewed"
          onConfirm={(data) => renew(manualWindows.find((one) => one === readText(data, 'window')) ?? '2h')}
        >
          <Select label="Time to pay" name="window" defaultValue="2h">
            {manualWindows.map((one) => (
              <option key={one} value={one}>
                {MANUAL_WINDOW_NAMES[one]}
              </option>
            ))}
          </Select>
        </ConfirmedAction>
      )}
      {canBeCancelled && (
        <ConfirmedAction
          button="Cancel order"
          isDestructive
          question={`Cancel ${order.number}?`}
          meaning={
            <p>
              Its items are released, and the buyer gets a mail. Don’t cancel if the buyer has already sent the payment:
              it may still be on its way.
            </p>
          }
          confirm="Cancel order"
          done="Order cancelled"
          onConfirm={(data) =>
            call('POST /support/orders/{id}/cancel', { params, body: { reason: readText(data, 'reason') } })
          }
        >
          <TextArea label="Reason, for staff only" name="reason" rows={2} required maxLength={MAX_REASON} />
        </ConfirmedAction>
      )}
    </Section>
  );
}
