import type { LoaderFunctionArgs, MetaFunction } from 'react-router';
import { call } from '#src/storefront/call.ts';
import { reloadPage } from '#src/storefront/reload-page.ts';
import { formatPageTitle } from '#src/storefront/shop-identity.ts';
import type { TaxSettingsBody } from '#src/shop/tax/contract.ts';
import { ButtonLink } from '#src/ui/controls/button.tsx';
import { ErrorState } from '#src/ui/feedback/states.tsx';
import { AdminFrame } from '../../kit/admin-frame.tsx';
import { DocumentActions, DocumentForm } from '../../kit/document/document-form.tsx';
import { useDocument } from '../../kit/document/use-document.ts';
import { readRole, requireStaff } from '../../kit/staff-page.ts';
import { mayUse } from '#src/shop/permissions.ts';
import { Section } from '#src/ui/layout/section.tsx';
import { useLiveLoaderData } from '../../kit/use-staff-changes.ts';
import { readTaxFields, toTaxFields } from '../tax-form.ts';
import { TaxFieldset } from './tax-fieldset.tsx';

export const meta: MetaFunction = ({ matches }) => [
  { title: formatPageTitle('Tax · Back office', matches) },
  { name: 'description', content: 'Tax rates by country and class, and how prices contain tax.' },
];

export async function loader(args: LoaderFunctionArgs) {
  const read = requireStaff(args, '/admin/tax', 'settings');
  const mayChange = mayUse(readRole(args), 'settings-changes');
  const [settings, shop] = await Promise.all([
    read('GET /tax/settings').catch(() => null),
    read('GET /shop/settings').catch(() => null),
  ]);
  return { settings, isNumberMissing: shop?.legal.tax_number === '', mayChange };
}

/** OPS-15: tax settings. Staff read them, owners change them. */
export default function TaxPage() {
  const { settings, isNumberMissing, mayChange } = useLiveLoaderData<typeof loader>(['settings']);
  return (
    <AdminFrame title="Tax">
      <p className="muted small measure">
        {mayChange ? '' : <span>Only owners can change tax. </span>}
        <span>Orders already placed keep their tax. Ask your tax adviser which rates apply.</span>
      </p>
      {isNumberMissing && <TaxNumberNotice />}
      {settings === null ? (
        <ErrorState title="The tax settings could not be loaded." onRetry={() => void reloadPage()} />
      ) : (
        <TaxSettings settings={settings} mayChange={mayChange} />
      )}
    </AdminFrame>
  );
}

/** Rates need the number that every invoice with tax prints. */
function TaxNumberNotice() {
  return (
    <Section title="Enter your tax number first" gap={8} surface="soft-small">
      <p>Invoices with tax print it, so rates can’t be saved without it.</p>

      <ButtonLink to="/admin/settings#legal" variant="secondary">
        Enter tax number
      </ButtonLink>
    </Section>
  );
}

function TaxSettings({ settings, mayChange }: { readonly settings: TaxSettingsBody; readonly mayChange: boolean }) {
  if (mayChange) return <TaxForm settings={settings} />;
  return <TaxFieldset fields={toTaxFields(settings)} isReadOnly />;
}

const toStored = ({ version, ...settings }: TaxSettingsBody) => ({ version, value: toTaxFields(settings) });

function TaxForm({ settings }: { readonly settings: TaxSettingsBody }) {
  const { value, set, messageOf, state } = useDocument({
    name: 'tax',
    what: 'these tax settings',
    stored: toStored(settings),
    read: (fields) => {
      const found = readTaxFields(fields);
      return found.ok ? { ok: true, body: found.settings } : found;
    },
    send: async (body, { version }) => toStored(await call('PUT /tax/settings', { body: { ...body, version } })),
    saved: 'Tax saved',
  });
  return (
    <DocumentForm document={state} actions={<DocumentActions document={state} save="Save tax" />}>
      <TaxFieldset fields={value} messageOf={messageOf} onChange={set} />
    </DocumentForm>
  );
}
