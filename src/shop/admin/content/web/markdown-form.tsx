import { Field } from '#src/ui/fields/field.tsx';
import { TextArea } from '#src/ui/fields/text-area.tsx';
import { DocumentActions, DocumentForm } from '../../kit/document/document-form.tsx';
import type { useDocument } from '../../kit/document/use-document.ts';
import styles from './content-forms.module.css';
import { LegalPreview } from './legal-preview.tsx';

/** A text of a page. */
export interface MarkdownText {
  readonly summary: string;
  readonly markdown: string;
}

interface MarkdownFormProps {
  readonly document: Pick<
    ReturnType<typeof useDocument<MarkdownText, unknown, number>>,
    'value' | 'set' | 'messageOf' | 'state'
  >;
  readonly save: string;
  /** Name of the summary in the API. */
  readonly summaryField: string;
  readonly summaryHint: string;
  readonly maxLength: number;
  readonly hint: string;
}

/** Summary and Markdown of a page with a preview. */
export function MarkdownForm(props: MarkdownFormProps) {
  const { document, save, summaryField, summaryHint, maxLength, hint } = props;
  const { value, set, messageOf, state } = document;
  return (
    <DocumentForm document={state} actions={<DocumentActions document={state} save={save} />}>
      <Field
        label="Summary"
        value={value.summary}
        maxLength={200}
        message={messageOf(summaryField)}
        hint={summaryHint}
        onChange={(event) => set({ summary: event.currentTarget.value })}
      />
      <TextArea
        label="Text"
        value={value.markdown}
        rows={20}
        maxLength={maxLength}
        spellCheck
        className={styles.code}
        message={messageOf('markdown')}
        hint={hint}
        onChange={(event) => set({ markdown: event.currentTarget.value })}
      />
      <LegalPreview markdown={value.markdown} />
    </DocumentForm>
  );
}
