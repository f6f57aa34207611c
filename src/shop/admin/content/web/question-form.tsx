import type { StoredQuestion } from '#src/shop/content/faq/contract.ts';
import { call } from '#src/storefront/call.ts';
import { Field } from '#src/ui/fields/field.tsx';
import { TextArea } from '#src/ui/fields/text-area.tsx';
import { DocumentActions, DocumentForm } from '../../kit/document/document-form.tsx';
import { readAsIs, useDocument } from '../../kit/document/use-document.ts';

interface QuestionTexts {
  readonly question: string;
  readonly answer: string;
}

interface QuestionFormProps {
  /** Null: a new one. */
  readonly stored: StoredQuestion | null;
  /** After the changes were saved or discarded. */
  readonly onEnd?: () => void;
}

const HINT =
  'Plain text. {payment_window}, {short_payment_window}, {late_tolerance}, {confirmations}, {refund_rule}, {shop_name} and {shop_address} are replaced.';

const toStored = (of: StoredQuestion | undefined) => ({
  version: of?.version ?? 0,
  value: { question: of?.question ?? '', answer: of?.answer ?? '' },
});

/** Changes a question, or adds one. */
export function QuestionForm({ stored, onEnd }: QuestionFormProps) {
  const { value, set, messageOf, state } = useDocument({
    name: `faq_${stored?.id ?? 'new'}`,
    what: 'this question',
    stored: toStored(stored ?? undefined),
    read: readAsIs<QuestionTexts>,
    send: async (texts, { version }) => {
      if (stored === null) {
        await call('POST /content/faq', { body: texts });
        return null;
      }
      const request = { params: { id: stored.id }, body: { version, ...texts } };
      const { items } = await call('PUT /content/faq/{id}', request);
      return toStored(items.find(({ id }) => id === stored.id));
    },
    saved: stored === null ? 'Question added' : 'Question saved',
    ...(onEnd !== undefined && { onSaved: onEnd }),
  });
  return (
    <DocumentForm
      document={state}
      isInList
      actions={
        <DocumentActions
          document={state}
          isQuiet
          save={stored === null ? 'Add question' : 'Save question'}
          {...(onEnd !== undefined && { onDiscard: onEnd })}
        />
      }
    >
      <Field
        label="Question"
        value={value.question}
        maxLength={200}
        message={messageOf('question')}
        onChange={(event) => set({ question: event.currentTarget.value })}
      />
      <TextArea
        rows={10}
        label="Answer"
        value={value.answer}
        maxLength={4000}
        message={messageOf('answer')}
        hint={HINT}
        onChange={(event) => set({ answer: event.currentTarget.value })}
      />
    </DocumentForm>
  );
}
