import { TAX_CLASS_NAMES, taxClasses } from '#src/shop/tax/tax-class.ts';
import { Checkbox } from '#src/ui/fields/checkbox.tsx';
import { Field, Select } from '#src/ui/fields/field.tsx';
import { Columns } from '#src/ui/layout/columns.ts';
import { Notice } from '#src/ui/display/notice.tsx';
import { Stack } from '#src/ui/layout/stack.ts';
import { ItemList } from '#src/ui/form/item-list.tsx';
import { CountrySelect } from '../../kit/country-list.tsx';
import { describeMissingRates } from '../describe-missing-rates.ts';
import { EMPTY_COUNTRY, readTaxClass } from '../tax-form.ts';
import type { CountryRateFields, TaxFields } from '../tax-form.ts';

const MOST_COUNTRIES = 250;

interface TaxFieldsetProps {
  readonly fields: TaxFields;
  readonly isReadOnly?: boolean;
  readonly messageOf?: (path: string) => string | undefined;
  readonly onChange?: (part: Partial<TaxFields>) => void;
}

const none = (): undefined => undefined;

/** All fields of the tax settings. */
export function TaxFieldset({ fields, isReadOnly = false, messageOf = none, onChange = none }: TaxFieldsetProps) {
  const home = { ...EMPTY_COUNTRY, country: fields.home_country };
  const hasHome = fields.rates.some(({ country }) => country === fields.home_country);
  // The first rate is offered. It belongs to the settings once something is typed.
  const isOffered = fields.rates.length === 0 && !isReadOnly;
  return (
    <Stack as="fieldset" gap={24} disabled={isReadOnly}>
      <Columns width={18}>
        <Select
          label="Prices"
          value={fields.price_mode}
          hint="Of products and shipping. With gross prices, buyers of every country pay the same."
          onChange={(event) => onChange({ price_mode: event.currentTarget.value === 'net' ? 'net' : 'gross' })}
        >
          <option value="gross">Gross: prices contain the tax</option>
          <option value="net">Net: the tax is added at checkout</option>
        </Select>
        <Field
          label="Name of the tax"
          value={fields.tax_name}
          maxLength={20}
          hint="As buyers read it: VAT, GST, Sales tax."
          message={messageOf('tax_name')}
          onChange={(event) => onChange({ tax_name: event.currentTarget.value })}
        />
        <CountrySelect
          label="Country of the shop"
          none="Not set"
          value={fields.home_country}
          message={messageOf('home_country')}
          hint="Needed for reverse charge, and for EU countries without a rate of their own."
          onChange={(home_country) => onChange({ home_country })}
        />
        <Select
          label="Tax class of shipping"
          value={fields.shipping_class}
          onChange={(event) => onChange({ shipping_class: readTaxClass(event.currentTarget.value) })}
        >
          {taxClasses.map((one) => (
            <option key={one} value={one}>
              {TAX_CLASS_NAMES[one]}
            </option>
          ))}
        </Select>
      </Columns>
      <Checkbox
        checked={fields.has_reverse_charge}
        onChange={(event) => onChange({ has_reverse_charge: event.currentTarget.checked })}
      >
        Reverse charge: businesses in other countries of the European Union enter their VAT number and pay no VAT. The
        form of the number is checked, not whether it is valid: check it in VIES before you ship.
      </Checkbox>
      <h2>Rates</h2>
      <p className="muted small measure">{describeMissingRates(fields)}</p>
      {messageOf('rates') !== undefined && <Notice tone="bad">{messageOf('rates')}</Notice>}
      <ItemList
        name="Country"
        isMovable={false}
        items={isOffered ? [home] : fields.rates}
        minimum={isOffered ? 1 : 0}
        maximum={isReadOnly ? 0 : MOST_COUNTRIES}
        empty={isOffered || hasHome ? EMPTY_COUNTRY : home}
        onChange={(rates) => onChange({ rates })}
      >
        {(country, changeCountry, index) => (
          <CountryFields
            fields={country}
            messageOf={(name) => messageOf(`rates.${index}.${name}`)}
            onChange={(part) => changeCountry({ ...country, ...part })}
          />
        )}
      </ItemList>
    </Stack>
  );
}

interface CountryFieldsProps {
  readonly fields: CountryRateFields;
  readonly messageOf: (name: string) => string | undefined;
  readonly onChange: (part: Partial<CountryRateFields>) => void;
}

const RATE_FIELDS = [
  ['standard', 'Standard rate in %'],
  ['reduced', 'Reduced rate in % (optional)'],
  ['superReduced', 'Super-reduced rate in % (optional)'],
] as const;

function CountryFields({ fields, messageOf, onChange }: CountryFieldsProps) {
  return (
    <Columns width={18}>
      <CountrySelect
        label="Country"
        none="Choose a country"
        value={fields.country}
        message={messageOf('country')}
        onChange={(country) => onChange({ country })}
      />
      {RATE_FIELDS.map(([name, label]) => (
        <Field
          key={name}
          label={label}
          inputMode="decimal"
          maxLength={8}
          value={fields[name]}
          message={messageOf(name)}
          onChange={(event) => onChange({ [name]: event.currentTarget.value })}
        />
      ))}
    </Columns>
  );
}
