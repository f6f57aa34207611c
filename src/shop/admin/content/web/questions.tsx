import { useRef, useState } from 'react';
import actionStyles from '../../kit/actions.module.css';
import { ConfirmedAction } from '../../kit/confirmed-action.tsx';
import { useQuickAction } from '../../kit/quick-action.tsx';
import { useFocusAfterChange } from '#src/ui/form/use-focus-after-change.ts';
import type { StoredFaq, StoredQuestion } from '#src/shop/content/faq/contract.ts';
import { call } from '#src/storefront/call.ts';
import { Button } from '#src/ui/button.tsx';
import { EmptyState } from '#src/ui/states.tsx';
import listStyles from '#src/ui/form/item-list.module.css';
import styles from './content-forms.module.css';
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
      <section className={actionStyles.actions} aria-labelledby="add-title">
        <h2 id="add-title">Add a question</h2>
        <QuestionForm stored={null} />
      </section>
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
    <ol ref={list} className={listStyles.list}>
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
    </ol>
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
    <section className={actionStyles.actions} aria-label={question}>
      <div className={styles.question}>
        <h2>{question}</h2>
        {!isEdited && <p>{answer}</p>}
      </div>
      {isEdited && <QuestionForm stored={item} onEnd={() => setIsEdited(false)} />}
      <div className={styles.row}>
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
      </div>
    </section>
  );
}
