import { useState } from 'react';
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from 'react-router';
import { data, Link, redirect, useActionData, useLoaderData } from 'react-router';
import { readField } from '#src/ui/form/read-field.ts';
import { checkMessage } from '../check-message.ts';
import { isRefusal } from '#src/storefront/api.ts';
import { describePage } from '#src/storefront/page/describe-page.ts';
import { useLegalTexts } from '#src/storefront/layout/legal-link.tsx';
import { TextPage } from '#src/storefront/layout/text-page.tsx';
import { pageContext } from '#src/storefront/page/page-context.ts';
import { ContactForm } from './contact-form.tsx';
import styles from './contact-page.module.css';
import { createContactJsonLd } from './describe-contact.ts';
import { readDraft, toFailure } from './message-form.ts';
import { Company } from './company.tsx';
import type { FormFailure } from '#src/ui/form/use-form.ts';
import { MessageSent } from './message-sent.tsx';
import { formatPageTitle } from '#src/storefront/shop-identity.ts';

export const meta: MetaFunction = ({ matches }) => [
  { title: formatPageTitle('Contact Us', matches) },
  { name: 'description', content: 'Ask about a product or an order. We reply by email.' },
];

export async function loader({ context, request }: LoaderFunctionArgs) {
  const { origin, searchParams } = new URL(request.url);
  const page = context.get(pageContext);
  const shop = await page.call('GET /shop');
  describePage(page, { jsonLd: [createContactJsonLd(origin, shop)] });
  return { isSent: searchParams.has('sent'), shop };
}

/** Handles a submission without JavaScript. */
export async function action({ context, request }: ActionFunctionArgs) {
  const form = await request.formData();
  const draft = readDraft(form);
  const toResponse = (refused: FormFailure, status: number) => data({ draft, refused }, { status });
  const problems = checkMessage(draft);
  if (Object.keys(problems).length > 0) return toResponse({ text: null, problems }, 400);
  try {
    await context.get(pageContext).call('POST /contact', { body: { ...draft, subject: readField(form, 'subject') } });
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return toResponse(toFailure(error), error.status);
  }
  return redirect('/contact?sent', 303);
}

export default function ContactPage() {
  const hasReturns = useLegalTexts().includes('Returns');
  const loaded = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>();
  const [isSent, setIsSent] = useState(loaded.isSent);
  return (
    <TextPage title="Contact Us" lead="Questions about a product or an order? Send us a message.">
      <div className={styles.columns}>
        {isSent ? (
          <MessageSent isNew={!loaded.isSent} onMore={() => setIsSent(false)} />
        ) : (
          <ContactForm draft={result?.draft ?? null} refused={result?.refused ?? null} onSent={() => setIsSent(true)} />
        )}
        <div className={styles.aside}>
          <section>
            <h2>Response time</h2>
            <p>We reply by email.</p>
          </section>
          <section>
            <h2>About an order</h2>
            <p>
              Include the order number from your <Link to="/dashboard">profile</Link>. Never share your wallet’s
              recovery phrase or private key.
            </p>
          </section>
          <Company shop={loaded.shop} />
          <section>
            <h2>Find answers</h2>
            <ul>
              <li>
                <Link to="/how-to-buy">How to buy with bitcoin</Link>
              </li>
              <li>
                <Link to="/free-shipping">Shipping and delivery</Link>
              </li>
              {hasReturns && (
                <li>
                  <Link to="/returns">Returns and refunds</Link>
                </li>
              )}
            </ul>
          </section>
        </div>
      </div>
    </TextPage>
  );
}
