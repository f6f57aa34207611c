import { useEffect, useRef, useState } from 'react';
import type { ComponentProps, KeyboardEvent, SubmitEvent } from 'react';
import { isRefusal } from '#src/storefront/api.ts';
import { logError } from '#src/ui/log-error.ts';
import { useHydrated } from '#src/ui/use-hydrated.ts';
import { PasswordField } from '../../web/password-field.tsx';
import { Button } from '#src/ui/button.tsx';
import { classNames } from '#src/ui/class-names.ts';
import { Field } from '#src/ui/field.tsx';
import { showToast } from '#src/ui/show-toast.ts';
import styles from '../../web/account-details.module.css';
import { ReauthenticateForm } from '../../web/reauthenticate-form.tsx';
import {
  checkField,
  isReauthenticationRequired,
  NOT_UPDATED_MESSAGE,
  UPDATED_MESSAGE,
  getUpdateError,
} from '../../web/update-messages.ts';
import type { FieldName } from '../../web/update-messages.ts';

const HIGHLIGHT_MS = 2000;

interface EditableFieldProps extends Omit<
  ComponentProps<typeof Field>,
  'name' | 'value' | 'message' | 'hint' | 'onChange' | 'minLength'
> {
  readonly name: FieldName;
  /** Used in the accessible names of the buttons. */
  readonly fieldLabel: string;
  readonly value: string;
  /** Shown while editing. */
  readonly hint?: string;
  /** Of a password. */
  readonly minLength?: number;
  readonly onSave: (name: FieldName, value: string) => Promise<void>;
}

type State = 'reading' | 'editing' | 'saving' | 'asking';

/** A field that is read-only until its edit button is pressed. */
export function EditableField({
  name,
  fieldLabel,
  value,
  hint,
  minLength,
  onSave,
  placeholder,
  ...input
}: EditableFieldProps) {
  const isHydrated = useHydrated();
  const form = useRef<HTMLFormElement>(null);
  const [state, setState] = useState<State>('reading');
  const [draft, setDraft] = useState(value);
  const [message, setMessage] = useState<string | null>(null);
  const [savedAt, setSavedAt] = useState<number | null>(null);
  // Shows the saved value until the page has reloaded.
  const [saved, setSaved] = useState<{ readonly before: string; readonly now: string } | null>(null);
  const current = saved?.before === value ? saved.now : value;

  useEffect(() => {
    if (savedAt === null) return undefined;
    const timer = setTimeout(() => setSavedAt(null), HIGHLIGHT_MS);
    return () => clearTimeout(timer);
  }, [savedAt]);

  const isReading = state === 'reading';
  const focusInput = () => form.current?.querySelector('input')?.focus();
  const edit = () => {
    setDraft(current);
    setMessage(null);
    setSavedAt(null);
    setState('editing');
    focusInput();
  };
  const stop = () => {
    setState('reading');
    setMessage(null);
    form.current?.querySelector<HTMLButtonElement>('button[data-edit]')?.focus();
  };

  const save = async () => {
    setState('saving');
    setMessage(null);
    try {
      await onSave(name, name === 'password' ? draft : draft.trim());
      if (name !== 'password') setSaved({ before: value, now: draft.trim() });
      showToast('success', UPDATED_MESSAGE);
      setSavedAt(Date.now());
      stop();
    } catch (error) {
      if (isReauthenticationRequired(error)) {
        setState('asking');
        return;
      }
      if (!isRefusal(error)) logError('Changing the account failed', error);
      showToast('error', NOT_UPDATED_MESSAGE);
      setMessage(getUpdateError(name, error) ?? NOT_UPDATED_MESSAGE);
      setState('editing');
      focusInput();
    }
  };

  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isReading) edit();
    if (state !== 'editing') return;
    // An empty password means unchanged.
    if (draft.trim() === current) {
      stop();
      return;
    }
    const wrong = checkField(name, name === 'password' ? draft : draft.trim(), minLength);
    if (wrong === null) void save();
    else {
      setMessage(wrong);
      focusInput();
    }
  };

  const shared = {
    ...input,
    name,
    required: !isReading,
    readOnly: state !== 'editing',
    value: isReading ? current : draft,
    message,
    className: styles.field,
    ...(hint !== undefined && !isReading && { hint }),
    ...(isReading && placeholder !== undefined && { placeholder }),
    onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) => {
      setDraft(currentTarget.value);
      if (message !== null) setMessage(checkField(name, currentTarget.value.trim(), minLength));
    },
    onKeyDown: ({ key }: KeyboardEvent) => {
      if (key === 'Escape' && state === 'editing') stop();
    },
  };

  return (
    <div className={styles.item}>
      <form
        ref={form}
        className={classNames(styles.row, savedAt !== null && styles.saved)}
        onSubmit={submit}
        noValidate
      >
        {name === 'password' ? <PasswordField {...shared} /> : <Field {...shared} />}
        <Button
          type="submit"
          variant={isReading ? 'tertiary' : 'primary'}
          data-edit
          isBusy={state === 'saving' || !isHydrated}
          disabled={state === 'asking'}
        >
          <span>{isReading ? 'Edit' : 'Confirm'}</span>
          {/* No aria-label, so that only the field is found by its label. */}
          <span className="visually-hidden">{fieldLabel}</span>
        </Button>
      </form>
      {state === 'asking' && (
        <ReauthenticateForm
          lead={`To change your ${fieldLabel}, enter your current password.`}
          onDone={() => void save()}
          onCancel={() => setState('editing')}
        />
      )}
    </div>
  );
}
