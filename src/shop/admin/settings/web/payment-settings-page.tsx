import type { LoaderFunctionArgs, MetaFunction } from 'react-router';
import { mayUse } from '#src/shop/permissions.ts';
import { ButtonLink } from '#src/ui/controls/button.tsx';
import { Section } from '#src/ui/layout/section.tsx';
import { useRole } from '../../kit/use-may-use.ts';
import { formatPageTitle } from '#src/storefront/shop-identity.ts';
import { useLiveLoaderData } from '../../kit/use-staff-changes.ts';
import { loadSettings } from './load-settings.ts';
import { SettingsFrame } from './settings-frame.tsx';
import { SETTINGS_PAGES } from './settings-pages.ts';

const PAGE = SETTINGS_PAGES.payments;

export const meta: MetaFunction = ({ matches }) => [
  { title: formatPageTitle(`${PAGE.title} · Back office`, matches) },
  { name: 'description', content: 'Refunds and late payments, and where payments arrive.' },
];

export const loader = (args: LoaderFunctionArgs) => loadSettings(args, PAGE.path);

/** OPS-07: refunds and late payments. */
export default function PaymentSettingsPage() {
  const data = useLiveLoaderData<typeof loader>(['settings']);
  const mayRead = mayUse(useRole(), 'payments');
  return (
    <SettingsFrame page={PAGE} {...data}>
      {mayRead && (
        <Section title="Where payments arrive" surface="outlined">
          <p className="muted measure">
            Each order has an address of its own, from the public key in BITCOIN_XPUB. The shop has no key that could
            spend: check with a first, small order that its address is one of your wallet.
          </p>
          <ButtonLink to="/admin/chain" variant="secondary">
            See the chain
          </ButtonLink>
        </Section>
      )}
    </SettingsFrame>
  );
}
