import { useRef } from 'react';
import { Field } from '#src/ui/field.tsx';
import { TextArea } from '#src/ui/text-area.tsx';
import { FormFrame } from './form-frame.tsx';
import { useDraft } from '../../kit/use-draft.ts';
import { useDraftForm } from '../../kit/use-draft-form.ts';

interface QuestionTexts {
  readonly question: string;
  readonly answer: string;
}

interface QuestionFormProps {
  /** Names the unsaved changes. */
  readonly name: string;
  readonly version: number;
  readonly texts: QuestionTexts;
  readonly button: string;
  readonly done: string;
  readonly onSave: (texts: QuestionTexts, version: number) => Promise<unknown>;
  /** After the changes were saved or discarded. */
  readonly onEnd?: () => void;
}

const HINT =
  'Plain text. {payment_window}, {short_payment_window}, {late_tolerance}, {confirmations}, {refund_rule}, {shop_name} and {shop_address} are replaced.';

export function QuestionForm({ name, version, texts, button, done, onSave, onEnd }: QuestionFormProps) {
  const place = useRef<HTMLDivElement>(null);
  const draft = useDraft(`faq_${name}`, { version, value: texts });
  const { isBusy, failure, save, discard } = useDraftForm(draft, place);
  const { question, answer } = draft.value;
  const submit = async () => {
    if (await save(() => onSave({ question, answer }, draft.version), done)) onEnd?.();
  };
  return (
    <div ref={place}>
      <FormFrame
        isChanged={draft.isChanged}
        isRestored={draft.isRestored}
        isBusy={isBusy}
        failure={failure}
        save={button}
        onSave={() => void submit()}
        onDiscard={() => {
          discard();
          onEnd?.();
        }}
      >
        <Field
          label="Question"
          value={question}
          maxLength={200}
          message={failure?.fields['question']}
          onChange={(event) => draft.change({ question: event.currentTarget.value, answer })}
        />
        <TextArea
          rows={10}
          label="Answer"
          value={answer}
          maxLength={4000}
          message={failure?.fields['answer']}
          hint={HINT}
          onChange={(event) => draft.change({ question, answer: event.currentTarget.value })}
        />
      </FormFrame>
    </div>
  );
}
