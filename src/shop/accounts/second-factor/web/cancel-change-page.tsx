import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from 'react-router';
import { Link, useActionData, useLoaderData } from 'react-router';
import { confirmByLink, isConfirmed } from '../../web/confirm-by-link.ts';
import { ConfirmForm } from '../../web/confirm-form.tsx';
import type { ConfirmOutcome } from '../../web/confirm-form.tsx';
import { LINK_PAGE_HEADERS } from '#src/storefront/page/link-page-headers.ts';
import { pageContext } from '#src/storefront/page/page-context.ts';
import { formatPageTitle } from '#src/storefront/shop-identity.ts';

const TITLE = 'Cancel the change of your second factors';

export const meta: MetaFunction = ({ matches }) => [
  { title: formatPageTitle(TITLE, matches) },
  { name: 'description', content: 'Cancel a change of your second factors that waits for a day.' },
];

export const headers = () => LINK_PAGE_HEADERS;

export const loader = ({ params: { token } }: LoaderFunctionArgs) => ({ isDone: isConfirmed(token) });

export function action({ context, params }: ActionFunctionArgs) {
  const { call } = context.get(pageContext);
  return confirmByLink(
    (token) => call('POST /second-factor/cancel-change', { body: { token } }),
    '/cancel-second-factor-change',
    params.token,
  );
}

const DONE: ConfirmOutcome = {
  title: 'The change was cancelled',
  lead: 'Your second factors stay as they are. If you did not request the change, somebody knows your password.',
  next: { to: '/lost-password', text: 'Reset your password' },
};
const INVALID: ConfirmOutcome = {
  title: 'This link is no longer valid',
  lead: 'The change was cancelled already, or has taken effect. Log in to see your second factors.',
  next: { to: '/admin/security', text: 'Go to your second factors' },
};

/** OPS-17: cancels a change from its mail, without a login. */
export default function CancelChangePage() {
  const { isDone } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  const unless = refused?.status === 400 ? INVALID : null;
  return (
    <ConfirmForm
      title={TITLE}
      lead="It was requested with your password and a recovery code. Once cancelled, your second factors stay as they are."
      button="Cancel the change"
      outcome={isDone ? DONE : unless}
      isRateLimited={refused !== undefined}
      footer={
        <>
          Was it you? Do nothing, and it takes effect. <Link to="/admin/security">Your second factors</Link>
        </>
      }
    />
  );
}
