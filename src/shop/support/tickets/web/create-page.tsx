import { useRef, useState } from 'react';
import type { SubmitEvent } from 'react';
import type { LoaderFunctionArgs, MetaFunction } from 'react-router';
import { useNavigate } from 'react-router';
import { BackLink } from '#src/ui/back-link.tsx';
import { readField } from '#src/shop/accounts/web/read-field.ts';
import { describeFailure } from '#src/storefront/forms/describe-failure.ts';
import { checkTicket, TICKET_FIELDS } from '../check-ticket.ts';
import type { TicketDraft, TicketErrors, TicketField } from '../check-ticket.ts';
import { isApiFailure, isRefusal } from '#src/storefront/api.ts';
import { call } from '#src/storefront/call.ts';
import { logError } from '#src/ui/log-error.ts';
import { pageContext } from '#src/storefront/page/page-context.ts';
import { throwRedirect } from '#src/storefront/page/page-responses.ts';
import { Button, ButtonLink } from '#src/ui/button.tsx';
import { Field } from '#src/ui/field.tsx';
import { TextArea } from '#src/ui/text-area.tsx';
import { useHydrated } from '#src/ui/use-hydrated.ts';
import styles from './create-page.module.css';
import { TWO_COLUMN_QUERY } from './two-column-query.ts';
import { formatPageTitle } from '#src/storefront/shop-identity.ts';

export const meta: MetaFunction = ({ matches }) => [
  { title: formatPageTitle('Create a ticket', matches) },
  { name: 'description', content: 'Get help with an order, a payment or a product.' },
];

export function loader({ context }: LoaderFunctionArgs) {
  const { visitor } = context.get(pageContext);
  return visitor.user ? null : throwRedirect(`/login?to=${encodeURIComponent('/dashboard/tickets/create')}`);
}

const LABELS: Readonly<Record<TicketField, string>> = {
  title: 'Enter Title',
  theme: 'Theme',
  description: 'Description',
};

const readDraft = (form: FormData): TicketDraft => ({
  title: readField(form, 'title'),
  theme: readField(form, 'theme'),
  description: readField(form, 'description'),
});

const describeRefusal = (error: unknown): string =>
  isApiFailure(error) && error.code === 'too-many-open'
    ? "You can't create more than 2 open tickets"
    : describeFailure(error, { counted: 'tickets' });

/** TKT-01. */
export default function CreateTicketPage() {
  const form = useRef<HTMLFormElement>(null);
  const navigate = useNavigate();
  const isHydrated = useHydrated();
  const [isBusy, setIsBusy] = useState(false);
  const [errors, setErrors] = useState<TicketErrors>({});
  const [failure, setFailure] = useState<string | null>(null);
  // Idempotency key of the current content: a retry after a lost response creates no second ticket.
  const attempt = useRef<{ readonly content: string; readonly key: string } | null>(null);

  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isBusy) return;
    const draft = readDraft(new FormData(event.currentTarget));
    const wrong = checkTicket(draft);
    setErrors(wrong);
    setFailure(null);
    const first = TICKET_FIELDS.find((field) => wrong[field] !== undefined);
    if (first) {
      form.current?.querySelector<HTMLElement>(`[name="${first}"]`)?.focus();
      return;
    }
    const content = JSON.stringify(draft);
    if (attempt.current?.content !== content) attempt.current = { content, key: crypto.randomUUID() };
    setIsBusy(true);
    try {
      const { id } = await call('POST /tickets/create', { body: draft }, { idempotencyKey: attempt.current.key });
      const isBesideList = matchMedia(TWO_COLUMN_QUERY).matches;
      await navigate(isBesideList ? `/dashboard/tickets?ticket=${id}` : `/dashboard/tickets/${id}`);
    } catch (error) {
      if (!isRefusal(error)) logError('Creating the ticket failed', error);
      setFailure(describeRefusal(error));
      setIsBusy(false);
    }
  };

  const bind = (name: TicketField) => ({
    name,
    label: LABELS[name],
    message: errors[name],
    required: true,
    // Revalidates fields with an error on each change; other fields only on submit.
    onChange: () => {
      if (errors[name] === undefined || !form.current) return;
      const message = checkTicket(readDraft(new FormData(form.current)))[name];
      setErrors((old) => {
        const rest = { ...old };
        delete rest[name];
        return message === undefined ? rest : { ...rest, [name]: message };
      });
    },
  });
  return (
    <div className={styles.page}>
      <BackLink to="/dashboard" text="Back" />
      <h1>Create a ticket</h1>
      <p className={styles.lead}>
        Describe your question. Include the order number, if any. Never share your wallet’s recovery phrase.
      </p>
      <form ref={form} noValidate className={styles.form} onSubmit={(event) => void submit(event)}>
        {failure !== null && (
          <p role="alert" className={styles.failure}>
            {failure}
          </p>
        )}
        <Field autoComplete="off" {...bind('title')} />
        <Field autoComplete="off" {...bind('theme')} />
        {/* No maxLength: pasted text must not be cut off silently. */}
        <TextArea rows={5} {...bind('description')} />
        <div className={styles.end}>
          <Button type="submit" isBusy={isBusy} disabled={!isHydrated}>
            Create ticket
          </Button>
          <ButtonLink to="/dashboard" variant="secondary">
            Cancel
          </ButtonLink>
        </div>
      </form>
    </div>
  );
}
