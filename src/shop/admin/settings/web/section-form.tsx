import { Checkbox } from '#src/ui/fields/checkbox.tsx';
import { formatZone } from '#src/shop/format.ts';
import { Field, Select } from '#src/ui/fields/field.tsx';
import { PictureField } from '../../pictures/web/picture-field.tsx';
import { Facts } from '#src/ui/display/facts.tsx';
import { TextArea } from '#src/ui/fields/text-area.tsx';
import { toSmallPictureUrl } from '#src/shop/pictures/picture-url.ts';
import type { FieldValues, SectionForm, SettingsField, StoredSection } from './settings-field.ts';
import { toFieldValues } from './settings-sections.ts';
import styles from './settings-page.module.css';

const YES_NO: Readonly<Record<string, string>> = { true: 'Yes', false: 'No' };

interface SettingsControlProps {
  readonly field: SettingsField;
  readonly timeZones: readonly string[];
  readonly value: string | boolean;
  readonly message: string | undefined;
  readonly onChange: (value: string | boolean) => void;
}

/** The control of a field, for owners. */
export function SettingsControl({ field, timeZones, value, message, onChange }: SettingsControlProps) {
  const { hint, kind, label, maxLength, name } = field;
  if (kind === 'switch') {
    return (
      <Checkbox name={name} checked={value === true} onChange={(event) => onChange(event.currentTarget.checked)}>
        {label}
      </Checkbox>
    );
  }
  const shared = {
    label,
    name,
    maxLength,
    value: String(value),
    message: message ?? null,
    ...(hint === undefined ? {} : { hint }),
  };
  if (kind === 'time-zone') {
    const { maxLength: _, ...select } = shared;
    return (
      <Select {...select} onChange={(event) => onChange(event.currentTarget.value)}>
        {timeZones.map((zone) => (
          <option key={zone} value={zone}>
            {formatZone(zone)}
          </option>
        ))}
      </Select>
    );
  }
  if (kind === 'choice') {
    const { maxLength: _, ...select } = shared;
    return (
      <Select {...select} onChange={(event) => onChange(event.currentTarget.value)}>
        {Object.entries(field.options ?? {}).map(([option, meaning]) => (
          <option key={option} value={option}>
            {meaning}
          </option>
        ))}
      </Select>
    );
  }
  if (kind === 'picture') {
    const path = String(value);
    return (
      <div className="whole-row">
        <PictureField
          label={label}
          {...(hint !== undefined && { hint })}
          maximum={1}
          hasAlt={false}
          value={path === '' ? [] : [{ path, alt: '' }]}
          message={shared.message}
          onChange={(pictures) => onChange(pictures.at(-1)?.path ?? '')}
        />
      </div>
    );
  }
  if (kind === 'lines') {
    return (
      <TextArea {...shared} rows={4} className="whole-row" onChange={(event) => onChange(event.currentTarget.value)} />
    );
  }
  return (
    <Field
      {...shared}
      {...(kind === 'number' && { inputMode: 'numeric' as const })}
      type={kind === 'number' || kind === undefined ? 'text' : kind}
      autoComplete="off"
      spellCheck={kind === undefined}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

interface SettingsListProps {
  readonly section: SectionForm;
  readonly stored: StoredSection;
}

/** A section of the settings for staff, who can't change it. */
export function SettingsList({ section, stored }: SettingsListProps) {
  const values: FieldValues = toFieldValues(section, stored);
  return (
    <Facts layout="beside">
      {section.fields.map(({ kind, label, name, options }) => {
        const value = String(values[name] ?? '');
        const shown = (kind === 'switch' ? YES_NO[value] : options?.[value]) ?? (kind === 'switch' ? '' : value);
        return (
          <div key={name}>
            <dt>{label}</dt>
            <dd className={shown ? undefined : 'muted measure'}>
              {shown !== '' && kind === 'picture' ? (
                <img src={toSmallPictureUrl(shown)} alt={label} className={styles.logo} />
              ) : (
                shown || 'Not set'
              )}
            </dd>
          </div>
        );
      })}
    </Facts>
  );
}
