import { useState } from 'react';
import type { ManualWindow } from '#src/shop/orders/checkout/manual-window.ts';
import { EMPTY_DRAFT, followChange, isFilled, toBilling } from '#src/shop/orders/checkout/web/billing-draft.ts';
import type { DeliveryCountries, Draft } from '#src/shop/orders/checkout/web/billing-draft.ts';
import type { CustomerDraft } from './choose-customer.tsx';
import type { DraftLine } from './choose-items.tsx';
import { useCreateOrder } from './use-create-order.ts';
import { useOrderPreview } from './use-order-preview.ts';

const toItems = (lines: readonly DraftLine[]) =>
  lines.map(({ variant: { product_id, property_value_ids }, quantity }) => ({
    product_id,
    property_value_ids,
    quantity,
  }));

/** The delivery details that staff type. */
function useBillingDraft() {
  const [draft, setDraft] = useState<Draft>(EMPTY_DRAFT);
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set());
  const change = (name: keyof Draft, value: string) => {
    setTouched((names) => new Set(names).add(name));
    setDraft((before) => ({ ...before, ...followChange(before, name, value) }));
  };
  return { draft, touched, change };
}

/** An order that is being put together, with its totals; `submit` creates it. */
export function useOrderDraft(given: CustomerDraft, countries: DeliveryCountries) {
  const [customer, setCustomer] = useState(given);
  const [lines, setLines] = useState<readonly DraftLine[]>([]);
  const [promoCode, setPromoCode] = useState('');
  const [window, setWindow] = useState<ManualWindow>('2h');
  const delivery = useBillingDraft();
  const { isBusy, failure, create } = useCreateOrder();

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
  const billing = toBilling(draft, countries);
  const missing = findMissing({ customer, areLinesValid, isBillingFilled: billing !== null });

  const submit = () => {
    const { cart, isStale } = preview;
    if (billing === null || cart === null || isStale || missing !== null) return;
    const acceptsVat = cart.delivery?.accepts_vat_number === true && vatNumber !== '';
    void create({
      ...choice,
      ...(customer.kind === 'new' && { email: customer.customer.email.trim(), name: customer.customer.name.trim() }),
      lines: items,
      billing: { ...billing, ...(acceptsVat && { vatNumber }) },
      window,
      expected_total_usd: cart.totalCartValue,
    });
  };
  return {
    customer,
    setCustomer,
    lines,
    setLines,
    promoCode,
    setPromoCode,
    window,
    setWindow,
    delivery,
    preview,
    missing,
    isBusy,
    failure,
    submit,
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
