import type { LoaderFunctionArgs, MetaFunction } from 'react-router';
import { useNavigate } from 'react-router';
import { BackLink } from '#src/ui/page/back-link.tsx';
import { readField } from '#src/ui/form/read-field.ts';
import { describeFailure } from '#src/storefront/forms/describe-failure.ts';
import { useCallForm } from '#src/storefront/forms/use-call-form.ts';
import { useSendOnce } from '#src/storefront/forms/use-send-once.ts';
import { checkTicket } from '../check-ticket.ts';
import type { TicketDraft, TicketField } from '../check-ticket.ts';
import { isApiFailure } from '#src/storefront/api.ts';
import { call } from '#src/storefront/call.ts';
import { pageContext } from '#src/storefront/page/page-context.ts';
import { throwRedirect } from '#src/storefront/page/page-responses.ts';
import { Button, ButtonLink } from '#src/ui/controls/button.tsx';
import { Field } from '#src/ui/fields/field.tsx';
import { TextArea } from '#src/ui/fields/text-area.tsx';
import { useHydrated } from '#src/ui/react/use-hydrated.ts';
import { Notice } from '#src/ui/display/notice.tsx';
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
  const navigate = useNavigate();
  const isHydrated = useHydrated();
  const sendOnce = useSendOnce();
  const { ref, submit, isBusy, failure, bind } = useCallForm({
    log: 'Creating the ticket failed',
    read: (form) => readDraft(new FormData(form)),
    check: checkTicket,
    send: async (draft) => {
      const { id } = await sendOnce(draft, (options) => call('POST /tickets/create', { body: draft }, options));
      const isBesideList = matchMedia(TWO_COLUMN_QUERY).matches;
      await navigate(isBesideList ? `/dashboard/tickets?ticket=${id}` : `/dashboard/tickets/${id}`);
    },
    describe: (error) => ({ text: describeRefusal(error), problems: {} }),
  });
  const bindRequired = (name: TicketField) => ({ ...bind(name), label: LABELS[name], required: true });

  return (
    <div className={styles.page}>
      <BackLink to="/dashboard" text="Back" />
      <h1>Create a ticket</h1>
      <p className="muted">
        Describe your question. Include the order number, if any. Never share your wallet’s recovery phrase.
      </p>
      <form ref={ref} noValidate className={styles.form} onSubmit={submit}>
        {failure !== null && (
          <Notice role="alert" tone="bad" className="strong">
            {failure}
          </Notice>
        )}
        <Field autoComplete="off" {...bindRequired('title')} />
        <Field autoComplete="off" {...bindRequired('theme')} />
        {/* No maxLength: pasted text must not be cut off silently. */}
        <TextArea rows={5} {...bindRequired('description')} />
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
