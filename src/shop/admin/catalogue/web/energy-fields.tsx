import { ENERGY_CLASSES, MAX_LABEL_TEXT, QUALITY_CLASSES } from '#src/shop/catalogue/compliance/energy-label.ts';
import { Columns } from '#src/ui/layout/columns.ts';
import { Field, Select } from '#src/ui/fields/field.tsx';
import { NO_ENERGY_LABEL } from '../energy-form.ts';
import type { EnergyForm } from '../energy-form.ts';

interface EnergyFieldsProps {
  readonly value: EnergyForm | undefined;
  /** Messages by field of the API. */
  readonly problems: Readonly<Record<string, string>>;
  readonly onChange: (value: EnergyForm) => void;
}

interface ClassOptionsProps {
  readonly names: readonly string[];
  /** Text of the empty choice. */
  readonly none: string;
}

const ClassOptions = ({ names, none }: ClassOptionsProps) => (
  <>
    <option value="">{none}</option>
    {names.map((name) => (
      <option key={name} value={name}>
        {name}
      </option>
    ))}
  </>
);

/** What the energy label of a phone or tablet says. */
export function EnergyFields({ value = NO_ENERGY_LABEL, problems, onChange }: EnergyFieldsProps) {
  const bind = (name: keyof EnergyForm, field: string) => ({
    value: value[name],
    message: problems[`energy_label.${field}`],
    onChange: ({ currentTarget }: { readonly currentTarget: { readonly value: string } }) =>
      onChange({ ...value, [name]: currentTarget.value }),
  });
  return (
    <>
      <p className="muted small measure">
        Phones and tablets sold in the EU show their label beside each price. Copy it from the label of the maker.
      </p>
      <Columns width={14}>
        <Select label="Energy efficiency class" {...bind('class', 'class')}>
          <ClassOptions names={ENERGY_CLASSES} none="No label" />
        </Select>
        {value.class !== '' && (
          <>
            <Field
              label="Battery endurance: hours"
              inputMode="numeric"
              maxLength={4}
              {...bind('hours', 'endurance_minutes')}
            />
            <Field label="Battery endurance: minutes" inputMode="numeric" maxLength={2} {...bind('minutes', '')} />
            <Field
              label="Battery endurance in cycles"
              inputMode="numeric"
              maxLength={7}
              {...bind('cycles', 'endurance_cycles')}
            />
            <Select label="Free fall reliability class" {...bind('fall', 'fall_class')}>
              <ClassOptions names={QUALITY_CLASSES} none="Choose a class" />
            </Select>
            <Select label="Repairability class" {...bind('repair', 'repair_class')}>
              <ClassOptions names={QUALITY_CLASSES} none="Choose a class" />
            </Select>
            <Field label="Ingress protection rating" maxLength={4} {...bind('ip', 'ip_rating')} />
            <Field
              label="Supplier on the label (optional)"
              hint="Otherwise the brand"
              maxLength={MAX_LABEL_TEXT}
              {...bind('supplier', 'supplier')}
            />
            <Field
              label="Model on the label (optional)"
              hint="Otherwise the name of the product"
              maxLength={MAX_LABEL_TEXT}
              {...bind('model', 'model')}
            />
            <Field
              label="EPREL registration number (optional)"
              inputMode="numeric"
              maxLength={12}
              {...bind('eprel', 'eprel_number')}
            />
            <Field
              label="Product information sheet (optional)"
              hint="Address; otherwise the page of the product in EPREL"
              type="url"
              maxLength={290}
              {...bind('sheet', 'sheet_url')}
            />
          </>
        )}
      </Columns>
    </>
  );
}
