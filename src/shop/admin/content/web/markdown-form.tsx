import type { RefObject } from 'react';
import { Field } from '#src/ui/field.tsx';
import { TextArea } from '#src/ui/text-area.tsx';
import styles from './content-forms.module.css';
import { FormFrame } from './form-frame.tsx';
import { LegalPreview } from './legal-preview.tsx';
import type { useDraft } from '../../kit/use-draft.ts';
import { useDraftForm } from '../../kit/use-draft-form.ts';

/** A text of a page. */
interface MarkdownText {
  readonly summary: string;
  readonly markdown: string;
}
type Changes = ReturnType<typeof useDraft<MarkdownText>>;

interface MarkdownFormProps {
  /** Unsaved changes, from `useDraft`. */
  readonly draft: Changes;
  /** Contains the fields; a field with a message takes the focus. */
  readonly place: RefObject<HTMLElement | null>;
  readonly save: string;
  /** Message after saving. */
  readonly done: string;
  readonly onSave: (text: MarkdownText, version: number) => Promise<unknown>;
  /** Name of the summary in the API. */
  readonly summaryField: string;
  readonly summaryHint: string;
  readonly maxLength: number;
  readonly hint: string;
}

/** Summary and Markdown of a page with a preview. */
export function MarkdownForm(props: MarkdownFormProps) {
  const { draft, place, save: saveText, done, onSave, summaryField, summaryHint, maxLength, hint } = props;
  const { isBusy, failure, save, discard } = useDraftForm(draft, place);
  const { summary, markdown } = draft.value;
  const submit = () => save(() => onSave({ summary, markdown }, draft.version), done);
  return (
    <FormFrame
      isChanged={draft.isChanged}
      isRestored={draft.isRestored}
      isBusy={isBusy}
      failure={failure}
      save={saveText}
      onSave={() => void submit()}
      onDiscard={discard}
    >
      <Field
        label="Summary"
        value={summary}
        maxLength={200}
        message={failure?.fields[summaryField]}
        hint={summaryHint}
        onChange={(event) => draft.change({ summary: event.currentTarget.value, markdown })}
      />
      <TextArea
        label="Text"
        value={markdown}
        rows={20}
        maxLength={maxLength}
        spellCheck
        className={styles.code}
        message={failure?.fields['markdown']}
        hint={hint}
        onChange={(event) => draft.change({ summary, markdown: event.currentTarget.value })}
      />
      <LegalPreview markdown={markdown} />
    </FormFrame>
  );
}
