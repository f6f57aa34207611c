import type { ReactNode, SubmitEvent } from 'react';
import { useRef, useState } from 'react';
import { suggestSlug } from '#src/shop/catalogue/editing/suggest-slug.ts';
import { reloadPage } from '#src/storefront/reload-page.ts';
import { Button } from '#src/ui/button.tsx';
import { Field } from '#src/ui/field.tsx';
import { showToast } from '#src/ui/show-toast.ts';
import { Columns } from '#src/ui/columns.ts';
import { Stack } from '#src/ui/stack.ts';
import { useHydrated } from '#src/ui/use-hydrated.ts';
import { useSave } from './use-save.ts';

interface NamedFields {
  readonly name: string;
  readonly slug: string;
}

interface NamedFormProps {
  /** Null: a new one, whose URL follows its name. */
  readonly stored: NamedFields | null;
  /** Label of the button. */
  readonly save: string;
  readonly onSave: (fields: NamedFields) => Promise<unknown>;
  /** Messages of the further fields before anything is sent. */
  readonly findProblems?: () => Readonly<Record<string, string>>;
  /** Further fields, with the messages of the last attempt. */
  readonly renderMore?: (problems: Readonly<Record<string, string>>) => ReactNode;
}

/** Name and URL of a category or brand. */
export function NamedForm({ stored, save, onSave, findProblems, renderMore }: NamedFormProps) {
  const isHydrated = useHydrated();
  const form = useRef<HTMLFormElement>(null);
  const saving = useSave(form);
  const [name, setName] = useState(stored?.name ?? '');
  const [slug, setSlug] = useState(stored?.slug ?? '');
  const problems = saving.failure?.fields ?? {};
  const submit = async (submitted: SubmitEvent<HTMLFormElement>): Promise<void> => {
    submitted.preventDefault();
    const found = findProblems?.() ?? {};
    if (Object.keys(found).length > 0) {
      saving.setFailure({ code: 'invalid', message: '', fields: found });
      return;
    }
    await saving.run(async () => {
      await onSave({ name, slug });
      showToast('success', 'Saved');
      if (stored === null) {
        setName('');
        setSlug('');
      }
      await reloadPage();
    });
  };
  return (
    <Stack as="form" ref={form} noValidate onSubmit={(submitted) => void submit(submitted)}>
      <Columns width={18}>
        <Field
          label="Name"
          value={name}
          maxLength={80}
          message={problems['name']}
          onChange={({ target }) => {
            if (stored === null && slug === suggestSlug(name)) setSlug(suggestSlug(target.value));
            setName(target.value);
          }}
        />
        <Field
          label="URL"
          value={slug}
          maxLength={120}
          autoCapitalize="none"
          spellCheck={false}
          message={problems['slug']}
          onChange={({ target }) => setSlug(target.value)}
        />
      </Columns>
      {renderMore?.(problems)}
      {saving.failure !== null && (
        <p role="alert" className="danger small measure">
          {saving.failure.code === 'invalid' ? 'Some fields need another value.' : saving.failure.message}
        </p>
      )}
      <div>
        <Button type="submit" isBusy={saving.isBusy} disabled={!isHydrated}>
          {save}
        </Button>
      </div>
    </Stack>
  );
}
