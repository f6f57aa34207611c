import type { LoaderFunctionArgs, MetaFunction } from 'react-router';
import { Link } from 'react-router';
import { call } from '#src/storefront/call.ts';
import { reloadPage } from '#src/storefront/reload-page.ts';
import { formatPageTitle } from '#src/storefront/shop-identity.ts';
import { LEGAL_TITLES } from '#src/shop/content/legal/legal-kind.ts';
import type { ShippingSettingsBody } from '#src/shop/shipping/contract.ts';
import { Row } from '#src/ui/layout/row.ts';
import { ErrorState } from '#src/ui/feedback/states.tsx';
import { AdminFrame } from '../../kit/admin-frame.tsx';
import { DocumentActions, DocumentForm } from '../../kit/document/document-form.tsx';
import { useDocument } from '../../kit/document/use-document.ts';
import { readRole, requireStaff } from '../../kit/staff-page.ts';
import { mayUse } from '#src/shop/permissions.ts';
import { Section } from '#src/ui/layout/section.tsx';
import { useLiveLoaderData } from '../../kit/use-staff-changes.ts';
import { findFreeShippingTexts, listPricedZones } from '../free-shipping-texts.ts';
import { readShippingFields, toShippingFields } from '../shipping-form.ts';
import { ShippingFieldset } from './shipping-fieldset.tsx';

export const meta: MetaFunction = ({ matches }) => [
  { title: formatPageTitle('Delivery · Back office', matches) },
  { name: 'description', content: 'Countries that the shop delivers to, and shipping prices by zone.' },
];

export async function loader(args: LoaderFunctionArgs) {
  const read = requireStaff(args, '/admin/shipping', 'settings');
  const mayChange = mayUse(readRole(args), 'settings-changes');
  const settings = await read('GET /shipping/settings').catch(() => null);
  const pricedZones = listPricedZones(settings?.zones ?? []);
  const promises = pricedZones.length === 0 ? [] : await findPromises(read).catch(() => []);
  return { settings, mayChange, pricedZones, promises };
}

/** Public texts that promise free shipping. Texts about delivery are replaced while a zone has a price. */
async function findPromises(read: ReturnType<typeof requireStaff>) {
  const [home, faq, guide, shop, { kinds }] = await Promise.all([
    read('GET /home'),
    read('GET /faq'),
    read('GET /guide'),
    read('GET /shop'),
    read('GET /legal'),
  ]);
  const legal = await Promise.all(
    kinds.map(async (kind) => ({
      name: LEGAL_TITLES[kind],
      to: `/admin/content?part=${kind}`,
      content: await read('GET /legal/{kind}', { params: { kind } }),
    })),
  );
  const found = findFreeShippingTexts([
    { name: 'Home page', to: '/admin/content?part=home', content: home },
    { name: 'FAQ', to: '/admin/content?part=faq', content: faq },
    { name: 'How to buy', to: '/admin/content?part=guide', content: guide },
    { name: 'Announcement', to: '/admin/settings/texts', content: shop.announcement },
    { name: 'Delivery line', to: '/admin/settings#identity', content: shop.delivery_line },
    ...legal,
  ]);
  return found.map(({ name, to }) => ({ name, to }));
}

/** OPS-15: shipping settings. Staff read them, owners change them. */
export default function ShippingPage() {
  const { settings, mayChange, pricedZones, promises } = useLiveLoaderData<typeof loader>(['settings']);
  return (
    <AdminFrame title="Delivery">
      <p className="muted small measure">
        {mayChange ? '' : <span>Only owners can change shipping. </span>}
        <span>
          The zone that names a country applies to it. A country in no zone is not delivered to, unless a zone is for
          all other countries. Orders already placed keep their price.
        </span>
      </p>
      {promises.length > 0 && <FreeShippingNotice zones={pricedZones} texts={promises} />}
      {settings === null ? (
        <ErrorState title="The shipping settings could not be loaded." onRetry={() => void reloadPage()} />
      ) : (
        <ShippingSettings settings={settings} mayChange={mayChange} />
      )}
    </AdminFrame>
  );
}

interface FreeShippingNoticeProps {
  readonly zones: readonly string[];
  readonly texts: readonly { readonly name: string; readonly to: string }[];
}

/** Warns of texts that visitors see and that the prices contradict. */
function FreeShippingNotice({ zones, texts }: FreeShippingNoticeProps) {
  return (
    <Section title="Texts promise free shipping" gap={8} surface="soft-small">
      <p>
        Shipping has a price in {zones.length === 1 ? `the zone ${zones[0]}` : `the zones ${zones.join(', ')}`}. Change
        these texts, or make shipping free:
      </p>
      <Row as="ul" gap={16} rowGap={4}>
        {texts.map(({ name, to }) => (
          <li key={to}>
            <Link to={to} className="link">
              {name}
            </Link>
          </li>
        ))}
      </Row>
    </Section>
  );
}

function ShippingSettings({
  settings,
  mayChange,
}: {
  readonly settings: ShippingSettingsBody;
  readonly mayChange: boolean;
}) {
  if (mayChange) return <ShippingForm settings={settings} />;
  return <ShippingFieldset fields={toShippingFields(settings)} isReadOnly />;
}

const toStored = ({ version, ...settings }: ShippingSettingsBody) => ({ version, value: toShippingFields(settings) });

function ShippingForm({ settings }: { readonly settings: ShippingSettingsBody }) {
  const { value, set, messageOf, state } = useDocument({
    name: 'shipping',
    what: 'these shipping settings',
    stored: toStored(settings),
    read: (fields) => {
      const found = readShippingFields(fields);
      return found.ok ? { ok: true, body: found.settings } : found;
    },
    send: async (body, { version }) => toStored(await call('PUT /shipping/settings', { body: { ...body, version } })),
    saved: 'Shipping saved',
  });
  return (
    <DocumentForm document={state} actions={<DocumentActions document={state} save="Save shipping" />}>
      <ShippingFieldset fields={value} messageOf={messageOf} onChange={set} />
    </DocumentForm>
  );
}
