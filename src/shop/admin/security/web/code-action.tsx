import { Field } from '#src/ui/field.tsx';
import { ConfirmedAction } from '../../web/confirmed-action.tsx';
import { readText } from '../../web/form-text.ts';

interface CodeActionProps {
  readonly button: string;
  readonly isDestructive?: boolean;
  readonly question: string;
  readonly meaning: string;
  /** Toast after success. */
  readonly done: string;
  readonly onConfirm: (code: string) => Promise<void>;
}

/** An action that takes a code of the app or a recovery code. */
export function CodeAction({ button, isDestructive = false, question, meaning, done, onConfirm }: CodeActionProps) {
  return (
    <ConfirmedAction
      button={button}
      isDestructive={isDestructive}
      question={question}
      meaning={<p>{meaning}</p>}
      confirm={button}
      done={done}
      onConfirm={(data) => onConfirm(readText(data, 'code'))}
    >
      <Field
        label={`Code to ${button.toLowerCase()}`}
        name="code"
        hint="Of your authenticator app, or a recovery code."
        required
        maxLength={64}
        autoComplete="one-time-code"
        spellCheck={false}
      />
    </ConfirmedAction>
  );
}
