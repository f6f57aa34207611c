import { useState } from 'react';
import { useNavigate } from 'react-router';
import type { ManualWindow } from '#src/shop/orders/checkout/manual-window.ts';
import { isFilled, toBilling } from '#src/shop/orders/checkout/web/billing-draft.ts';
import { isApiFailure } from '#src/storefront/api.ts';
import { call } from '#src/storefront/call.ts';
import { describeFailure } from '#src/storefront/forms/describe-failure.ts';
import { useCallForm } from '#src/storefront/forms/use-call-form.ts';
import { useSendOnce } from '#src/storefront/forms/use-send-once.ts';
import type { FormFailure } from '#src/ui/form/use-form.ts';
import { showToast } from '#src/ui/feedback/show-toast.ts';
import { useLeaveWarning } from '#src/ui/page/use-leave-warning.ts';
import type { CustomerDraft } from './choose-customer.tsx';
import type { DraftLine } from './choose-items.tsx';
import { useDeliveryDraft } from './use-delivery-draft.ts';
import type { DeliveryDefaults } from './use-delivery-draft.ts';
import { useOrderPreview } from './use-order-preview.ts';

const toItems = (lines: readonly DraftLine[]) =>
  lines.map(({ variant: { product_id, property_value_ids }, quantity }) => ({
    product_id,
    property_value_ids,
    quantity,
  }));

type Body = Parameters<typeof call<'POST /support/orders'>>[1]['body'];

/** With the id of the customer's other open order as `order_id`, if that is why. */
const toFailure = (error: unknown): FormFailure => ({
  text: describeFailure(error, { assurance: 'No second order is created.' }),
  problems: isApiFailure(error) && error.code === 'order-open' ? error.fields : {},
});

/** Creates an order once, whatever is clicked, and opens its page. */
function useCreateOrder(read: () => Body | null) {
  const navigate = useNavigate();
  const sendOnce = useSendOnce();
  return useCallForm({
    log: 'the order was not created',
    read,
    send: async (body) => {
      const created = await sendOnce(body, (options) => call('POST /support/orders', { body }, options));
      showToast('success', 'Order created', 'The customer gets a mail with the payment link.');
      await navigate(`/admin/orders/${created.order_id}`);
    },
    describe: toFailure,
  });
}

/** An order that is being put together, with its totals; `submit` creates it. */
export function useOrderDraft(given: CustomerDraft, defaults: DeliveryDefaults) {
  const [customer, setCustomer] = useState(given);
  const [lines, setLines] = useState<readonly DraftLine[]>([]);
  const [promoCode, setPromoCode] = useState('');
  const [window, setWindow] = useState<ManualWindow>('2h');
  const delivery = useDeliveryDraft(defaults);
  useLeaveWarning(lines.length > 0 || customer.kind === 'new');

  const { draft } = delivery;
  const country = isFilled('country', draft) ? draft.country : '';
  const vatNumber = draft.vatNumber.trim();
  const items = toItems(lines);
  const areLinesValid = items.length > 0 && items.every(({ quantity }) => quantity > 0);
  const choice = {
    ...(customer.kind === 'known' && { customer_id: customer.customer.id }),
    ...(promoCode.trim() !== '' && { promo_code: promoCode.trim() }),
  };
  const tax = country === '' ? {} : { country, ...(vatNumber !== '' && { vat_number: vatNumber }) };
  const preview = useOrderPreview(areLinesValid ? { ...choice, ...tax, lines: items } : null);
  const billing = toBilling(draft, defaults.delivered);
  const missing = findMissing({ customer, areLinesValid, isBillingFilled: billing !== null });

  const changeCustomer = (next: CustomerDraft): void => {
    setCustomer(next);
    const id = next.kind === 'known' ? next.customer.id : null;
    // What is typed about a new customer changes nothing here.
    if (next.kind !== customer.kind) delivery.changeCustomer(id, customer.kind === 'known');
  };

  const form = useCreateOrder(() => {
    const { cart, isStale } = preview;
    if (billing === null || cart === null || isStale || missing !== null) return null;
    const acceptsVat = cart.delivery?.accepts_vat_number === true && vatNumber !== '';
    return {
      ...choice,
      ...(customer.kind === 'new' && { email: customer.customer.email.trim(), name: customer.customer.name.trim() }),
      lines: items,
      billing: { ...billing, ...(acceptsVat && { vatNumber }) },
      window,
      expected_total_usd: cart.totalCartValue,
    };
  });
  return {
    customer,
    changeCustomer,
    lines,
    setLines,
    promoCode,
    setPromoCode,
    window,
    setWindow,
    delivery,
    preview,
    missing,
    form,
  };
}

export type OrderDraft = ReturnType<typeof useOrderDraft>;

interface DraftState {
  readonly customer: CustomerDraft;
  readonly areLinesValid: boolean;
  readonly isBillingFilled: boolean;
}

/** What the order needs before it can be created; null if nothing. */
function findMissing({ customer, areLinesValid, isBillingFilled }: DraftState): string | null {
  if (customer.kind === 'none') return 'Choose a customer to continue.';
  if (customer.kind === 'new' && (customer.customer.email.trim() === '' || customer.customer.name.trim() === '')) {
    return 'Enter the email address and the name of the customer to continue.';
  }
  if (!areLinesValid) return 'Add an item to continue.';
  return isBillingFilled ? null : 'Fill in the delivery details to continue.';
}
