import type { ReactNode } from 'react';
import { suggestSlug } from '#src/shop/catalogue/editing/suggest-slug.ts';
import { Columns } from '#src/ui/layout/columns.ts';
import { Field } from '#src/ui/fields/field.tsx';
import { DocumentActions, DocumentForm } from '../../kit/document/document-form.tsx';
import { readAsIs, useDocument } from '../../kit/document/use-document.ts';
import type { DocumentState } from '../../kit/document/use-document.ts';

export interface NamedFields {
  readonly name: string;
  readonly slug: string;
}

interface NamedFormProps {
  readonly value: NamedFields;
  readonly onChange: (part: Partial<NamedFields>) => void;
  readonly document: DocumentState;
  /** A new one, whose URL follows its name. */
  readonly isNew?: boolean;
  /** Label of the button. */
  readonly save: string;
  /** Further fields. */
  readonly children?: ReactNode;
}

/** Name and URL of a category or brand. */
export function NamedForm({
  value: { name, slug },
  onChange,
  document,
  isNew = false,
  save,
  children,
}: NamedFormProps) {
  const { problems } = document;
  return (
    <DocumentForm
      document={document}
      isInList
      gap={16}
      actions={<DocumentActions document={document} save={save} isQuiet />}
    >
      <Columns width={18}>
        <Field
          label="Name"
          value={name}
          maxLength={80}
          message={problems['name']}
          onChange={({ target: { value } }) =>
            onChange({ name: value, ...(isNew && slug === suggestSlug(name) && { slug: suggestSlug(value) }) })
          }
        />
        <Field
          label="URL"
          value={slug}
          maxLength={120}
          autoCapitalize="none"
          spellCheck={false}
          message={problems['slug']}
          onChange={({ target }) => onChange({ slug: target.value })}
        />
      </Columns>
      {children}
    </DocumentForm>
  );
}

const EMPTY = { version: 0, value: { name: '', slug: '' } };

interface NewNamedFormProps {
  readonly kind: 'brand' | 'category';
  readonly onCreate: (fields: NamedFields) => Promise<unknown>;
}

/** Adds a brand or category. */
export function NewNamedForm({ kind, onCreate }: NewNamedFormProps) {
  const { value, set, state } = useDocument({
    name: `${kind}_new`,
    what: `this ${kind}`,
    stored: EMPTY,
    read: readAsIs<NamedFields>,
    send: async (fields) => {
      await onCreate(fields);
      return null;
    },
    saved: 'Saved',
  });
  return <NamedForm value={value} onChange={set} document={state} isNew save={`Add ${kind}`} />;
}
