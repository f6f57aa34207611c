import type { LoaderFunctionArgs, MetaFunction } from 'react-router';
import { useLoaderData, useRevalidator } from 'react-router';
import { call } from '#src/storefront/call.ts';
import { pageContext } from '#src/storefront/page/page-context.ts';
import { formatPageTitle } from '#src/storefront/shop-identity.ts';
import type { ShippingSettingsBody } from '#src/shop/shipping/contract.ts';
import { ErrorState } from '#src/ui/states.tsx';
import { FormFrame } from '../../content/web/form-frame.tsx';
import styles from '../../content/web/content-forms.module.css';
import { AdminFrame } from '../../web/admin-frame.tsx';
import { requireStaff } from '../../web/staff-page.ts';
import { useVersionedForm } from '../../web/use-versioned-form.ts';
import { readShippingFields, toShippingFields } from '../shipping-form.ts';
import { ShippingFieldset } from './shipping-fieldset.tsx';

export const meta: MetaFunction = ({ matches }) => [
  { title: formatPageTitle('Shipping · Back office', matches) },
  { name: 'description', content: 'Countries that the shop delivers to, and shipping prices by zone.' },
];

export async function loader(args: LoaderFunctionArgs) {
  const read = requireStaff(args, '/admin/shipping');
  const isOwner = args.context.get(pageContext).visitor.user?.role === 'owner';
  return { settings: await read('GET /shipping/settings').catch(() => null), isOwner };
}

/** OPS-15: shipping settings. Staff read them, owners change them. */
export default function ShippingPage() {
  const { settings, isOwner } = useLoaderData<typeof loader>();
  const { revalidate } = useRevalidator();
  return (
    <AdminFrame title="Shipping">
      <p className={styles.muted}>
        {isOwner ? '' : 'Only owners can change shipping. '}
        The zone that names a country applies to it. A country in no zone is not delivered to, unless a zone is for all
        other countries. Orders already placed keep their price.
      </p>
      {settings === null ? (
        <ErrorState title="The shipping settings could not be loaded." onRetry={() => void revalidate()} />
      ) : isOwner ? (
        <ShippingForm settings={settings} />
      ) : (
        <ShippingFieldset fields={toShippingFields(settings)} isReadOnly />
      )}
    </AdminFrame>
  );
}

function ShippingForm({ settings: { version, ...settings } }: { readonly settings: ShippingSettingsBody }) {
  const { place, fields, change, messageOf, frame } = useVersionedForm({
    name: 'shipping',
    stored: { version, value: toShippingFields(settings) },
    read: readShippingFields,
    save: (body) => call('PUT /shipping/settings', { body }),
    saved: 'Shipping saved',
  });
  return (
    <div ref={place}>
      <FormFrame {...frame} save="Save shipping">
        <ShippingFieldset fields={fields} messageOf={messageOf} onChange={(part) => change({ ...fields, ...part })} />
      </FormFrame>
    </div>
  );
}
