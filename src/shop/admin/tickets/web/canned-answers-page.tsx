import type { LoaderFunctionArgs, MetaFunction } from 'react-router';
import { useLoaderData } from 'react-router';
import { MAX_ANSWER_LENGTH, MAX_TITLE_LENGTH, PLACEHOLDERS } from '#src/shop/support/canned-answers/canned-answer.ts';
import type { CannedAnswer } from '#src/shop/support/canned-answers/contract.ts';
import { call } from '#src/storefront/call.ts';
import { reloadPage } from '#src/storefront/reload-page.ts';
import { formatPageTitle } from '#src/storefront/shop-identity.ts';
import { BackLink } from '#src/ui/page/back-link.tsx';
import { Field } from '#src/ui/fields/field.tsx';
import { EmptyState, ErrorState } from '#src/ui/feedback/states.tsx';
import { Section } from '#src/ui/layout/section.tsx';
import { Lines } from '#src/ui/layout/lines.ts';
import { Disclosure } from '#src/ui/display/disclosure.tsx';
import { TextArea } from '#src/ui/fields/text-area.tsx';
import { Stack } from '#src/ui/layout/stack.ts';
import { AdminFrame } from '../../kit/admin-frame.tsx';
import { ConfirmedAction } from '../../kit/confirmed-action.tsx';
import { DocumentActions, DocumentForm } from '../../kit/document/document-form.tsx';
import { useDocument } from '../../kit/document/use-document.ts';
import type { ReadDocument } from '../../kit/document/use-document.ts';
import { requireStaff } from '../../kit/staff-page.ts';
import styles from './canned-answers-page.module.css';

export const meta: MetaFunction = ({ matches }) => [
  { title: formatPageTitle('Canned answers · Back office', matches) },
  { name: 'description', content: 'Texts for answers to tickets.' },
];

export async function loader(args: LoaderFunctionArgs) {
  const read = requireStaff(args, '/admin/canned-answers', 'support');
  return { found: await read('GET /support/canned-answers').catch(() => null) };
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
        <AnswerForm answer={null} />
      </Section>
      {found === null && (
        <ErrorState title="The canned answers could not be loaded." onRetry={() => void reloadPage()} />
      )}
      {found?.answers.length === 0 && <EmptyState title="There are no canned answers yet." />}
      {found !== null && found.answers.length > 0 && (
        <Lines gap={8} isFramed>
          {found.answers.map((answer) => (
            <li key={answer.id}>
              <Disclosure summary={<span className="strong wrap-anywhere">{answer.title}</span>}>
                <EditAnswer answer={answer} />
              </Disclosure>
            </li>
          ))}
        </Lines>
      )}
    </AdminFrame>
  );
}

type AnswerTexts = Pick<CannedAnswer, 'title' | 'text'>;

function readAnswer({ title, text }: AnswerTexts): ReadDocument<AnswerTexts> {
  const body = { title: title.trim(), text: text.trim() };
  const problems = {
    ...(body.title === '' && { title: 'Title is required' }),
    ...(body.text === '' && { text: 'Text is required' }),
  };
  return Object.keys(problems).length > 0 ? { ok: false, problems } : { ok: true, body };
}

const toStored = ({ version, title, text }: CannedAnswer) => ({ version, value: { title, text } });

/** Changes an answer, or with null creates one. */
function AnswerForm({ answer }: { readonly answer: CannedAnswer | null }) {
  const { value, set, messageOf, state } = useDocument({
    name: `canned_answer_${answer?.id ?? 'new'}`,
    what: 'this answer',
    stored: answer === null ? { version: 0, value: { title: '', text: '' } } : toStored(answer),
    read: readAnswer,
    send: async (body, { version }) => {
      if (answer === null) {
        await call('POST /support/canned-answers', { body });
        return null;
      }
      const request = { params: { id: answer.id }, body: { ...body, version } };
      return toStored((await call('PUT /support/canned-answers/{id}', request)).answer);
    },
    saved: answer === null ? 'Answer created' : 'Answer saved',
  });
  const save = answer === null ? 'Create answer' : 'Save answer';
  return (
    <DocumentForm document={state} isInList actions={<DocumentActions document={state} save={save} isQuiet />}>
      <Field
        label="Title"
        value={value.title}
        maxLength={MAX_TITLE_LENGTH}
        autoComplete="off"
        message={messageOf('title')}
        onChange={(event) => set({ title: event.currentTarget.value })}
      />
      <TextArea
        label="Text"
        rows={5}
        value={value.text}
        maxLength={MAX_ANSWER_LENGTH}
        message={messageOf('text')}
        onChange={(event) => set({ text: event.currentTarget.value })}
      />
    </DocumentForm>
  );
}

function EditAnswer({ answer }: { readonly answer: CannedAnswer }) {
  return (
    <Stack gap={12} className={styles.edit}>
      <AnswerForm answer={answer} />
      <ConfirmedAction
        button="Delete answer"
        variant="quaternary"
        isDestructive
        question={`Delete “${answer.title}”?`}
        meaning={<p>Messages that were sent with it stay. You can’t undo this.</p>}
        confirm="Delete answer"
        done="Answer deleted"
        onConfirm={() => call('DELETE /support/canned-answers/{id}', { params: { id: answer.id } })}
      />
    </Stack>
  );
}
