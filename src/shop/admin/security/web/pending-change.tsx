import type { WireResponse } from '#src/shop/codecs.ts';
import { Section } from '#src/ui/layout/section.tsx';
import type { secondFactorApi } from '#src/shop/accounts/second-factor/contract.ts';
import type { FactorChangeKind } from '#src/shop/accounts/factor-change.ts';
import { call } from '#src/storefront/call.ts';
import { Moment } from '#src/storefront/moment.tsx';
import { ConfirmedAction } from '../../kit/confirmed-action.tsx';

type Change = NonNullable<WireResponse<(typeof secondFactorApi)['GET /second-factor']>['pending_change']>;

const MEANINGS: Readonly<Record<FactorChangeKind, (passkey: string) => string>> = {
  'add-app': () => 'An authenticator app is added',
  'remove-app': () => 'The authenticator app is removed',
  'add-passkey': (passkey) => `The passkey ${passkey} is added`,
  'remove-passkey': (passkey) => `The passkey ${passkey} is removed`,
  'replace-recovery-codes': () => 'New recovery codes replace the present ones',
};

/** OPS-17: a change that a recovery code authorised and that waits for a day. */
export function PendingChange({ change }: { readonly change: Change }) {
  const { kind, passkey_name: passkey, requested_at: requestedAt, takes_effect_at: takesEffectAt } = change;
  return (
    <Section title="A change is waiting" surface="outlined">
      <p>
        {MEANINGS[kind](passkey ?? '')} on <Moment at={takesEffectAt} shows="moment" />.
      </p>
      <p className="muted measure">
        Requested on <Moment at={requestedAt} shows="moment" /> with a recovery code. Until then your second factors
        stay as they are. To change them otherwise, cancel this change first. Was it not you? Cancel it and reset your
        password.
      </p>
      <ConfirmedAction
        button="Cancel the change"
        question="Cancel the change?"
        meaning={<p>Your second factors stay as they are. The recovery code stays used.</p>}
        confirm="Cancel the change"
        done="The change was cancelled"
        onConfirm={() => call('DELETE /second-factor/pending-change')}
      />
    </Section>
  );
}
