import { useState } from 'react';
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from 'react-router';
import { data, Link, redirect, useActionData, useLoaderData } from 'react-router';
import { readField } from '#src/shop/accounts/web/read-field.ts';
import { checkMessage, MESSAGE_FIELDS } from '../check-message.ts';
import { isRefusal } from '#src/storefront/api.ts';
import { describePage } from '#src/storefront/page/describe-page.ts';
import { TextPage } from '#src/storefront/layout/text-page.tsx';
import { pageContext } from '#src/storefront/page/page-context.ts';
import { ContactForm } from './contact-form.tsx';
import styles from './contact-page.module.css';
import { createContactJsonLd } from './describe-contact.ts';
import { readDraft, toFailure } from './message-form.ts';
import type { MessageFailure } from './message-form.ts';
import { MessageSent } from './message-sent.tsx';
import { formatPageTitle, SHOP_ADDRESS, SHOP_NAME } from '#src/shop/shop-identity.ts';

export const meta: MetaFunction = () => [
  { title: formatPageTitle('Contact Us') },
  { name: 'description', content: 'Ask us before you buy, or about an order. We answer within one business day.' },
];

export function loader({ context, request }: LoaderFunctionArgs) {
  const { origin, searchParams } = new URL(request.url);
  describePage(context.get(pageContext), { jsonLd: [createContactJsonLd(origin)] });
  return { isSent: searchParams.has('sent') };
}

/** The form as it comes without a script. */
export async function action({ context, request }: ActionFunctionArgs) {
  const form = await request.formData();
  const draft = readDraft(form);
  const refuse = (refused: MessageFailure, status: number) => data({ draft, refused }, { status });
  const faults = checkMessage(draft);
  if (MESSAGE_FIELDS.some((field) => faults[field] !== undefined))
    return refuse({ failure: null, errors: faults }, 400);
  try {
    await context.get(pageContext).call('POST /contact', { body: { ...draft, website: readField(form, 'website') } });
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return refuse(toFailure(error), error.status);
  }
  return redirect('/contact?sent', 303);
}

export default function ContactPage() {
  const loaded = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const [isSent, setIsSent] = useState(loaded.isSent);
  return (
    <TextPage
      title="Contact Us"
      lead="A question before you buy, or about your order? Write to us: a person reads it and answers."
    >
      <div className={styles.columns}>
        {isSent ? (
          <MessageSent isNew={!loaded.isSent} onMore={() => setIsSent(false)} />
        ) : (
          <ContactForm draft={answer?.draft ?? null} refused={answer?.refused ?? null} onSent={() => setIsSent(true)} />
        )}
        <div className={styles.aside}>
          <section>
            <h2>When we answer</h2>
            <p>Within one business day, at the email address that you give.</p>
          </section>
          <section>
            <h2>About an order</h2>
            <p>
              Tell us its number: it stands in your <Link to="/dashboard">profile</Link>. Never send us, or anybody, the
              words of your wallet or a private key.
            </p>
          </section>
          <section>
            <h2>By post</h2>
            <address>
              {SHOP_NAME}
              <br />
              {SHOP_ADDRESS}
            </address>
          </section>
          <section>
            <h2>Perhaps it is here</h2>
            <ul>
              <li>
                <Link to="/how-to-buy">How to buy with bitcoin</Link>
              </li>
              <li>
                <Link to="/free-shipping">When it arrives</Link>
              </li>
              <li>
                <Link to="/returns">Returns and refunds</Link>
              </li>
            </ul>
          </section>
        </div>
      </div>
    </TextPage>
  );
}
