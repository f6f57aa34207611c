import type { ReactNode } from 'react';
import { getPostcodeUse, NONE } from '#src/shop/postcodes.ts';
import type { PostcodeUse } from '#src/shop/postcodes.ts';
import { findCountryName, regionNames } from '#src/shop/regions.ts';
import type { RegionName } from '#src/shop/regions.ts';
import { Checkbox } from '#src/ui/fields/checkbox.tsx';
import { Field, Select } from '#src/ui/fields/field.tsx';
import { TextArea } from '#src/ui/fields/text-area.tsx';
import { getMaxLength, isFilled, isRegion, listOffered } from './billing-draft.ts';
import type { DeliveryCountries, Draft } from './billing-draft.ts';
import styles from './billing-details.module.css';

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
    maxLength: getMaxLength(name),
    autoComplete: isOwn ? autoComplete : 'off',
    isInvalid: touched.has(name) && !isFilled(name, draft, countries),
    onChange: (event: Change) => onChange(name, event.currentTarget.value),
  });
  const bindSelect = (name: keyof Draft, autoComplete?: string) => {
    const { maxLength: _, ...select } = bind(name, autoComplete);
    return select;
  };
  const region = isRegion(draft.region) ? draft.region : null;
  const postcodeUse = draft.country === '' ? 'required' : getPostcodeUse(draft.country);
  return (
    <div className={styles.grid}>
      <Field label="First name" {...bind('firstName', 'given-name')} />
      <Field label="Last name" hint="Only one name? Enter it here too." {...bind('lastName', 'family-name')} />
      <Select label="Region" {...bindSelect('region')}>
        <option value="">Choose a region</option>
        <RegionOptions countries={countries} />
      </Select>
      <Select
        label="Country"
        message={undelivered && `We do not deliver to ${undelivered}. Choose another country.`}
        {...bindSelect('country', 'country')}
      >
        <option value="">Choose a country</option>
        {region === null ? (
          regionNames.map((name) => (
            <optgroup key={name} label={name}>
              <CountryOptions region={name} countries={countries} />
            </optgroup>
          ))
        ) : (
          <CountryOptions region={region} countries={countries} />
        )}
      </Select>
      <Field label="Street address" {...bind('streetAddress', 'address-line1')} />
      <div className={styles.house}>
        <Field label="House number" readOnly={draft.houseNumber === NONE} {...bind('houseNumber')} />
        <Checkbox
          checked={draft.houseNumber === NONE}
          onChange={({ currentTarget }) => onChange('houseNumber', currentTarget.checked ? NONE : '')}
        >
          No house number
        </Checkbox>
      </div>
      <Field label="City" {...bind('city', 'address-level2')} />
      <Field
        label="Postcode"
        className={styles.postcode}
        readOnly={postcodeUse === 'none' && draft.postcode === NONE}
        hint={POSTCODE_HINTS[postcodeUse](findCountryName(draft.country) ?? '')}
        {...bind('postcode', 'postal-code')}
      />
      <Field
        label="Phone (optional)"
        type="tel"
        hint="Only for the courier, on the day of delivery."
        {...bind('phone', 'tel')}
        required={false}
      />
      {children}
      <TextArea
        label="Note for the courier (optional)"
        rows={3}
        className={styles.note}
        {...bind('note')}
        required={false}
      />
    </div>
  );
}

/** Why a postcode may be missing. Always a hint, since nothing in the form may move when it changes. */
const POSTCODE_HINTS: Readonly<Record<PostcodeUse, (country: string) => string>> = {
  required: () => 'As in your postal address.',
  optional: () => 'Enter - if the address has none.',
  none: (country) => `${country} has no postcodes, so it is -.`,
};

const RegionOptions = ({ countries }: Pick<BillingFieldsProps, 'countries'>) =>
  regionNames
    .filter((name) => listOffered(name, countries).length > 0)
    .map((name) => (
      <option key={name} value={name}>
        {name}
      </option>
    ));

interface CountryOptionsProps {
  readonly region: RegionName;
  readonly countries: DeliveryCountries;
}

const CountryOptions = ({ region, countries }: CountryOptionsProps) =>
  listOffered(region, countries).map(({ code, name }) => (
    <option key={code} value={code}>
      {name}
    </option>
  ));
