import { Button } from '#src/ui/button.tsx';
import { Checkbox } from '#src/ui/checkbox.tsx';
import { formatZone } from '#src/shop/format.ts';
import { Field, Select } from '#src/ui/field.tsx';
import { PictureField } from '../../pictures/web/picture-field.tsx';
import { NeedsScript } from '#src/ui/needs-script.tsx';
import { TextArea } from '#src/ui/text-area.tsx';
import { Notice } from '#src/ui/notice.tsx';
import { Columns } from '#src/ui/columns.ts';
import { Stack } from '#src/ui/stack.ts';
import { Fact, Facts } from '#src/ui/facts.tsx';
import { FormActions } from '#src/ui/form-actions.tsx';
import { useHydrated } from '#src/ui/use-hydrated.ts';
import { toSmallPictureUrl } from '#src/shop/pictures/picture-url.ts';
import type { FieldValues, SectionForm, SettingsField, StoredSection } from './settings-sections.ts';
import { toFieldValues } from './settings-sections.ts';
import { SectionPreview } from './section-preview.tsx';
import styles from './settings-page.module.css';
import { useSectionForm } from './use-section-form.ts';

const YES_NO: Readonly<Record<string, string>> = { true: 'Yes', false: 'No' };

interface SettingsFormProps {
  readonly section: SectionForm;
  readonly stored: StoredSection;
  /** What a time zone may be. */
  readonly timeZones: readonly string[];
}

/** A section of the settings for owners: saves it, and says what is not saved yet. */
export function SettingsForm({ section, stored, timeZones }: SettingsFormProps) {
  const isHydrated = useHydrated();
  const { form, values, errors, failure, isBusy, isChanged, change, discard, save } = useSectionForm(section, stored);
  return (
    <Stack as="form" ref={form} gap={24} noValidate onSubmit={(event) => void save(event)}>
      <Columns width={20} rowGap={24}>
        {section.fields.map((field) => (
          <SettingsControl
            key={field.name}
            field={field}
            timeZones={timeZones}
            value={values[field.name] ?? ''}
            error={errors[field.name]}
            onChange={(value) => change(field.name, value)}
          />
        ))}
      </Columns>
      <SectionPreview section={section.id} values={values} />
      {failure !== null && (
        <Notice role="alert" tone="bad">
          {failure}
        </Notice>
      )}
      <FormActions state={isChanged ? 'Unsaved changes' : 'All changes are saved'}>
        <Button type="submit" isBusy={isBusy} disabled={!isHydrated}>
          Save
        </Button>
        {isChanged && (
          <Button variant="secondary" onClick={discard} disabled={isBusy}>
            Discard
          </Button>
        )}
      </FormActions>
      <NeedsScript />
    </Stack>
  );
}

interface SettingsControlProps {
  readonly field: SettingsField;
  readonly timeZones: readonly string[];
  readonly value: string | boolean;
  readonly error: string | undefined;
  readonly onChange: (value: string | boolean) => void;
}

function SettingsControl({ field, timeZones, value, error, onChange }: SettingsControlProps) {
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
    message: error === undefined ? null : `${label} ${error}`,
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
          <Fact key={name} label={label} className={shown ? 'multiline' : 'muted'}>
            {shown !== '' && kind === 'picture' ? (
              <img src={toSmallPictureUrl(shown)} alt={label} className={styles.logo} />
            ) : (
              shown || 'Not set'
            )}
          </Fact>
        );
      })}
    </Facts>
  );
}
