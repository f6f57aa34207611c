import { useEffect, useState } from 'react';
import type { ComponentProps, KeyboardEvent, SubmitEvent } from 'react';
import { useCallForm } from '#src/storefront/forms/use-call-form.ts';
import { useHydrated } from '#src/ui/react/use-hydrated.ts';
import { PasswordField } from '../../web/password-field.tsx';
import { readField } from '#src/ui/form/read-field.ts';
import { Button } from '#src/ui/controls/button.tsx';
import { classNames } from '#src/ui/styles/class-names.ts';
import { Field } from '#src/ui/fields/field.tsx';
import { showToast } from '#src/ui/feedback/show-toast.ts';
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
import { useReauthentication } from '../../web/use-reauthentication.ts';

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

type Editing = Pick<EditableFieldProps, 'name' | 'value' | 'minLength' | 'onSave'>;

/** A field that is read, edited and saved. */
function useEditing({ name, value, minLength, onSave }: Editing) {
  const [isReading, setIsReading] = useState(true);
  const [draft, setDraft] = useState(value);
  const { isSaved, markSaved } = useSavedMark();
  // Shows the saved value until the page has reloaded.
  const [saved, setSaved] = useState<{ readonly before: string; readonly now: string } | null>(null);
  const current = saved?.before === value ? saved.now : value;
  const { isAsking, answer, repeat } = useReauthentication();

  const { ref, submit, isBusy, messageOf, recheck, show } = useCallForm({
    log: 'Changing the account failed',
    read: (form) => {
      const text = readField(new FormData(form), name);
      return name === 'password' ? text : text.trim();
    },
    check: (text) => ({ [name]: checkField(name, text, minLength) }),
    send: async (text) => {
      await repeat(() => onSave(name, text));
      if (name !== 'password') setSaved({ before: value, now: text });
      showToast('success', UPDATED_MESSAGE);
      markSaved(true);
      stop();
    },
    describe: (error) => {
      if (isReauthenticationRequired(error)) return null;
      showToast('error', NOT_UPDATED_MESSAGE);
      return { text: null, problems: { [name]: getUpdateError(name, error) ?? NOT_UPDATED_MESSAGE } };
    },
  });

  const edit = () => {
    setDraft(current);
    show(null);
    markSaved(false);
    setIsReading(false);
    ref.current?.querySelector('input')?.focus();
  };
  const stop = () => {
    setIsReading(true);
    show(null);
    ref.current?.querySelector<HTMLButtonElement>('button[data-edit]')?.focus();
  };
  const press = (event: SubmitEvent<HTMLFormElement>) => {
    // An empty password means unchanged.
    if (!isReading && (isBusy || draft.trim() !== current)) return submit(event);
    event.preventDefault();
    if (isReading) edit();
    else stop();
  };
  const change = (text: string) => {
    setDraft(text);
    recheck(name);
  };
  return {
    ref,
    press,
    stop,
    change,
    isReading,
    isSaved,
    isBusy,
    isAsking,
    answer,
    shown: isReading ? current : draft,
    message: messageOf(name),
  };
}

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
  const editing = useEditing({ name, value, onSave, ...(minLength !== undefined && { minLength }) });
  const { ref, isReading, isBusy, isAsking, answer } = editing;

  const shared = {
    ...input,
    name,
    required: !isReading,
    readOnly: isReading || isBusy,
    value: editing.shown,
    message: editing.message,
    className: styles.field,
    ...(hint !== undefined && !isReading && { hint }),
    ...(isReading && placeholder !== undefined && { placeholder }),
    onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) => editing.change(currentTarget.value),
    onKeyDown: ({ key }: KeyboardEvent) => {
      if (key === 'Escape' && !isReading && !isBusy) editing.stop();
    },
  };

  return (
    <div className={styles.item}>
      <form
        ref={ref}
        className={classNames(styles.row, editing.isSaved && styles.saved)}
        onSubmit={editing.press}
        noValidate
      >
        {name === 'password' ? <PasswordField {...shared} /> : <Field {...shared} />}
        <Button
          type="submit"
          variant={isReading ? 'tertiary' : 'primary'}
          data-edit
          isBusy={(isBusy && !isAsking) || !isHydrated}
          disabled={isAsking}
        >
          <span>{isReading ? 'Edit' : 'Confirm'}</span>
          {/* No aria-label, so that only the field is found by its label. */}
          <span className="visually-hidden">{fieldLabel}</span>
        </Button>
      </form>
      {isAsking && (
        <ReauthenticateForm
          lead={`To change your ${fieldLabel}, enter your current password.`}
          onDone={() => answer(true)}
          onCancel={() => answer(false)}
        />
      )}
    </div>
  );
}

/** Marks what was saved for a moment. */
function useSavedMark() {
  const [isSaved, markSaved] = useState(false);
  useEffect(() => {
    if (!isSaved) return undefined;
    const timer = setTimeout(() => markSaved(false), HIGHLIGHT_MS);
    return () => clearTimeout(timer);
  }, [isSaved]);
  return { isSaved, markSaved };
}
