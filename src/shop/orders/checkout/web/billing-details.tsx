import type { ReactNode } from 'react';
import { useState } from 'react';
import type { Billing } from '../../contract.ts';
import type { CartDelivery } from '#src/shop/cart/contract.ts';
import { useSession } from '#src/storefront/session/session.ts';
import { useDeliveryPlace } from '#src/storefront/location/delivery-place.ts';
import { Button } from '#src/ui/controls/button.tsx';
import { toBilling, createFirstDraft, followChange, isFilled } from './billing-draft.ts';
import type { DeliveryCountries, Draft } from './billing-draft.ts';
import styles from './billing-details.module.css';
import { BillingFields } from './billing-fields.tsx';
import { useCheckout } from './use-checkout.ts';
import { useBillingDraft } from './use-billing-draft.ts';
import { useDeliveryEstimate } from './use-delivery-estimate.ts';
import { VatNumberField } from './vat-number-field.tsx';

interface BillingDetailsProps {
  /** Billing details of the last order. */
  readonly last: Billing | null;
  /** Shipping and tax of the cart; null in a shop with free shipping and no tax. */
  readonly delivery: CartDelivery | null;
  readonly countries: DeliveryCountries;
  /** What is bought, above the button. */
  readonly summary: ReactNode;
  /** Says that ordering obliges to pay, or how it goes on. */
  readonly orderButton: string;
  readonly onBack: () => void;
}

/** Checkout step 2: billing details. */
export function BillingDetails({ last, delivery, countries, summary, orderButton, onBack }: BillingDetailsProps) {
  const place = useDeliveryPlace();
  const { typed, change: onChange } = useBillingDraft();
  // Saved values are filled in until the buyer changes them.
  const draft: Draft = { ...createFirstDraft(last, place), ...typed };
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set());
  const billing = toBilling(draft, countries);
  const isEstimating = useSession((state) => state.isCartLoading) && delivery !== null;
  const [vatNumber, setVatNumber] = useState(draft.vatNumber.trim());
  useDeliveryEstimate(delivery, isFilled('country', draft, countries) ? draft.country : null, vatNumber);
  const change = (name: keyof Draft, value: string) => {
    setTouched((names) => new Set(names).add(name));
    onChange(followChange(draft, name, value));
  };
  const { submit, isBusy, failure, messageOf } = useCheckout(() => {
    if (!billing || isEstimating) return null;
    return { ...billing, ...(delivery?.accepts_vat_number && vatNumber !== '' && { vatNumber }) };
  });

  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <div className={styles.head}>
        <h2 id="step-title" tabIndex={-1}>
          Billing Details
        </h2>
        {last !== null && <p className="muted">Filled in from your last order. Update anything that has changed.</p>}
      </div>
      <BillingFields draft={draft} countries={countries} touched={touched} isOwn onChange={change}>
        {delivery?.accepts_vat_number && (
          <VatNumberField
            delivery={delivery}
            value={draft.vatNumber}
            isChecked={!isEstimating && draft.vatNumber.trim() === vatNumber}
            onChange={(value) => onChange({ vatNumber: value })}
            onLeave={() => setVatNumber(draft.vatNumber.trim())}
          />
        )}
      </BillingFields>
      {failure !== null && (
        <div role="alert" className={styles.failure}>
          <p>{failure}</p>
          {messageOf('cart') !== undefined && (
            <Button variant="secondary" onClick={onBack}>
              Review cart
            </Button>
          )}
        </div>
      )}
      {summary}
      <div className={styles.actions}>
        <Button variant="secondary" onClick={onBack}>
          Back
        </Button>
        <Button type="submit" disabled={!billing || isEstimating} isBusy={isBusy} aria-describedby="checkout-hint">
          {orderButton}
        </Button>
      </div>
      <p id="checkout-hint" className={styles.hint}>
        {/* Both reserve their space, so that the layout does not shift when they swap. */}
        <span data-shown={billing !== null || undefined}>
          The bitcoin price is fixed when you order, until the countdown ends.
        </span>
        <span data-shown={billing === null || undefined}>Fill in all required fields to continue.</span>
      </p>
    </form>
  );
}
