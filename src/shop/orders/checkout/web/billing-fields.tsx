import { useId } from 'react';
import type { ReactNode } from 'react';
import { findCountryName, regionNames } from '#src/shop/regions.ts';
import { Field, Select } from '#src/ui/field.tsx';
import { isFilled, isRegion, listOffered } from './billing-draft.ts';
import type { DeliveryCountries, Draft } from './billing-draft.ts';
import styles from './billing-details.module.css';

const MAX_LENGTH = 100;
const MAX_PHONE = 40;
const MAX_NOTE = 500;

interface Change {
  readonly currentTarget: { readonly value: string };
}

interface BillingFieldsProps {
  readonly draft: Draft;
  readonly countries: DeliveryCountries;
  /** Names of the fields that were changed: these show their errors. */
  readonly touched: ReadonlySet<string>;
  /** The buyer fills in their own details, which the browser may complete. */
  readonly isOwn: boolean;
  readonly onChange: (name: keyof Draft, value: string) => void;
  /** Further field, above the note. */
  readonly children?: ReactNode;
}

/** Fields of the billing and delivery details. */
export function BillingFields({ draft, countries, touched, isOwn, onChange, children }: BillingFieldsProps) {
  const undelivered =
    draft.country !== '' && isFilled('country', draft) && !isFilled('country', draft, countries)
      ? (findCountryName(draft.country) ?? draft.country)
      : null;
  const bind = (name: keyof Draft, autoComplete = 'off') => ({
    name,
    value: draft[name],
    required: true,
    autoComplete: isOwn ? autoComplete : 'off',
    isInvalid: touched.has(name) && !isFilled(name, draft, countries),
    onChange: (event: Change) => onChange(name, event.currentTarget.value),
  });
  const bindLine = (name: keyof Draft, autoComplete: string) => ({
    ...bind(name, autoComplete),
    maxLength: MAX_LENGTH,
  });
  const { isInvalid: _, autoComplete: __, ...note } = bind('note');
  return (
    <div className={styles.grid}>
      <Field label="First name" {...bindLine('firstName', 'given-name')} />
      <Field label="Last name" {...bindLine('lastName', 'family-name')} />
      <Select label="Region" {...bind('region')}>
        <option value="">Choose a region</option>
        {regionNames
          .filter((name) => listOffered(name, countries).length > 0)
          .map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
      </Select>
      <Select
        label="Country"
        disabled={!isRegion(draft.region)}
        message={undelivered && `We do not deliver to ${undelivered}. Choose another country.`}
        {...bind('country', 'country')}
      >
        <option value="">{isRegion(draft.region) ? 'Choose a country' : 'Choose a region first'}</option>
        {isRegion(draft.region) &&
          listOffered(draft.region, countries).map(({ code, name }) => (
            <option key={code} value={code}>
              {name}
            </option>
          ))}
      </Select>
      <Field label="Street address" {...bindLine('streetAddress', 'address-line1')} />
      <Field label="House number" {...bindLine('houseNumber', 'address-line2')} />
      <Field label="City" {...bindLine('city', 'address-level2')} />
      <Field label="Postcode" {...bindLine('postcode', 'postal-code')} />
      <Field
        label="Phone (optional)"
        type="tel"
        hint="Only for the courier, on the day of delivery."
        {...bind('phone', 'tel')}
        required={false}
        maxLength={MAX_PHONE}
      />
      {children}
      <Note {...note} />
    </div>
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
