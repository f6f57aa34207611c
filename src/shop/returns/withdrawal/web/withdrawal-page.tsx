import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from 'react-router';
import { Link, useActionData, useLoaderData } from 'react-router';
import elementStyles from '#src/storefront/layout/text-elements.module.css';
import { TextPage } from '#src/storefront/layout/text-page.tsx';
import { LINK_PAGE_HEADERS } from '#src/storefront/page/link-page-headers.ts';
import { pageContext } from '#src/storefront/page/page-context.ts';
import { rethrowAsNotFound, throwNotFound, throwRedirect } from '#src/storefront/page/page-responses.ts';
import { formatPageTitle } from '#src/storefront/shop-identity.ts';
import { Button } from '#src/ui/controls/button.tsx';
import { FormActions } from '#src/ui/layout/form-actions.tsx';
import { Notice } from '#src/ui/display/notice.tsx';
import { Section } from '#src/ui/layout/section.tsx';
import { Stack } from '#src/ui/layout/stack.ts';
import { explainProblem, formatShopDay } from '../outcome-messages.ts';
import { readKnownOrder } from './read-known-order.ts';
import { submitWithdrawal } from './submit-withdrawal.ts';
import { WithdrawalFields } from './withdrawal-fields.tsx';
import { listDraftFields } from './withdrawal-form.ts';
import type { WithdrawalDraft } from './withdrawal-form.ts';
import styles from './withdrawal-page.module.css';

const TITLE = 'Withdraw from contract';

export const meta: MetaFunction = ({ matches }) => [
  { title: formatPageTitle(TITLE, matches) },
  { name: 'description', content: 'Withdraw from a purchase within 14 days of the delivery.' },
];

export const headers = () => LINK_PAGE_HEADERS;

export async function loader({ context, params, request }: LoaderFunctionArgs) {
  const { call, visitor } = context.get(pageContext);
  const known = readKnownOrder(params, request);
  const { pathname, search, searchParams } = new URL(request.url);
  if (known !== null && 'order_id' in known && !visitor.user)
    return throwRedirect(`/login?to=${encodeURIComponent(`${pathname}${search}`)}`);
  const shop = await call('GET /shop');
  if (!shop.sells_to_eu_consumers) return throwNotFound();
  const order = known === null ? null : await call('POST /withdrawal/read', { body: known }).catch(rethrowAsNotFound);
  return { order, isLinkSent: searchParams.has('sent') };
}

export const action = (args: ActionFunctionArgs) => submitWithdrawal(args);

/** RET-01: both steps of a withdrawal (2011/83/EU, article 11a). Plain forms, so that it works without JavaScript. */
export default function WithdrawalPage() {
  const { order, isLinkSent } = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>();
  if (result?.toConfirm) return <Confirm draft={result.draft} {...result.toConfirm} />;
  return (
    <TextPage
      title={TITLE}
      lead="You can withdraw from a purchase within 14 days of the delivery, and at any time before it. You need no reason."
    >
      <Stack gap={32} className={styles.form}>
        {isLinkSent && (
          <Notice className={elementStyles.elements}>
            <p>
              If the order number and the mail address belong together, we have sent the link to that address. It comes
              within a few minutes. If it does not, check both, or <Link to="/contact">write to us</Link>.
            </p>
          </Notice>
        )}
        {order === null || order.problem === null ? (
          <>
            {order !== null && order.last_day !== null && (
              <p className="muted">The last day of the period is {formatShopDay(order.last_day)}.</p>
            )}
            <WithdrawalFields order={order} draft={result?.draft ?? null} refused={result?.refused ?? null} />
          </>
        ) : (
          <Section title={`Order ${order.order_number}`}>
            <p>{explainProblem(order.problem, order.last_day)}</p>
            <p>
              <Link className="link" to="/contact">
                Write to us
              </Link>
            </p>
          </Section>
        )}
      </Stack>
    </TextPage>
  );
}

interface ConfirmProps {
  readonly draft: WithdrawalDraft;
  readonly statement: string;
  readonly formKey: string;
}

/** The second step: the text, and the button that the law names. */
function Confirm({ draft, statement, formKey }: ConfirmProps) {
  return (
    <TextPage title="Confirm your withdrawal" lead="Read your statement. It takes effect when you confirm it.">
      <form method="post" className={styles.form}>
        <Stack gap={24}>
          {listDraftFields(draft).map(([name, value]) => (
            <input key={name} type="hidden" name={name} value={value} />
          ))}
          <input type="hidden" name="key" value={formKey} />
          <Stack gap={8} surface="soft">
            {statement.split('\n').map((line) => (
              <p key={line} className="multiline">
                {line}
              </p>
            ))}
          </Stack>
          <FormActions>
            <Button type="submit" name="step" value="confirm">
              Confirm withdrawal
            </Button>
            <Button type="submit" name="step" value="edit" variant="secondary">
              Change it
            </Button>
          </FormActions>
        </Stack>
      </form>
    </TextPage>
  );
}
