import { useRef, useState } from 'react';
import type { SubmitEvent } from 'react';
import { useNavigate } from 'react-router';
import type { Billing } from '#src/shop/orders/contract.ts';
import { countriesOf, regionNames } from '#src/shop/orders/regions.ts';
import type { RegionName } from '#src/shop/orders/regions.ts';
import { isApiFailure } from '#src/web/api.ts';
import { call } from '#src/web/call.ts';
import { useDeliveryPlace } from '#src/web/delivery-place.ts';
import { logFault } from '#src/web/log-fault.ts';
import { loadCart, loadOrder } from '#src/web/session.ts';
import { Button } from '#src/web/ui/button.tsx';
import { Field, Select } from '#src/web/ui/field.tsx';
import styles from './billing-details.module.css';

type Draft = Record<keyof Billing, string>;

const EMPTY: Draft = {
  firstName: '',
  lastName: '',
  region: '',
  country: '',
  streetAddress: '',
  houseNumber: '',
  city: '',
  postcode: '',
};
const MAX_LENGTH = 100;

const isRegion = (text: string): text is RegionName => regionNames.some((name) => name === text);

/** The draft as the server takes it; null while something is missing. */
function completed(draft: Draft): Billing | null {
  const { region } = draft;
  if (!isRegion(region) || Object.values(draft).some((text) => text.trim() === '')) return null;
  return { ...draft, region };
}

/** A key for one checkout, the same for each try of it: a second press or a lost answer never makes a second order. */
const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');

/** What to say of a checkout that failed. */
function wordsFor(error: unknown): string {
  if (!isApiFailure(error)) return 'Something went wrong on our side. Nothing was ordered; please try again.';
  if (error.status === 0)
    return 'The shop did not answer. Check your connection and try again: you will not order twice.';
  if (error.status === 429) return 'That was very often in a short time. Please wait a minute and try again.';
  if (error.status >= 500 && error.code !== 'no-rate') {
    return 'Something went wrong on our side. Please try again: you will not order twice.';
  }
  return `${error.message}.`;
}

/** Step 2. */
export function BillingDetails({ onBack }: { readonly onBack: () => void }) {
  const navigate = useNavigate();
  const place = useDeliveryPlace();
  const [changed, setChanged] = useState<Partial<Draft>>({});
  // Where the visitor wants things delivered is filled in until he says otherwise.
  const draft: Draft = { ...EMPTY, ...(place && { region: place.region, country: place.country }), ...changed };
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set());
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const attempt = useRef<{ readonly key: string; readonly body: string } | null>(null);
  const billing = completed(draft);

  const change = (name: keyof Draft, value: string) => {
    setTouched((names) => new Set(names).add(name));
    setChanged((old) => ({ ...old, [name]: value, ...(name === 'region' ? { country: '' } : {}) }));
  };
  const bind = (name: keyof Draft) => ({
    name,
    value: draft[name],
    required: true,
    maxLength: MAX_LENGTH,
    isInvalid: touched.has(name) && draft[name].trim() === '',
    onChange: (event: { readonly currentTarget: { readonly value: string } }) =>
      change(name, event.currentTarget.value),
  });
  const { maxLength: _, ...region } = bind('region');
  const { maxLength: __, ...country } = bind('country');

  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (!billing || isBusy) return;
    const body = JSON.stringify(billing);
    // What was changed since is another request, and wants another key.
    if (attempt.current?.body !== body) attempt.current = { key: newKey(), body };
    setIsBusy(true);
    setFailure(null);
    try {
      await call('POST /cart/checkout', { body: billing }, { idempotencyKey: attempt.current.key });
      // With the order the page goes to step 3 by itself.
      await Promise.all([loadOrder(), loadCart()]);
    } catch (error) {
      logFault('the checkout failed', error);
      setFailure(wordsFor(error));
      if (isApiFailure(error) && error.status === 401) await navigate(`/login?to=${encodeURIComponent('/cart')}`);
      if (isApiFailure(error) && error.status === 409) await Promise.all([loadOrder(), loadCart()]);
    } finally {
      setIsBusy(false);
    }
  };

  return (
    <form className={styles.form} onSubmit={(event) => void submit(event)} noValidate>
      <h2 id="step-title" tabIndex={-1}>
        Billing Details
      </h2>
      <div className={styles.grid}>
        <Field label="First name" autoComplete="given-name" {...bind('firstName')} />
        <Field label="Last name" autoComplete="family-name" {...bind('lastName')} />
        <Select label="Region" {...region}>
          <option value="">Choose a region</option>
          {regionNames.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </Select>
        <Select label="Country" autoComplete="country" disabled={!isRegion(draft.region)} {...country}>
          <option value="">{isRegion(draft.region) ? 'Choose a country' : 'Choose a region first'}</option>
          {isRegion(draft.region) &&
            countriesOf(draft.region).map(({ code, name }) => (
              <option key={code} value={code}>
                {name}
              </option>
            ))}
        </Select>
        <Field label="Street address" autoComplete="address-line1" {...bind('streetAddress')} />
        <Field label="House number" autoComplete="address-line2" {...bind('houseNumber')} />
        <Field label="City" autoComplete="address-level2" {...bind('city')} />
        <Field label="Postcode" autoComplete="postal-code" {...bind('postcode')} />
      </div>
      {failure !== null && (
        <p role="alert" className={styles.failure}>
          {failure}
        </p>
      )}
      <div className={styles.actions}>
        <Button variant="secondary" onClick={onBack}>
          Back
        </Button>
        <Button type="submit" disabled={!billing} isBusy={isBusy} aria-describedby="checkout-hint">
          Continue to payment
        </Button>
      </div>
      <p id="checkout-hint" className={styles.hint}>
        {billing
          ? 'The price in bitcoin is fixed when you continue, and holds until the countdown ends.'
          : 'Fill in every field to continue.'}
      </p>
    </form>
  );
}
