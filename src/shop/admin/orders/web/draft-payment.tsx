import { Link } from 'react-router';
import { CartTotals } from '#src/shop/cart/web/cart-totals.tsx';
import { MANUAL_WINDOW_NAMES, manualWindows } from '#src/shop/orders/checkout/manual-window.ts';
import { toTotals } from '#src/shop/orders/checkout/web/to-totals.ts';
import { Button } from '#src/ui/controls/button.tsx';
import { Stack } from '#src/ui/layout/stack.ts';
import { Section } from '#src/ui/layout/section.tsx';
import { Notice } from '#src/ui/display/notice.tsx';
import { Field, Select } from '#src/ui/fields/field.tsx';
import styles from './new-order.module.css';
import type { OrderDraft } from './use-order-draft.ts';

interface DraftPaymentProps {
  readonly order: OrderDraft;
}

/** Totals, promo code and time to pay of a new order. */
export function DraftPayment({ order }: DraftPaymentProps) {
  const { form, missing, preview, promoCode, setPromoCode } = order;
  const { cart } = preview;
  return (
    <Stack gap={24} className={styles.side}>
      <DraftTotals order={order} />
      <Section title="Payment" surface="outlined">
        <Field
          label="Promo code (optional)"
          name="promo_code"
          maxLength={64}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          value={promoCode}
          message={cart?.promoError ?? null}
          onChange={({ currentTarget }) => setPromoCode(currentTarget.value)}
        />
        <WindowSelect order={order} />
        <Failure order={order} />
        <Button
          type="submit"
          width="full"
          isBusy={form.isBusy}
          disabled={missing !== null || cart === null || preview.isStale}
          aria-describedby="create-hint"
        >
          Create order
        </Button>
        <p id="create-hint" className="muted small wrap-anywhere">
          {missing ?? 'The customer gets a mail with a link to pay. No login is needed.'}
        </p>
      </Section>
    </Stack>
  );
}

function DraftTotals({ order: { preview } }: DraftPaymentProps) {
  const { cart, isStale, problem } = preview;
  if (cart === null) {
    return (
      <Section title="Totals" surface="outlined">
        <p className="muted small wrap-anywhere">{problem ?? 'Add an item to see what the order costs.'}</p>
      </Section>
    );
  }
  return (
    <CartTotals title="Totals" totals={toTotals(cart, 2)} isStale={isStale}>
      {problem !== null && <p className="muted small wrap-anywhere">{problem}</p>}
    </CartTotals>
  );
}

function WindowSelect({ order: { setWindow, window } }: DraftPaymentProps) {
  return (
    <Select
      label="Time to pay"
      name="window"
      value={window}
      hint={`The price in bitcoin and the items are reserved for ${MANUAL_WINDOW_NAMES[window]}, whatever the bitcoin price does.`}
      onChange={({ currentTarget: { value } }) => setWindow(manualWindows.find((one) => one === value) ?? '2h')}
    >
      {manualWindows.map((one) => (
        <option key={one} value={one}>
          {MANUAL_WINDOW_NAMES[one]}
        </option>
      ))}
    </Select>
  );
}

function Failure({ order: { form } }: DraftPaymentProps) {
  const openOrderId = form.messageOf('order_id');
  return (
    form.failure !== null && (
      <Notice role="alert" tone="bad">
        {form.failure} {openOrderId !== undefined && <Link to={`/admin/orders/${openOrderId}`}>Open that order</Link>}
      </Notice>
    )
  );
}
