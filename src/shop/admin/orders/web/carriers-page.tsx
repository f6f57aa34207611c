import type { LoaderFunctionArgs, MetaFunction } from 'react-router';
import { useLoaderData } from 'react-router';
import type { Carrier } from '#src/shop/orders/fulfilment/contract.ts';
import { call } from '#src/storefront/call.ts';
import { reloadPage } from '#src/storefront/reload-page.ts';
import { useMayUse } from '../../kit/use-may-use.ts';
import { formatPageTitle } from '#src/storefront/shop-identity.ts';
import { Field } from '#src/ui/fields/field.tsx';
import { Lines } from '#src/ui/layout/lines.ts';
import { Stack } from '#src/ui/layout/stack.ts';
import { Section } from '#src/ui/layout/section.tsx';
import { EmptyState, ErrorState } from '#src/ui/feedback/states.tsx';
import { AdminFrame } from '../../kit/admin-frame.tsx';
import { ConfirmedAction } from '../../kit/confirmed-action.tsx';
import { DirectAction } from '../../kit/direct-action.tsx';
import { DocumentActions, DocumentForm } from '../../kit/document/document-form.tsx';
import { useDocument } from '../../kit/document/use-document.ts';
import { readText } from '../../kit/form-text.ts';
import { requireStaff } from '../../kit/staff-page.ts';
import styles from './carriers.module.css';

export const meta: MetaFunction = ({ matches }) => [
  { title: formatPageTitle('Carriers · Back office', matches) },
  { name: 'description', content: 'Carriers and the addresses of their tracking pages.' },
];

export async function loader(args: LoaderFunctionArgs) {
  const read = requireStaff(args, '/admin/carriers', 'shipping');
  const listed = await read('GET /carriers').catch(() => null);
  return { carriers: listed?.carriers ?? null };
}

const NAME = { label: 'Name', name: 'name', required: true, maxLength: 60, autoComplete: 'off' } as const;
const URL_PATTERN = {
  label: 'Address of the tracking page (optional)',
  name: 'url_pattern',
  maxLength: 300,
  autoComplete: 'off',
  spellCheck: false,
  hint: 'With https:// and {number}, such as https://carrier.example/track/{number}',
} as const;

const readCarrier = (data: FormData) => ({ name: readText(data, 'name'), url_pattern: readText(data, 'url_pattern') });

/** OPS-13: carriers with the pattern of their tracking links. Owners change them. */
export default function CarriersPage() {
  const { carriers } = useLoaderData<typeof loader>();
  const mayChange = useMayUse('settings-changes');
  return (
    <AdminFrame title="Carriers">
      <p className="muted small measure">
        The tracking link of a parcel is the address of its carrier with the tracking reference in place of
        {' {number}'}. Parcels that are already shipped keep their link.
      </p>
      {carriers === null && <ErrorState title="The carriers could not be loaded." onRetry={() => void reloadPage()} />}
      {carriers?.length === 0 && <EmptyState title="There are no carriers yet." />}
      {carriers !== null && carriers.length > 0 && (
        <Lines isFramed>
          {carriers.map((carrier) => (
            <Stack as="li" key={carrier.id} gap={8}>
              <div className="wrap-anywhere">
                <h2>{carrier.name}</h2>
                <p className="muted small measure">
                  {carrier.url_pattern === '' ? 'No tracking link' : carrier.url_pattern}
                </p>
              </div>
              {mayChange && <CarrierActions carrier={carrier} />}
            </Stack>
          ))}
        </Lines>
      )}
      {mayChange ? (
        <Section title="Add a carrier" className={styles.form}>
          <DirectAction
            button="Add carrier"
            done="Carrier added"
            onSubmit={(data) => call('POST /carriers', { body: readCarrier(data) })}
          >
            <Field {...NAME} />
            <Field {...URL_PATTERN} />
          </DirectAction>
        </Section>
      ) : (
        <p className="muted small measure">Only owners can change carriers.</p>
      )}
    </AdminFrame>
  );
}

const toStored = ({ name, url_pattern }: Carrier) => ({ version: null, value: { name, url_pattern } });

function CarrierActions({ carrier }: { readonly carrier: Carrier }) {
  const params = { id: carrier.id };
  const { value, set, messageOf, state } = useDocument({
    name: `carrier_${carrier.id}`,
    what: 'this carrier',
    stored: toStored(carrier),
    read: ({ name, url_pattern }) => ({ ok: true, body: { name: name.trim(), url_pattern: url_pattern.trim() } }),
    send: async (body) => toStored((await call('PUT /carriers/{id}', { params, body })).carrier),
    saved: 'Carrier saved',
  });
  return (
    <details>
      <summary className="link" aria-label={`Edit ${carrier.name}`}>
        Edit
      </summary>
      <Stack gap={12} className={styles.form}>
        <DocumentForm document={state} isInList actions={<DocumentActions document={state} save="Save" isQuiet />}>
          <Field
            {...NAME}
            value={value.name}
            message={messageOf('name')}
            onChange={(event) => set({ name: event.currentTarget.value })}
          />
          <Field
            {...URL_PATTERN}
            value={value.url_pattern}
            message={messageOf('url_pattern')}
            onChange={(event) => set({ url_pattern: event.currentTarget.value })}
          />
        </DocumentForm>
        <ConfirmedAction
          button="Delete"
          isDestructive
          question={`Delete ${carrier.name}?`}
          meaning={<p>It can no longer be chosen. Parcels that are already shipped keep its name and link.</p>}
          confirm="Delete"
          done="Carrier deleted"
          onConfirm={() => call('DELETE /carriers/{id}', { params })}
        />
      </Stack>
    </details>
  );
}
