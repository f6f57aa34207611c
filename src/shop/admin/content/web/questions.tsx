import { useRef, useState } from 'react';
import { ConfirmedAction } from '../../kit/confirmed-action.tsx';
import { useFocusAfterChange } from '../../kit/use-focus-after-change.ts';
import type { StoredFaq, StoredQuestion } from '#src/shop/content/faq/contract.ts';
import { call } from '#src/storefront/call.ts';
import { reloadPage } from '#src/storefront/reload-page.ts';
import { Button } from '#src/ui/button.tsx';
import { Section } from '#src/ui/section.tsx';
import { Row } from '#src/ui/row.ts';
import { Notice } from '#src/ui/notice.tsx';
import { Stack } from '#src/ui/stack.ts';
import { EmptyState } from '#src/ui/states.tsx';
import { QuestionForm } from './question-form.tsx';
import { useSave } from '../../kit/use-save.ts';

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
        <QuestionForm
          name="new"
          version={0}
          texts={{ question: '', answer: '' }}
          button="Add question"
          done="Question added"
          onSave={(body) => call('POST /content/faq', { body })}
        />
      </Section>
    </>
  );
}

function QuestionList({ faq: { items, version } }: { readonly faq: StoredFaq }) {
  const list = useRef<HTMLOListElement>(null);
  const { isBusy, failure, save } = useSave(list);
  const focusAfterChange = useFocusAfterChange(list, items);
  const move = async (from: number, to: number) => {
    const ids = items.map(({ id }) => id);
    const [id = ''] = ids.splice(from, 1);
    ids.splice(to, 0, id);
    // All buttons are disabled meanwhile, so the pressed one loses the focus. At an end of the list it stays disabled.
    const focusButton = (isAtEnd: boolean) =>
      focusAfterChange(`[data-question="${id}"] [data-action="${to < from === isAtEnd ? 'down' : 'up'}"]`, null);
    const isSaved = await save(async () => {
      await call('PUT /content/faq-order', { body: { version, ids } });
      await reloadPage();
      focusButton(to === 0 || to === items.length - 1);
    }, 'Order saved');
    if (isSaved) return;
    focusButton(false);
    await reloadPage();
  };
  return (
    <>
      {failure && (
        <Notice role="alert" tone="bad">
          {failure.text}
        </Notice>
      )}
      <Stack as="ol" ref={list}>
        {items.map((item, index) => (
          <li key={item.id} data-question={item.id}>
            <Question
              item={item}
              isFirst={index === 0}
              isLast={index === items.length - 1}
              isBusy={isBusy}
              onMove={(by) => void move(index, index + by)}
            />
          </li>
        ))}
      </Stack>
    </>
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
      {isEdited && (
        <QuestionForm
          name={id}
          version={version}
          texts={{ question, answer }}
          button="Save question"
          done="Question saved"
          onSave={(texts, edited) =>
            call('PUT /content/faq/{id}', { params: { id }, body: { version: edited, ...texts } })
          }
          onEnd={() => setIsEdited(false)}
        />
      )}
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
