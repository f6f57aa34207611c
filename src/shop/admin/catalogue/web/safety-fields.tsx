import {
  NO_SAFETY,
  SAFETY_FIELDS,
  SAFETY_LABELS,
  SAFETY_LIMITS,
} from '#src/shop/catalogue/compliance/product-safety.ts';
import type { ProductSafety } from '#src/shop/catalogue/compliance/product-safety.ts';
import { Columns } from '#src/ui/layout/columns.ts';
import { Field } from '#src/ui/fields/field.tsx';
import { Stack } from '#src/ui/layout/stack.ts';
import { TextArea } from '#src/ui/fields/text-area.tsx';

interface SafetyFieldsProps {
  /** What the fields mean here. */
  readonly text: string;
  readonly value: ProductSafety | null | undefined;
  /** Messages by field of the API. */
  readonly problems: Readonly<Record<string, string>>;
  readonly onChange: (safety: ProductSafety) => void;
}

/** Manufacturer, responsible person in the EU and warnings of a brand or product. */
export function SafetyFields({ text, value, problems, onChange }: SafetyFieldsProps) {
  const safety = value ?? NO_SAFETY;
  const bind = (field: keyof ProductSafety) => ({
    label: SAFETY_LABELS[field],
    value: safety[field],
    maxLength: SAFETY_LIMITS[field],
    message: problems[`safety.${field}`],
    onChange: ({ currentTarget }: { readonly currentTarget: { readonly value: string } }) =>
      onChange({ ...safety, [field]: currentTarget.value }),
  });
  return (
    <Stack>
      <p className="muted small measure">{text}</p>
      <Columns width={18}>
        {SAFETY_FIELDS.filter((field) => field !== 'warnings').map((field) => (
          <Field key={field} {...bind(field)} />
        ))}
      </Columns>
      <TextArea rows={3} {...bind('warnings')} />
    </Stack>
  );
}
