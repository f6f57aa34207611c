import { useState } from 'react';
import type { LoaderFunctionArgs, MetaFunction } from 'react-router';
import { useLoaderData, useRevalidator } from 'react-router';
import type { WireResponse } from '#src/shop/codecs.ts';
import type { secondFactorApi } from '#src/shop/accounts/second-factor/contract.ts';
import { call } from '#src/storefront/call.ts';
import { Moment } from '#src/storefront/moment.tsx';
import { formatPageTitle } from '#src/storefront/shop-identity.ts';
import { ButtonLink } from '#src/ui/button.tsx';
import { ErrorState } from '#src/ui/states.tsx';
import { AdminFrame } from '../../web/admin-frame.tsx';
import actionStyles from '../../web/actions.module.css';
import { requireStaff } from '../../web/staff-page.ts';
import { CodeAction } from './code-action.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import { SetUp } from './set-up.tsx';

type State = WireResponse<(typeof secondFactorApi)['GET /second-factor']>;

export const meta: MetaFunction = ({ matches }) => [
  { title: formatPageTitle('Security · Back office', matches) },
  { name: 'description', content: 'The second factor of your account.' },
];

export async function loader(args: LoaderFunctionArgs) {
  const read = requireStaff(args, '/admin/security', null);
  return { state: await read('GET /second-factor').catch(() => null) };
}

/** OPS-17: the visitor's own second factor. */
export default function SecurityPage() {
  const { state } = useLoaderData<typeof loader>();
  const { revalidate } = useRevalidator();
  const [codes, setCodes] = useState<readonly string[]>([]);
  return (
    <AdminFrame title="Security" isClosed={state !== null && state.is_required && state.confirmed_at === null}>
      {codes.length > 0 && <RecoveryCodes codes={codes} onStored={() => setCodes([])} />}
      <section className={actionStyles.actions} aria-labelledby="factor-title">
        <h2 id="factor-title">Two-step login</h2>
        {state === null ? (
          <ErrorState title="The state could not be loaded." onRetry={() => void revalidate()} />
        ) : (
          <TwoStepLogin state={state} onCodes={setCodes} />
        )}
      </section>
    </AdminFrame>
  );
}

interface TwoStepLoginProps {
  readonly state: State;
  /** Called with new recovery codes. */
  readonly onCodes: (codes: readonly string[]) => void;
}

function TwoStepLogin({ state, onCodes }: TwoStepLoginProps) {
  const { confirmed_at: since, recovery_codes_left: left, is_required: isRequired } = state;
  if (since === null) {
    return (
      <>
        <p className={actionStyles.muted}>
          {isRequired
            ? 'The back office opens once you have set up an authenticator app. At each login it shows a code that you enter after your password.'
            : 'Off. With an authenticator app, a stolen password is not enough to log in.'}
        </p>
        <SetUp onCodes={onCodes} />
      </>
    );
  }
  return (
    <>
      <p className={actionStyles.muted}>
        On since <Moment at={since} shows="moment" />. {left === 1 ? '1 recovery code' : `${left} recovery codes`} left.
        {left < 3 && ' Create new ones before you run out.'}
      </p>
      <div>
        <ButtonLink to="/admin" variant="secondary">
          Open the back office
        </ButtonLink>
      </div>
      <CodeAction
        button="Create recovery codes"
        question="Create new recovery codes?"
        meaning="The present codes stop working."
        done="New recovery codes were created"
        onConfirm={async (code) => {
          const { recovery_codes: created } = await call('POST /second-factor/recovery-codes', { body: { code } });
          onCodes(created);
        }}
      />
      <CodeAction
        button="Turn off"
        isDestructive
        question="Turn off two-step login?"
        meaning={
          isRequired
            ? 'The back office closes until you set up an authenticator app again.'
            : 'A password is then enough to log in.'
        }
        done="Two-step login is off"
        onConfirm={async (code) => {
          await call('POST /second-factor/remove', { body: { code } });
          onCodes([]);
        }}
      />
    </>
  );
}
