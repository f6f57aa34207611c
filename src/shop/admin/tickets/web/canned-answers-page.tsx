import { useState } from 'react';
import type { SubmitEvent } from 'react';
import type { LoaderFunctionArgs, MetaFunction } from 'react-router';
import { useLoaderData } from 'react-router';
import { readField } from '#src/shop/accounts/web/read-field.ts';
import { MAX_ANSWER_LENGTH, MAX_TITLE_LENGTH, PLACEHOLDERS } from '#src/shop/support/canned-answers/canned-answer.ts';
import type { CannedAnswer } from '#src/shop/support/canned-answers/contract.ts';
import { call as callApi } from '#src/storefront/call.ts';
import { reloadPage } from '#src/storefront/reload-page.ts';
import { formatPageTitle } from '#src/storefront/shop-identity.ts';
import { BackLink } from '#src/ui/back-link.tsx';
import { Button } from '#src/ui/button.tsx';
import { Field } from '#src/ui/field.tsx';
import { NeedsScript } from '#src/ui/needs-script.tsx';
import { EmptyState, ErrorState } from '#src/ui/states.tsx';
import { TextArea } from '#src/ui/text-area.tsx';
import { Section } from '#src/ui/section.tsx';
import { Stack } from '#src/ui/stack.ts';
import { Lines } from '#src/ui/lines.ts';
import { Disclosure } from '#src/ui/disclosure.tsx';
import { useHydrated } from '#src/ui/use-hydrated.ts';
import { AdminFrame } from '../../kit/admin-frame.tsx';
import { ConfirmedAction } from '../../kit/confirmed-action.tsx';
import { useQuickAction } from '../../kit/quick-action.tsx';
import { requireStaff } from '../../kit/staff-page.ts';
import styles from './canned-answers-page.module.css';

export const meta: MetaFunction = ({ matches }) => [
  { title: formatPageTitle('Canned answers · Back office', matches) },
  { name: 'description', content: 'Texts for answers to tickets.' },
];

export async function loader(args: LoaderFunctionArgs) {
  const call = requireStaff(args, '/admin/canned-answers', 'support');
  return { found: await call('GET /support/canned-answers').catch(() => null) };
}

const HINT = Object.entries(PLACEHOLDERS)
  .map(([name, meaning]) => `{${name}} becomes ${meaning}`)
  .join(', ');

/** OPS-04: canned answers, created, edited and deleted. */
export default function CannedAnswersPage() {
  const { found } = useLoaderData<typeof loader>();
  return (
    <AdminFrame title="Canned answers" beside={<BackLink to="/admin/tickets" text="Tickets" />}>
      <p className="muted measure">Texts for answers to tickets. {HINT}.</p>
      <Section title="New answer" surface="outlined">
        <NewAnswer />
      </Section>
      {found === null && (
        <ErrorState title="The canned answers could not be loaded." onRetry={() => void reloadPage()} />
      )}
      {found?.answers.length === 0 && <EmptyState title="There are no canned answers yet." />}
      {found !== null && found.answers.length > 0 && (
        <Lines gap={8} isFramed>
          {found.answers.map((answer) => (
            <li key={answer.id}>
              <Disclosure summary={answer.title}>
                <EditAnswer answer={answer} />
              </Disclosure>
            </li>
          ))}
        </Lines>
      )}
    </AdminFrame>
  );
}

const readDraft = (form: HTMLFormElement) => {
  const data = new FormData(form);
  return { title: readField(data, 'title').trim(), text: readField(data, 'text').trim() };
};

interface AnswerFormProps {
  readonly answer: Pick<CannedAnswer, 'title' | 'text'>;
  readonly button: string;
  readonly onSave: (draft: Pick<CannedAnswer, 'title' | 'text'>) => Promise<boolean>;
  readonly isBusy: boolean;
  readonly isReset?: boolean;
}

function AnswerForm({ answer, button, onSave, isBusy, isReset = false }: AnswerFormProps) {
  const isHydrated = useHydrated();
  const [errors, setErrors] = useState<{ readonly title?: string; readonly text?: string }>({});
  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const draft = readDraft(form);
    setErrors({
      ...(draft.title === '' && { title: 'Title is required' }),
      ...(draft.text === '' && { text: 'Text is required' }),
    });
    if (draft.title === '' || draft.text === '') return;
    if ((await onSave(draft)) && isReset) form.reset();
  };
  return (
    <Stack as="form" noValidate onSubmit={(event) => void submit(event)}>
      <Field
        label="Title"
        name="title"
        defaultValue={answer.title}
        maxLength={MAX_TITLE_LENGTH}
        autoComplete="off"
        message={errors.title}
      />
      <TextArea
        label="Text"
        name="text"
        rows={5}
        defaultValue={answer.text}
        maxLength={MAX_ANSWER_LENGTH}
        message={errors.text}
      />
      <Button type="submit" variant="secondary" isBusy={isBusy} disabled={!isHydrated}>
        {button}
      </Button>
      <NeedsScript />
    </Stack>
  );
}

function NewAnswer() {
  const { isBusy, run } = useQuickAction();
  return (
    <AnswerForm
      answer={{ title: '', text: '' }}
      button="Create answer"
      isBusy={isBusy}
      isReset
      onSave={(body) => run(() => callApi('POST /support/canned-answers', { body }), 'Answer created')}
    />
  );
}

function EditAnswer({ answer }: { readonly answer: CannedAnswer }) {
  const { isBusy, run } = useQuickAction();
  // The version that the form began with: a change by somebody else is not replaced unseen.
  const [version, setVersion] = useState(answer.version);
  const params = { id: answer.id };
  const save = async (draft: Pick<CannedAnswer, 'title' | 'text'>) => {
    const saved = await callApi('PUT /support/canned-answers/{id}', { params, body: { ...draft, version } });
    setVersion(saved.answer.version);
  };
  return (
    <Stack gap={12} className={styles.edit}>
      <AnswerForm
        answer={answer}
        button="Save answer"
        isBusy={isBusy}
        onSave={(draft) => run(() => save(draft), 'Answer saved')}
      />
      <ConfirmedAction
        button="Delete answer"
        variant="quaternary"
        isDestructive
        question={`Delete “${answer.title}”?`}
        meaning={<p>Messages that were sent with it stay. You can’t undo this.</p>}
        confirm="Delete answer"
        done="Answer deleted"
        onConfirm={() => callApi('DELETE /support/canned-answers/{id}', { params })}
      />
    </Stack>
  );
}
