import { useState } from 'react';
import { fillCannedAnswer, hasPlaceholder, insertAnswer } from '#src/shop/support/canned-answers/canned-answer.ts';
import type { PlaceholderValues } from '#src/shop/support/canned-answers/canned-answer.ts';
import type { CannedAnswer } from '#src/shop/support/canned-answers/contract.ts';
import type { ChangeText } from '#src/shop/support/tickets/web/send-form.tsx';
import { Select } from '#src/ui/fields/field.tsx';
import { Stack } from '#src/ui/layout/stack.ts';
import { useHydrated } from '#src/ui/react/use-hydrated.ts';
import styles from './ticket-page.module.css';

interface AnswerMenuProps {
  /** Null: they could not be loaded. */
  readonly answers: readonly CannedAnswer[] | null;
  readonly values: PlaceholderValues;
  readonly changeText: ChangeText;
}

/** Inserts canned answers into a message. */
export function AnswerMenu({ answers, values, changeText }: AnswerMenuProps) {
  const isHydrated = useHydrated();
  const [isIncomplete, setIsIncomplete] = useState(false);
  if (answers?.length === 0) return null;
  const insert = (id: string) => {
    const answer = answers?.find((one) => one.id === id);
    if (!answer) return;
    const text = fillCannedAnswer(answer.text, values);
    setIsIncomplete(hasPlaceholder(text));
    changeText((old) => insertAnswer(old, text));
  };
  return (
    <Stack gap={8} className={styles.tools}>
      {answers === null ? (
        <p className="muted small wrap-anywhere">
          The canned answers could not be loaded. Reload the page to try again.
        </p>
      ) : (
        <Select
          label="Insert a canned answer"
          value=""
          disabled={!isHydrated}
          onChange={({ currentTarget }) => insert(currentTarget.value)}
        >
          <option value="">Choose an answer</option>
          {answers.map(({ id, title }) => (
            <option key={id} value={id}>
              {title}
            </option>
          ))}
        </Select>
      )}
      {isIncomplete && (
        <output className="muted small wrap-anywhere">
          This customer has no order. Replace {'{order}'} in the text before you send it.
        </output>
      )}
    </Stack>
  );
}
