import { useState } from 'react';
import type { LoaderFunctionArgs, MetaFunction } from 'react-router';
import { useLoaderData } from 'react-router';
import type { WireResponse } from '#src/shop/codecs.ts';
import type { secondFactorApi } from '#src/shop/accounts/second-factor/contract.ts';
import { call } from '#src/storefront/call.ts';
import { Moment } from '#src/storefront/moment.tsx';
import { reloadPage } from '#src/storefront/reload-page.ts';
import { formatPageTitle } from '#src/storefront/shop-identity.ts';
import { ButtonLink } from '#src/ui/button.tsx';
import { ErrorState } from '#src/ui/states.tsx';
import { AdminFrame } from '../../web/admin-frame.tsx';
import actionStyles from '../../web/actions.module.css';
import { requireStaff } from '../../web/staff-page.ts';
import { ConfirmedAction } from '../../web/confirmed-action.tsx';
import { pageContext } from '#src/storefront/page/page-context.ts';
import { CodeAction } from './code-action.tsx';
import { NewPassword } from './new-password.tsx';
import { Passkeys } from './passkeys.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import { SetUp } from './set-up.tsx';

type State = WireResponse<(typeof secondFactorApi)['GET /second-factor']>;

export const meta: MetaFunction = ({ matches }) => [
  { title: formatPageTitle('Security · Back office', matches) },
  { name: 'description', content: 'The second factors of your account.' },
];

export async function loader(args: LoaderFunctionArgs) {
  const read = requireStaff(args, '/admin/security', null);
  const { user } = args.context.get(pageContext).visitor;
  if (user?.lacksLongPassword === true) return { state: null, lacksPasswordOf: user.id };
  return { state: await read('GET /second-factor').catch(() => null), lacksPasswordOf: null };
}

/** OPS-17: the visitor's own second factors, after a password that is long enough. */
export default function SecurityPage() {
  const { state, lacksPasswordOf } = useLoaderData<typeof loader>();
  const [codes, setCodes] = useState<readonly string[]>([]);
  if (lacksPasswordOf !== null) {
    return (
      <AdminFrame title="Security" isClosed>
        <NewPassword userId={lacksPasswordOf} />
      </AdminFrame>
    );
  }
  if (state === null) {
    return (
      <AdminFrame title="Security">
        <ErrorState title="The state could not be loaded." onRetry={() => void reloadPage()} />
      </AdminFrame>
    );
  }
  const hasApp = state.confirmed_at !== null;
  const isOn = hasApp || state.passkeys.length > 0;
  return (
    <AdminFrame title="Security" isClosed={state.is_required && !isOn}>
      {codes.length > 0 && <RecoveryCodes codes={codes} onStored={() => setCodes([])} />}
      <section className={actionStyles.actions} aria-labelledby="factor-title">
        <h2 id="factor-title">Two-step login</h2>
        <p className={actionStyles.muted}>{describeState(state, isOn)}</p>
        {isOn && (
          <div>
            <ButtonLink to="/admin" variant="secondary">
              Open the back office
            </ButtonLink>
          </div>
        )}
      </section>
      <Passkeys
        passkeys={state.passkeys}
        lastMeaning={hasApp ? null : describeLast(state.is_required)}
        onCodes={setCodes}
      />
      <AuthenticatorApp state={state} onCodes={setCodes} />
      {isOn && <NewRecoveryCodes left={state.recovery_codes_left} hasApp={hasApp} onCodes={setCodes} />}
    </AdminFrame>
  );
}

function describeState({ is_required: isRequired }: State, isOn: boolean): string {
  if (isOn) return 'On. At each login you use a passkey or enter a code after your password.';
  return isRequired
    ? 'The back office opens once you have added a passkey or set up an authenticator app. You use it at each login, after your password.'
    : 'Off. With a passkey or an authenticator app, a stolen password is not enough to log in.';
}

const describeLast = (isRequired: boolean): string =>
  isRequired
    ? 'It is your only second factor. The back office closes until you add another one, and your recovery codes stop working.'
    : 'It is your only second factor. A password is then enough to log in, and your recovery codes stop working.';

interface PartProps {
  readonly state: State;
  /** Called with new recovery codes. */
  readonly onCodes: (codes: readonly string[]) => void;
}

function AuthenticatorApp({ state, onCodes }: PartProps) {
  const { confirmed_at: since, passkeys, is_required: isRequired } = state;
  return (
    <section className={actionStyles.actions} aria-labelledby="app-title">
      <h2 id="app-title">Authenticator app</h2>
      {since === null ? (
        <>
          <p className={actionStyles.muted}>An app on your phone shows a code that you enter at each login.</p>
          <SetUp onCodes={onCodes} />
        </>
      ) : (
        <>
          <p className={actionStyles.muted}>
            On since <Moment at={since} shows="moment" />.
          </p>
          <CodeAction
            button="Turn off"
            isDestructive
            question="Turn off the authenticator app?"
            meaning={passkeys.length > 0 ? 'You then log in with a passkey.' : describeLast(isRequired)}
            done="The authenticator app is off"
            onConfirm={async (code) => {
              await call('POST /second-factor/remove', { body: { code } });
              onCodes([]);
            }}
          />
        </>
      )}
    </section>
  );
}

interface NewRecoveryCodesProps {
  readonly left: number;
  readonly hasApp: boolean;
  readonly onCodes: (codes: readonly string[]) => void;
}

function NewRecoveryCodes({ left, hasApp, onCodes }: NewRecoveryCodesProps) {
  const texts = {
    button: 'Create recovery codes',
    question: 'Create new recovery codes?',
    done: 'New recovery codes were created',
  };
  const meaning = 'The present codes stop working.';
  const create = async (body: { readonly code?: string }): Promise<void> => {
    const { recovery_codes: created } = await call('POST /second-factor/recovery-codes', { body });
    onCodes(created);
  };
  return (
    <section className={actionStyles.actions} aria-labelledby="codes-title">
      <h2 id="codes-title">Recovery codes</h2>
      <p className={actionStyles.muted}>
        Each logs you in once without your passkey or app. {left === 1 ? '1 recovery code' : `${left} recovery codes`}{' '}
        left.{left < 3 && ' Create new ones before you run out.'}
      </p>
      {hasApp ? (
        <CodeAction {...texts} meaning={meaning} onConfirm={(code) => create({ code })} />
      ) : (
        <ConfirmedAction {...texts} meaning={<p>{meaning}</p>} confirm={texts.button} onConfirm={() => create({})} />
      )}
    </section>
  );
}
