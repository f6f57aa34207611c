import { useState } from 'react';
import type { SubmitEvent } from 'react';
import type { LoaderFunctionArgs, MetaFunction } from 'react-router';
import { useNavigate } from 'react-router';
import { MAX_LENGTHS } from '#src/shop/support/contact/check-message.ts';
import type { ContactMessage } from '#src/shop/support/contact/contract.ts';
import { call as callApi } from '#src/storefront/call.ts';
import { Moment } from '#src/storefront/moment.tsx';
import { rethrowAsNotFound } from '#src/storefront/page/page-responses.ts';
import { formatPageTitle } from '#src/storefront/shop-identity.ts';
import { BackLink } from '#src/ui/page/back-link.tsx';
import { Button } from '#src/ui/controls/button.tsx';
import { NeedsScript } from '#src/ui/feedback/needs-script.tsx';
import { TextArea } from '#src/ui/fields/text-area.tsx';
import { Section } from '#src/ui/layout/section.tsx';
import { Row } from '#src/ui/layout/row.ts';
import { Stack } from '#src/ui/layout/stack.ts';
import { useHydrated } from '#src/ui/react/use-hydrated.ts';
import { AdminFrame } from '../../kit/admin-frame.tsx';
import { ConfirmedAction } from '../../kit/confirmed-action.tsx';
import { useQuickAction } from '../../kit/quick-action.tsx';
import { requireStaff } from '../../kit/staff-page.ts';
import { useLiveLoaderData } from '../../kit/use-staff-changes.ts';
import { MessageState } from './message-state.tsx';

const HOME = '/admin/messages';

export const meta: MetaFunction = ({ matches }) => [
  { title: formatPageTitle('Message · Back office', matches) },
  { name: 'description', content: 'A message from the contact page with its answers.' },
];

export async function loader(args: LoaderFunctionArgs) {
  const id = args.params['id'] ?? '';
  const call = requireStaff(args, `${HOME}/${id}`, 'support');
  return call('GET /support/contact-messages/{id}', { params: { id } }).catch(rethrowAsNotFound);
}

/** OPS-04: a contact message, answered by mail. */
export default function MessagePage() {
  const { message } = useLiveLoaderData<typeof loader>(['messages']);
  return (
    <AdminFrame
      title={`Message from ${message.firstName} ${message.lastName}`}
      beside={
        <>
          <MessageState message={message} />
          <BackLink to={HOME} text="Messages" />
        </>
      }
    >
      <Section title="Message" surface="outlined">
        <p className="muted measure">
          <a className="link accent" href={`mailto:${message.email}`}>
            {message.email}
          </a>
          , <Moment at={message.created_at} shows="moment" />
        </p>
        <p className="multiline measure">{message.message}</p>
      </Section>
      {message.answers.map((answer) => (
        <Section title={<>Answer by {answer.author}</>} key={answer.id} surface="outlined">
          <p className="muted measure">
            <Moment at={answer.created_at} shows="moment" />
          </p>
          <p className="multiline measure">{answer.text}</p>
        </Section>
      ))}
      {!message.is_suspect && <Answer message={message} />}
      <Actions message={message} />
    </AdminFrame>
  );
}

function Answer({ message }: { readonly message: ContactMessage }) {
  const isHydrated = useHydrated();
  const { isBusy, run } = useQuickAction();
  const [text, setText] = useState('');
  const send = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (text.trim() === '') return;
    const request = { params: { id: message.id }, body: { text, seen_answer_id: message.answers.at(-1)?.id ?? null } };
    const isSent = await run(() => callApi('POST /support/contact-messages/{id}/answers', request), 'Answer sent');
    if (isSent) setText('');
  };
  return (
    <Section title="Answer" surface="outlined">
      <p className="muted measure">
        Sent by mail to {message.email}. The mail does not quote the message, since anybody can enter any address.
      </p>
      <Stack as="form" gap={12} onSubmit={(event) => void send(event)}>
        <TextArea
          label="Your answer"
          value={text}
          maxLength={MAX_LENGTHS.message}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
        <Button type="submit" isBusy={isBusy} disabled={!isHydrated || text.trim() === ''}>
          Send answer
        </Button>
        <NeedsScript />
      </Stack>
    </Section>
  );
}

function Actions({ message: { id, is_suspect: isSpam, state } }: { readonly message: ContactMessage }) {
  const navigate = useNavigate();
  const isHydrated = useHydrated();
  const { isBusy, run } = useQuickAction();
  const params = { id };
  const isDone = state === 'done';
  return (
    <Section title="Actions" surface="outlined">
      <Row align="start">
        {!isSpam && (
          <Button
            variant="secondary"
            isBusy={isBusy}
            disabled={!isHydrated}
            onClick={() =>
              void run(() =>
                callApi('POST /support/contact-messages/{id}/state', { params, body: { is_done: !isDone } }),
              )
            }
          >
            {isDone ? 'Open again' : 'Mark as done'}
          </Button>
        )}
        {isSpam ? (
          <Button
            variant="secondary"
            isBusy={isBusy}
            disabled={!isHydrated}
            onClick={() =>
              void run(() => callApi('POST /support/contact-messages/{id}/spam', { params, body: { is_spam: false } }))
            }
          >
            Not spam
          </Button>
        ) : (
          <ConfirmedAction
            button="Mark as spam"
            question="Mark this message as spam?"
            meaning={<p>It leaves the list and is deleted 30 days after it was sent.</p>}
            confirm="Mark as spam"
            done="Marked as spam"
            onConfirm={() => callApi('POST /support/contact-messages/{id}/spam', { params, body: { is_spam: true } })}
          />
        )}
        <ConfirmedAction
          button="Delete message"
          isDestructive
          question="Delete this message?"
          meaning={<p>Its answers are deleted too. You can’t undo this.</p>}
          confirm="Delete message"
          done="Message deleted"
          onConfirm={async () => {
            await callApi('DELETE /support/contact-messages/{id}', { params });
            await navigate(HOME, { replace: true });
          }}
        />
      </Row>
    </Section>
  );
}
