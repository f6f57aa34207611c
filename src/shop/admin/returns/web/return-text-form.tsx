import type { Return } from '#src/shop/returns/contract.ts';
import type { DeskReturn } from '#src/shop/returns/desk/contract.ts';
import { Button } from '#src/ui/controls/button.tsx';
import { Field } from '#src/ui/fields/field.tsx';
import { FormActions } from '#src/ui/layout/form-actions.tsx';
import { useHydrated } from '#src/ui/react/use-hydrated.ts';
import { DiscardButton, DocumentForm, DocumentStatus } from '../../kit/document/document-form.tsx';
import type { StoredDocument } from '../../kit/document/use-changes.ts';
import { useDocument } from '../../kit/document/use-document.ts';
import type { ReadDocument } from '../../kit/document/use-document.ts';

interface ReturnTextFormProps {
  readonly one: Return;
  /** The text in the return. */
  readonly name: 'label_url' | 'proof';
  readonly label: string;
  readonly hint: string;
  readonly maxLength: number;
  readonly isRequired: boolean;
  readonly button: string;
  readonly saved: string;
  readonly send: (text: string, version: number) => Promise<DeskReturn>;
}

/** The text by its name. */
type Value = Readonly<Record<string, string>>;

const toStored = (one: Return, name: ReturnTextFormProps['name']): StoredDocument<Value> => ({
  version: one.version,
  value: { [name]: one[name] ?? '' },
});

const readText = (value: Value, name: string): string => (value[name] ?? '').trim();

/** A form with one text of a return. */
export function ReturnTextForm({ button, isRequired, name, one, saved, send, ...field }: ReturnTextFormProps) {
  const isHydrated = useHydrated();
  const { messageOf, set, state, value } = useDocument({
    name: `return_${one.id}_${name}`,
    what: 'this return',
    stored: toStored(one, name),
    isSavableAsIs: true,
    read: (typed): ReadDocument<string> =>
      isRequired && readText(typed, name) === ''
        ? { ok: false, problems: { [name]: 'Enter it first' } }
        : { ok: true, body: readText(typed, name) },
    send: async (text, { version }) => toStored((await send(text, version)).return, name),
    saved,
  });
  return (
    <DocumentForm
      document={state}
      gap={12}
      actions={
        <FormActions>
          <Button type="submit" variant="secondary" isBusy={state.isBusy} disabled={!isHydrated}>
            {button}
          </Button>
          <DiscardButton document={state} />
          <DocumentStatus document={state} isQuiet />
        </FormActions>
      }
    >
      <Field
        {...field}
        message={messageOf(name)}
        value={value[name] ?? ''}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => set({ [name]: event.currentTarget.value })}
      />
    </DocumentForm>
  );
}
