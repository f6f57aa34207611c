import type { CartDelivery } from '#src/shop/cart/contract.ts';
import { findCountryName } from '#src/shop/regions.ts';
import { findVatPrefix } from '#src/shop/tax/vat-number.ts';
import { Field } from '#src/ui/fields/field.tsx';

const MAX_LENGTH = 20;

interface VatNumberFieldProps {
  readonly delivery: CartDelivery;
  readonly value: string;
  /** Whether the server has checked this value. */
  readonly isChecked: boolean;
  readonly onChange: (value: string) => void;
  /** Shipping and tax are computed when the field is left. */
  readonly onLeave: () => void;
}

/** VAT number of a business. */
export function VatNumberField({ delivery, value, isChecked, onChange, onLeave }: VatNumberFieldProps) {
  const { allows_reverse_charge: isReversed, country, vat_number: accepted } = delivery;
  const name = country === null ? null : findCountryName(country);
  const prefix = country === null ? null : findVatPrefix(country);
  const isRefused = isChecked && value.trim() !== '' && accepted === null;
  return (
    <Field
      label="VAT number (optional)"
      name="vatNumber"
      autoComplete="off"
      autoCapitalize="characters"
      spellCheck={false}
      maxLength={MAX_LENGTH}
      value={value}
      message={isRefused ? `Not a VAT number of ${name}. It starts with ${prefix}.` : null}
      hint={
        isReversed
          ? 'For businesses. With it we charge no VAT: you owe it in your country (reverse charge).'
          : 'For businesses. It is stored with your order.'
      }
      onChange={(event) => onChange(event.currentTarget.value)}
      onBlur={onLeave}
    />
  );
}
