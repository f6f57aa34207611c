import type { LoaderFunctionArgs, MetaFunction } from 'react-router';
import { Form, useLoaderData } from 'react-router';
import type { DemoMail } from '../contract.ts';
import { Moment } from '#src/storefront/moment.tsx';
import { pageContext } from '#src/storefront/page/page-context.ts';
import { throwNotFound } from '#src/storefront/page/page-responses.ts';
import { Button } from '#src/ui/controls/button.tsx';
import { Field } from '#src/ui/fields/field.tsx';
import { Icon } from '#src/ui/graphics/icons.tsx';
import { EmptyState } from '#src/ui/feedback/states.tsx';
import { splitLinks } from '#src/ui/text/split-links.ts';
import frame from './developer-page.module.css';
import { Unbroken } from '#src/ui/text/unbroken.tsx';
import styles from './mail-page.module.css';
import { formatPageTitle } from '#src/storefront/shop-identity.ts';

export const meta: MetaFunction = ({ matches }) => [
  { title: formatPageTitle('Mailbox', matches) },
  { name: 'description', content: 'The mails that the demo shop has sent.' },
];

export async function loader({ context, request }: LoaderFunctionArgs) {
  const { call, isDemo } = context.get(pageContext);
  if (!isDemo) return throwNotFound();
  const to = new URL(request.url).searchParams.get('to')?.trim().slice(0, 254) ?? '';
  const mails = await call('GET /dev/mail', { query: to === '' ? {} : { to } });
  return { to, mails };
}

export default function MailPage() {
  const { to, mails } = useLoaderData<typeof loader>();
  return (
    <div className={frame.page}>
      <div className={frame.head}>
        <h1>Mailbox</h1>
        <p>All mails of this demo, newest first. If SMTP_URL is set, they are also sent.</p>
      </div>
      <Form method="get" className={styles.search}>
        <Field
          key={to}
          label="To"
          name="to"
          defaultValue={to}
          autoComplete="off"
          spellCheck={false}
          inputMode="email"
          hint="Leave empty to see all mails."
        />
        <Button type="submit" variant="secondary">
          Show
        </Button>
      </Form>
      {mails.length === 0 ? (
        <EmptyState title={to === '' ? 'No mail yet' : `No mail to ${to}`}>
          Place an order to receive the first mail within a few seconds.
        </EmptyState>
      ) : (
        <ul className={styles.mails}>
          {mails.map((mail, index) => (
            <li key={mail.id}>
              <Mail mail={mail} isOpen={index === 0} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** Only the newest mail is open at first. */
function Mail({ mail, isOpen }: { readonly mail: DemoMail; readonly isOpen: boolean }) {
  return (
    <details className={styles.mail} open={isOpen}>
      <summary>
        <span className={styles.subject}>
          <span>
            <Unbroken text={mail.subject} />
          </span>
          <Icon name="chevronDown" size={20} />
        </span>
        <span className={styles.muted}>{mail.to}</span>
        <span className={styles.muted}>
          <Moment at={mail.created_at} shows="moment" />
        </span>
      </summary>
      <div className={styles.body}>
        <p className={styles.text}>
          {splitLinks(mail.text).map(({ at, text, isLink }) =>
            isLink ? (
              <a key={at} href={text}>
                {text}
              </a>
            ) : (
              text
            ),
          )}
        </p>
        {mail.attachments.length > 0 && (
          <p className={styles.muted}>
            Attached when it was sent, not kept here: <span translate="no">{mail.attachments.join(', ')}</span>
          </p>
        )}
        <p className={styles.asHtml}>
          <a href={`/dev/mail/${mail.id}`} target="_blank" rel="noreferrer">
            View as HTML
          </a>
        </p>
      </div>
    </details>
  );
}
