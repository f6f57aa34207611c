import { findCountryName, listCountries, regionNames } from '#src/shop/regions.ts';
import { Button } from '#src/ui/controls/button.tsx';
import { Stack } from '#src/ui/layout/stack.ts';
import { Row } from '#src/ui/layout/row.ts';
import { Select } from '#src/ui/fields/field.tsx';
import styles from './country-list.module.css';

interface CountryListProps {
  readonly label: string;
  readonly countries: readonly string[];
  readonly message?: string | undefined;
  readonly hint?: string;
  readonly onChange: (countries: string[]) => void;
}

const REGION = 'region:';

/** Countries that are added one by one or by region, and removed by buttons. */
export function CountryList({ label, countries, message, hint, onChange }: CountryListProps) {
  const add = (value: string): void => {
    const region = regionNames.find((name) => value === REGION + name);
    const added = region === undefined ? [value] : listCountries(region).map(({ code }) => code);
    onChange([...new Set([...countries, ...added])]);
  };
  return (
    <Stack gap={8}>
      <Select
        label={label}
        value=""
        message={message}
        {...(hint !== undefined && { hint })}
        onChange={(event) => {
          if (event.currentTarget.value !== '') add(event.currentTarget.value);
        }}
      >
        <option value="">Add a country or region</option>
        {regionNames.map((region) => (
          <optgroup key={region} label={region}>
            <option value={REGION + region}>All of {region}</option>
            {listCountries(region).map(({ code, name }) => (
              <option key={code} value={code} disabled={countries.includes(code)}>
                {name}
              </option>
            ))}
          </optgroup>
        ))}
      </Select>
      {countries.length > 0 && (
        <Row as="ul" gap={16} rowGap={4} className={styles.list} aria-label={label}>
          {countries.map((code) => (
            <li key={code}>
              <Button variant="tertiary" onClick={() => onChange(countries.filter((one) => one !== code))}>
                <span className="visually-hidden">Remove </span>
                {findCountryName(code)} <span aria-hidden="true">×</span>
              </Button>
            </li>
          ))}
        </Row>
      )}
    </Stack>
  );
}

interface CountrySelectProps {
  readonly label: string;
  readonly value: string;
  /** Text of the empty choice. */
  readonly none: string;
  readonly message?: string | undefined;
  readonly hint?: string;
  readonly onChange: (country: string) => void;
}

/** One country of the world. */
export function CountrySelect({ label, value, none, message, hint, onChange }: CountrySelectProps) {
  return (
    <Select
      label={label}
      value={value}
      message={message}
      {...(hint !== undefined && { hint })}
      onChange={(event) => onChange(event.currentTarget.value)}
    >
      <option value="">{none}</option>
      {regionNames.map((region) => (
        <optgroup key={region} label={region}>
          {listCountries(region).map(({ code, name }) => (
            <option key={code} value={code}>
              {name}
            </option>
          ))}
        </optgroup>
      ))}
    </Select>
  );
}
