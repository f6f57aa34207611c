import { useId, useState } from 'react';
import type { SubmitEvent } from 'react';
import type { Billing } from '../../contract.ts';
import type { CartDelivery } from '#src/shop/cart/contract.ts';
import { findCountryName, regionNames } from '#src/shop/regions.ts';
import { useSession } from '#src/storefront/session/session.ts';
import { useDeliveryPlace } from '#src/storefront/location/delivery-place.ts';
import { Button } from '#src/ui/button.tsx';
import { Field, Select } from '#src/ui/field.tsx';
import { toBilling, createFirstDraft, isFilled, isRegion, listOffered } from './billing-draft.ts';
import type { DeliveryCountries, Draft } from './billing-draft.ts';
import styles from './billing-details.module.css';
import { useCheckout } from './use-checkout.ts';
import { useBillingDraft } from './use-billing-draft.ts';
import { useDeliveryEstimate } from './use-delivery-estimate.ts';
import { VatNumberField } from './vat-number-field.tsx';

const MAX_LENGTH = 100;
const MAX_PHONE = 40;
const MAX_NOTE = 500;

interface BillingDetailsProps {
  /** Billing details of the last order. */
  readonly last: Billing | null;
  /** Shipping and tax of the cart; null in a shop with free shipping and no tax. */
  readonly delivery: CartDelivery | null;
  readonly countries: DeliveryCountries;
  readonly onBack: () => void;
}

interface Change {
  readonly currentTarget: { readonly value: string };
}

/** Checkout step 2: billing details. */
export function BillingDetails({ last, delivery, countries, onBack }: BillingDetailsProps) {
  const place = useDeliveryPlace();
  const { typed, change: onChange } = useBillingDraft();
  // Saved values are filled in until the buyer changes them.
  const draft: Draft = { ...createFirstDraft(last, place), ...typed };
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set());
  const { isBusy, failure, order } = useCheckout();
  const billing = toBilling(draft, countries);
  const isEstimating = useSession((state) => state.isCartLoading) && delivery !== null;
  const [vatNumber, setVatNumber] = useState(draft.vatNumber.trim());
  useDeliveryEstimate(delivery, isFilled('country', draft, countries) ? draft.country : null, vatNumber);
  const undelivered =
    draft.country !== '' && isFilled('country', draft) && !isFilled('country', draft, countries)
      ? (findCountryName(draft.country) ?? draft.country)
      : null;

  const change = (name: keyof Draft, value: string) => {
    setTouched((names) => new Set(names).add(name));
    onChange({ [name]: value, ...(name === 'region' ? { country: '' } : {}) });
  };
  const bind = (name: keyof Draft) => ({
    name,
    value: draft[name],
    required: true,
    isInvalid: touched.has(name) && !isFilled(name, draft, countries),
    onChange: (event: Change) => change(name, event.currentTarget.value),
  });
  const bindLine = (name: keyof Draft) => ({ ...bind(name), maxLength: MAX_LENGTH });
  const { isInvalid: _, ...note } = bind('note');

  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (!billing || isBusy || isEstimating) return;
    void order({ ...billing, ...(delivery?.accepts_vat_number && vatNumber !== '' && { vatNumber }) });
  };

  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <div className={styles.head}>
        <h2 id="step-title" tabIndex={-1}>
          Billing Details
        </h2>
        {last !== null && (
          <p className={styles.prefilled}>Filled in from your last order. Update anything that has changed.</p>
        )}
      </div>
      <div className={styles.grid}>
        <Field label="First name" autoComplete="given-name" {...bindLine('firstName')} />
        <Field label="Last name" autoComplete="family-name" {...bindLine('lastName')} />
        <Select label="Region" {...bind('region')}>
          <option value="">Choose a region</option>
          {regionNames
            .filter((name) => listOffered(name, countries).length > 0)
            .map((name) => (
              <option key={name}>{name}</option>
            ))}
        </Select>
        <Select
          label="Country"
          autoComplete="country"
          disabled={!isRegion(draft.region)}
          message={undelivered && `We do not deliver to ${undelivered}. Choose another country.`}
          {...bind('country')}
        >
          <option value="">{isRegion(draft.region) ? 'Choose a country' : 'Choose a region first'}</option>
          {isRegion(draft.region) &&
            listOffered(draft.region, countries).map(({ code, name }) => (
              <option key={code} value={code}>
                {name}
              </option>
            ))}
        </Select>
        <Field label="Street address" autoComplete="address-line1" {...bindLine('streetAddress')} />
        <Field label="House number" autoComplete="address-line2" {...bindLine('houseNumber')} />
        <Field label="City" autoComplete="address-level2" {...bindLine('city')} />
        <Field label="Postcode" autoComplete="postal-code" {...bindLine('postcode')} />
        <Field
          label="Phone (optional)"
          type="tel"
          autoComplete="tel"
          hint="Only for the courier, on the day of delivery."
          {...bind('phone')}
          required={false}
          maxLength={MAX_PHONE}
        />
        {delivery?.accepts_vat_number && (
          <VatNumberField
            delivery={delivery}
            value={draft.vatNumber}
            isChecked={!isEstimating && draft.vatNumber.trim() === vatNumber}
            onChange={(value) => onChange({ vatNumber: value })}
            onLeave={() => setVatNumber(draft.vatNumber.trim())}
          />
        )}
        <Note {...note} />
      </div>
      {failure !== null && (
        <div role="alert" className={styles.failure}>
          <p>{failure.text}</p>
          {failure.isOfCart && (
            <Button variant="secondary" onClick={onBack}>
              Review cart
            </Button>
          )}
        </div>
      )}
      <div className={styles.actions}>
        <Button variant="secondary" onClick={onBack}>
          Back
        </Button>
        <Button type="submit" disabled={!billing || isEstimating} isBusy={isBusy} aria-describedby="checkout-hint">
          Continue to payment
        </Button>
      </div>
      <p id="checkout-hint" className={styles.hint}>
        {/* Both reserve their space, so that the layout does not shift when they swap. */}
        <span data-shown={billing !== null || undefined}>
          The bitcoin price is fixed when you continue, until the countdown ends.
        </span>
        <span data-shown={billing === null || undefined}>Fill in all required fields to continue.</span>
      </p>
    </form>
  );
}

interface NoteProps {
  readonly name: string;
  readonly value: string;
  readonly onChange: (event: Change) => void;
}

/** Note to the courier. */
function Note({ name, value, onChange }: NoteProps) {
  const id = useId();
  return (
    <div className={styles.note}>
      <label htmlFor={id}>Note for the courier (optional)</label>
      <textarea id={id} name={name} rows={3} maxLength={MAX_NOTE} value={value} onChange={onChange} />
    </div>
  );
}
