import type { LoaderFunctionArgs, MetaFunction } from 'react-router';
import { Link, useLoaderData } from 'react-router';
import elementStyles from '#src/storefront/layout/text-elements.module.css';
import { TextPage } from '#src/storefront/layout/text-page.tsx';
import { LINK_PAGE_HEADERS } from '#src/storefront/page/link-page-headers.ts';
import { pageContext } from '#src/storefront/page/page-context.ts';
import { rethrowAsNotFound } from '#src/storefront/page/page-responses.ts';
import { formatPageTitle } from '#src/storefront/shop-identity.ts';
import { Fact, Facts } from '#src/ui/display/facts.tsx';
import { Section } from '#src/ui/layout/section.tsx';
import { Stack } from '#src/ui/layout/stack.ts';
import { formatStatedAt } from '../format-stated-at.ts';
import { explainOutcome } from '../outcome-messages.ts';
import styles from './withdrawal-page.module.css';

const TITLE = 'We received your withdrawal';

export const meta: MetaFunction = ({ matches }) => [
  { title: formatPageTitle(TITLE, matches) },
  { name: 'description', content: 'The acknowledgement of your withdrawal, with its date and reference.' },
];

export const headers = () => LINK_PAGE_HEADERS;

export async function loader({ context, params: { receipt = '' } }: LoaderFunctionArgs) {
  const { call } = context.get(pageContext);
  const read = await call('POST /withdrawal/receipt', { body: { receipt: receipt.slice(0, 100) } }).catch(
    rethrowAsNotFound,
  );
  const { outcome, reference, stated_at: at, statement, time_zone: timeZone } = read;
  return {
    receipt,
    reference,
    statement: statement.split('\n'),
    // Formatted here: browsers name time zones differently.
    statedAt: formatStatedAt(at, timeZone),
    hasEffect: outcome === null ? null : outcome.problem === null,
    explained:
      outcome &&
      explainOutcome({ ...outcome, refundDueAt: outcome.refund_due_at, lastDay: outcome.last_day, timeZone }),
  };
}

function getTitle(hasEffect: boolean | null): string {
  if (hasEffect === null) return 'We received your statement';
  return hasEffect ? TITLE : 'Your withdrawal has no effect';
}

/** RET-03: the acknowledgement, for whoever has its link. */
export default function ReceiptPage() {
  const { explained, hasEffect, receipt, reference, statedAt, statement } = useLoaderData<typeof loader>();
  return (
    <TextPage
      title={getTitle(hasEffect)}
      lead={hasEffect === false ? 'The reason is below.' : 'Keep this page, its PDF or the mail about it.'}
    >
      <Stack gap={32} className={styles.form}>
        <Facts layout="beside">
          <Fact label="Received">{statedAt}</Fact>
          <Fact label="Reference" translate="no">
            {reference}
          </Fact>
        </Facts>
        <Section title="Your statement" size={24}>
          <Stack gap={8} surface="soft">
            {statement.map((line) => (
              <p key={line} className="multiline">
                {line}
              </p>
            ))}
          </Stack>
          <p>
            <a className="link" href={`/api/withdrawal/${receipt}/pdf`}>
              Download the acknowledgement as PDF
            </a>
          </p>
        </Section>
        <Section title="What happens next" size={24}>
          <div className={elementStyles.elements}>
            {explained === null ? (
              <>
                <p>
                  If the order number and the mail address belong together, we have sent the acknowledgement to that
                  address. It says what the withdrawal covers, and when we refund it.
                </p>
                <p>
                  It comes within a few minutes. If it does not, check number and address: then the statement named no
                  order of ours, and you can <Link to="/withdrawal">make it again</Link> or{' '}
                  <Link to="/contact">write to us</Link> with the reference.
                </p>
              </>
            ) : (
              <>
                {explained.map((text) => (
                  <p key={text}>{text}</p>
                ))}
                <p>We have sent this to the mail address of the order, too.</p>
              </>
            )}
          </div>
        </Section>
      </Stack>
    </TextPage>
  );
}
