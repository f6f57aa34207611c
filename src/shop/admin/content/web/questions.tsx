import { useRef, useState } from 'react';
import { ConfirmedAction } from '../../kit/confirmed-action.tsx';
import { useQuickAction } from '../../kit/quick-action.tsx';
import { useFocusAfterChange } from '#src/ui/form/use-focus-after-change.ts';
import type { StoredFaq, StoredQuestion } from '#src/shop/content/faq/contract.ts';
import { call } from '#src/storefront/call.ts';
import { Button } from '#src/ui/controls/button.tsx';
import { EmptyState } from '#src/ui/feedback/states.tsx';
import { Section } from '#src/ui/layout/section.tsx';
import { Row } from '#src/ui/layout/row.ts';
import { Stack } from '#src/ui/layout/stack.ts';
import { QuestionForm } from './question-form.tsx';

/** The frequently asked questions: add, change, move and delete. */
export function Questions({ faq }: { readonly faq: StoredFaq }) {
  return (
    <>
      {faq.items.length === 0 && (
        <EmptyState title="No questions yet.">
          <p>Questions and answers appear on the home page.</p>
        </EmptyState>
      )}
      <QuestionList faq={faq} />
      <Section title="Add a question" surface="outlined">
        <QuestionForm stored={null} />
      </Section>
    </>
  );
}

function QuestionList({ faq: { items, version } }: { readonly faq: StoredFaq }) {
  const list = useRef<HTMLOListElement>(null);
  const { isBusy, run } = useQuickAction();
  const focusAfterChange = useFocusAfterChange(list, items);
  const move = (from: number, to: number): void => {
    const ids = items.map(({ id }) => id);
    const [id = ''] = ids.splice(from, 1);
    ids.splice(to, 0, id);
    // All buttons are disabled meanwhile, so the pressed one loses the focus. At an end of the list it stays disabled.
    const focusButton = (isAtEnd: boolean) =>
      focusAfterChange(`[data-question="${id}"] [data-action="${to < from === isAtEnd ? 'down' : 'up'}"]`, null);
    void run(async () => {
      focusButton(false);
      await call('PUT /content/faq-order', { body: { version, ids } });
      focusButton(to === 0 || to === items.length - 1);
    }, 'Order saved');
  };
  return (
    <Stack as="ol" ref={list}>
      {items.map((item, index) => (
        <li key={item.id} data-question={item.id}>
          <Question
            item={item}
            isFirst={index === 0}
            isLast={index === items.length - 1}
            isBusy={isBusy}
            onMove={(by) => move(index, index + by)}
          />
        </li>
      ))}
    </Stack>
  );
}

interface QuestionProps {
  readonly item: StoredQuestion;
  readonly isFirst: boolean;
  readonly isLast: boolean;
  readonly isBusy: boolean;
  readonly onMove: (by: -1 | 1) => void;
}

function Question({ item, isFirst, isLast, isBusy, onMove }: QuestionProps) {
  const { id, version, question, answer } = item;
  const [isEdited, setIsEdited] = useState(false);
  const about = <span className="visually-hidden"> {question}</span>;
  return (
    <Section title={question} surface="outlined">
      {!isEdited && <p className="multiline measure">{answer}</p>}
      {isEdited && <QuestionForm stored={item} onEnd={() => setIsEdited(false)} />}
      <Row>
        <Button variant="secondary" aria-expanded={isEdited} onClick={() => setIsEdited(!isEdited)}>
          {isEdited ? 'Close' : 'Edit'}
          {about}
        </Button>
        <Button variant="tertiary" data-action="up" disabled={isFirst || isBusy} onClick={() => onMove(-1)}>
          Move up{about}
        </Button>
        <Button variant="tertiary" data-action="down" disabled={isLast || isBusy} onClick={() => onMove(1)}>
          Move down{about}
        </Button>
        <ConfirmedAction
          button="Delete"
          variant="tertiary"
          isDestructive
          question="Delete this question?"
          meaning={<p>“{question}” is removed from the home page. This cannot be undone.</p>}
          confirm="Delete question"
          done="Question deleted"
          onConfirm={() => call('DELETE /content/faq/{id}', { params: { id }, query: { version: String(version) } })}
        />
      </Row>
    </Section>
  );
}
