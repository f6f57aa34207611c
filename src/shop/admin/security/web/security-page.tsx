import { useState } from 'react';
import type { LoaderFunctionArgs, MetaFunction } from 'react-router';
import { useLoaderData } from 'react-router';
import type { WireResponse } from '#src/shop/codecs.ts';
import type { secondFactorApi } from '#src/shop/accounts/second-factor/contract.ts';
import { call } from '#src/storefront/call.ts';
import { Moment } from '#src/storefront/moment.tsx';
import { reloadPage } from '#src/storefront/reload-page.ts';
import { formatPageTitle } from '#src/storefront/shop-identity.ts';
import { ButtonLink } from '#src/ui/controls/button.tsx';
import { Section } from '#src/ui/layout/section.tsx';
import { ErrorState } from '#src/ui/feedback/states.tsx';
import { AdminFrame } from '../../kit/admin-frame.tsx';
import { requireStaff } from '../../kit/staff-page.ts';
import { useMayUse } from '../../kit/use-may-use.ts';
import { SettingsDocument } from '../../settings/web/settings-document.tsx';
import { SETTINGS_PAGES } from '../../settings/web/settings-pages.ts';
import { isBackOfficeOpen, mayUse } from '#src/shop/permissions.ts';
import { ConfirmedAction } from '../../kit/confirmed-action.tsx';
import { pageContext } from '#src/storefront/page/page-context.ts';
import { describeDone } from './describe-done.ts';
import { FactorDialog } from './factor-dialog.tsx';
import { NewPassword } from './new-password.tsx';
import { Passkeys } from './passkeys.tsx';
import { PendingChange } from './pending-change.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import { SetUp } from './set-up.tsx';

interface ShownCodes {
  readonly codes: readonly string[];
  readonly validFrom: string | null;
}
const NO_CODES: ShownCodes = { codes: [], validFrom: null };
type ShowCodes = (codes: readonly string[], validFrom?: string | null) => void;

type State = WireResponse<(typeof secondFactorApi)['GET /second-factor']>;

export const meta: MetaFunction = ({ matches }) => [
  { title: formatPageTitle('Security · Back office', matches) },
  { name: 'description', content: 'The second factors of your account.' },
];

export async function loader(args: LoaderFunctionArgs) {
  const read = requireStaff(args, '/admin/security', null);
  const { user } = args.context.get(pageContext).visitor;
  if (user?.lacksLongPassword === true) return { state: null, lacksPasswordOf: user.id, settings: null };
  const maySeeSettings = user !== null && isBackOfficeOpen(user) && mayUse(user.role, 'settings');
  const [state, settings] = await Promise.all([
    read('GET /second-factor').catch(() => null),
    maySeeSettings ? read('GET /shop/settings').catch(() => null) : null,
  ]);
  return { state, lacksPasswordOf: null, settings };
}

/** OPS-17: the visitor's own second factors, after a password that is long enough. */
export default function SecurityPage() {
  const { state, lacksPasswordOf, settings } = useLoaderData<typeof loader>();
  const mayChange = useMayUse('settings-changes');
  const [codes, setCodes] = useState<ShownCodes>(NO_CODES);
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
  const isWaiting = state.pending_change !== null;
  const showCodes: ShowCodes = (created, validFrom = null) => setCodes({ codes: created, validFrom });
  return (
    <AdminFrame title="Security" isClosed={state.is_required && !isOn}>
      {codes.codes.length > 0 && <RecoveryCodes {...codes} onStored={() => setCodes(NO_CODES)} />}
      {state.pending_change && <PendingChange change={state.pending_change} />}
      <Section title="Two-step login" surface="outlined">
        <p className="muted measure">{describeState(state, isOn)}</p>
        {isOn && (
          <div>
            <ButtonLink to="/admin" variant="secondary">
              Open the back office
            </ButtonLink>
          </div>
        )}
      </Section>
      <Passkeys
        passkeys={state.passkeys}
        lastMeaning={hasApp ? null : describeLast(state.is_required)}
        isWaiting={isWaiting}
        onCodes={showCodes}
      />
      <AuthenticatorApp state={state} isWaiting={isWaiting} onCodes={showCodes} />
      {isOn && <NewRecoveryCodes left={state.recovery_codes_left} isWaiting={isWaiting} onCodes={showCodes} />}
      {settings !== null && <SettingsDocument page={SETTINGS_PAGES.security} stored={settings} mayChange={mayChange} />}
      <FactorDialog hasApp={hasApp} hasPasskey={state.passkeys.length > 0} />
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
  /** A change is waiting: none can be made. */
  readonly isWaiting: boolean;
  /** Called with new recovery codes. */
  readonly onCodes: ShowCodes;
}

function AuthenticatorApp({ state, isWaiting, onCodes }: PartProps & { readonly state: State }) {
  const { confirmed_at: since, passkeys, is_required: isRequired } = state;
  return (
    <Section title="Authenticator app" surface="outlined">
      {since === null ? (
        <>
          <p className="muted measure">An app on your phone shows a code that you enter at each login.</p>
          {!isWaiting && <SetUp onCodes={onCodes} />}
        </>
      ) : (
        <>
          <p className="muted measure">
            On since <Moment at={since} shows="moment" />.
          </p>
          {!isWaiting && (
            <ConfirmedAction
              button="Turn off"
              isDestructive
              question="Turn off the authenticator app?"
              meaning={<p>{passkeys.length > 0 ? 'You then log in with a passkey.' : describeLast(isRequired)}</p>}
              confirm="Turn off"
              done={describeDone('The authenticator app is off')}
              onConfirm={async () => {
                const removed = await call('POST /second-factor/remove', { body: {} });
                onCodes([]);
                return removed;
              }}
            />
          )}
        </>
      )}
    </Section>
  );
}

function NewRecoveryCodes({ left, isWaiting, onCodes }: PartProps & { readonly left: number }) {
  return (
    <Section title="Recovery codes" surface="outlined">
      <p className="muted measure">
        Each logs you in once without your passkey or app. {left === 1 ? '1 recovery code' : `${left} recovery codes`}{' '}
        left.{left < 3 && <span> Create new ones before you run out.</span>}
      </p>
      {!isWaiting && (
        <ConfirmedAction
          button="Create recovery codes"
          question="Create new recovery codes?"
          meaning={<p>The present codes stop working.</p>}
          confirm="Create recovery codes"
          done={describeDone('New recovery codes were created')}
          onConfirm={async () => {
            const created = await call('POST /second-factor/recovery-codes', { body: {} });
            onCodes(created.recovery_codes, created.takes_effect_at);
            return created;
          }}
        />
      )}
    </Section>
  );
}
