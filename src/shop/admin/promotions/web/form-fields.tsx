import type { ReactNode } from 'react';
import { generatePromoCode, RANDOM_CODE_LENGTH } from '#src/shop/promotions/generate-promo-code.ts';
import type { FieldProblems } from '#src/shop/promotions/editing/promotion-fields.ts';
import { useTimeZone } from '#src/storefront/time-zone.ts';
import { Button } from '#src/ui/controls/button.tsx';
import { Checkbox } from '#src/ui/fields/checkbox.tsx';
import { Section } from '#src/ui/layout/section.tsx';
import { Stack } from '#src/ui/layout/stack.ts';
import { Columns } from '#src/ui/layout/columns.ts';
import { Field, Select } from '#src/ui/fields/field.tsx';
import { getZoneName, toLocalDateTime } from '../local-date-time.ts';
import { chooseType, FORM_KINDS, getFormKind } from '../promotion-form.ts';
import type { FormDate, PromotionForm } from '../promotion-form.ts';
import { ProductSearch } from './product-search.tsx';

interface FormFieldsProps {
  readonly form: PromotionForm;
  readonly problems: FieldProblems;
  /** Later, `PromotionStatus` enables and disables it. */
  readonly isNew: boolean;
  readonly onChange: (changed: Partial<PromotionForm>) => void;
}

/** The fields of a promotion, in groups. */
export function FormFields(props: FormFieldsProps) {
  const { form, problems, onChange } = props;
  const kind = getFormKind(form.type);
  return (
    <>
      <Group title="Code and discount">
        <CodeField {...props} />
        <Select
          label="Type"
          value={kind.type}
          onChange={({ currentTarget }) => onChange({ type: chooseType(form.type, currentTarget.value) })}
        >
          {FORM_KINDS.map(({ type, title }) => (
            <option key={type} value={type}>
              {title}
            </option>
          ))}
        </Select>
        {kind.value !== null && (
          <Field
            label={kind.value.label}
            inputMode="decimal"
            autoComplete="off"
            value={form.value}
            maxLength={12}
            message={problems.discount_value}
            onChange={({ currentTarget }) => onChange({ value: currentTarget.value })}
          />
        )}
        {kind.hasGift && <Gift {...props} />}
      </Group>
      <Group title="Dates">
        <Dates {...props} />
      </Group>
      <Group title="Limits">
        <Limits {...props} />
      </Group>
      <Group title="Visibility">
        <Visibility {...props} />
      </Group>
    </>
  );
}

function Group({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <Section title={title} surface="outlined">
      {children}
    </Section>
  );
}

function CodeField({ form, problems, onChange }: FormFieldsProps) {
  const generate = () => {
    onChange({ code: generatePromoCode(crypto.getRandomValues(new Uint8Array(RANDOM_CODE_LENGTH))) });
  };
  return (
    <Stack gap={12}>
      <Field
        label="Code"
        value={form.code}
        maxLength={60}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        message={problems.code}
        hint="Customers can type it in upper or lower case."
        onChange={({ currentTarget }) => onChange({ code: currentTarget.value })}
      />
      <Button variant="secondary" onClick={generate}>
        Generate random code
      </Button>
    </Stack>
  );
}

function Gift({ form, problems, onChange }: FormFieldsProps) {
  return (
    <>
      {form.gift !== null && (
        <p className="wrap-anywhere">
          Gift: <strong>{form.gift.name}</strong>
        </p>
      )}
      <ProductSearch
        label={form.gift === null ? 'Gift product' : 'Choose another gift product'}
        message={problems.gift_product_id}
        action="Choose"
        onChoose={({ id, name }) => onChange({ gift: { id, name } })}
      />
    </>
  );
}

function Dates({ form, problems, onChange }: FormFieldsProps) {
  const timeZone = useTimeZone();
  const format = (date: FormDate): string => {
    if ('typed' in date) return date.typed;
    return date.stored === null ? '' : toLocalDateTime(date.stored, timeZone);
  };
  const hint = `Time zone: ${getZoneName(timeZone)}`;
  return (
    <Columns width={14}>
      <Field
        label="Start (optional)"
        type="datetime-local"
        value={format(form.starts)}
        message={problems.starts_at}
        hint={hint}
        onChange={({ currentTarget }) => onChange({ starts: { typed: currentTarget.value } })}
      />
      <Field
        label="End (optional)"
        type="datetime-local"
        value={format(form.ends)}
        message={problems.ends_at}
        hint={hint}
        onChange={({ currentTarget }) => onChange({ ends: { typed: currentTarget.value } })}
      />
    </Columns>
  );
}

function Limits({ form, problems, onChange }: FormFieldsProps) {
  const count = { inputMode: 'numeric', autoComplete: 'off', maxLength: 9 } as const;
  return (
    <>
      <Columns width={14}>
        <Field
          {...count}
          label="Uses in all (optional)"
          value={form.maxUses}
          message={problems.max_uses}
          onChange={({ currentTarget }) => onChange({ maxUses: currentTarget.value })}
        />
        <Field
          {...count}
          label="Uses per customer (optional)"
          value={form.maxUsesPerUser}
          message={problems.max_uses_per_user}
          onChange={({ currentTarget }) => onChange({ maxUsesPerUser: currentTarget.value })}
        />
      </Columns>
      <Field
        label="Minimum order in dollars (optional)"
        inputMode="decimal"
        autoComplete="off"
        maxLength={12}
        value={form.minimum}
        message={problems.minimum_subtotal_usd}
        onChange={({ currentTarget }) => onChange({ minimum: currentTarget.value })}
      />
    </>
  );
}

function Visibility({ form, problems, isNew, onChange }: FormFieldsProps) {
  return (
    <>
      <div>
        {isNew && (
          <Checkbox
            checked={form.isActive}
            onChange={({ currentTarget }) => onChange({ isActive: currentTarget.checked })}
          >
            Enabled: customers can use the code
          </Checkbox>
        )}
        <Checkbox
          checked={form.isAdvertised}
          onChange={({ currentTarget }) => onChange({ isAdvertised: currentTarget.checked })}
        >
          Advertised: listed on the promotions page and suggested in carts
        </Checkbox>
      </div>
      <Field
        label="Position on the promotions page"
        inputMode="numeric"
        autoComplete="off"
        maxLength={4}
        value={form.position}
        message={problems.position}
        hint="The lowest number comes first."
        onChange={({ currentTarget }) => onChange({ position: currentTarget.value })}
      />
    </>
  );
}
