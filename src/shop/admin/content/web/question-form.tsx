import { useRef } from 'react';
import { Field } from '#src/ui/field.tsx';
import { TextArea } from '#src/ui/text-area.tsx';
import { FormFrame } from './form-frame.tsx';
import { useDraft } from './use-draft.ts';
import { useSave } from './use-save.ts';

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
  readonly onSaved: () => void;
}

const HINT =
  'Plain text. {payment_window}, {short_payment_window}, {late_tolerance}, {confirmations}, {shop_name} and {shop_address} are replaced.';

export function QuestionForm({ name, version, texts, button, done, onSave, onSaved }: QuestionFormProps) {
  const place = useRef<HTMLDivElement>(null);
  const { isBusy, failure, save, clear } = useSave(place);
  const draft = useDraft(`faq_${name}`, { version, value: texts });
  const { question, answer } = draft.value;
  const submit = async () => {
    if (!(await save(() => onSave({ question, answer }, draft.version), done))) return;
    draft.discard();
    onSaved();
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
          clear();
          draft.discard();
          onSaved();
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
