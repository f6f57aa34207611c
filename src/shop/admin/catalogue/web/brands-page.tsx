import type { LoaderFunctionArgs, MetaFunction } from 'react-router';
import { useLoaderData } from 'react-router';
import type { StructureBrand } from '#src/shop/catalogue/editing/contract.ts';
import { formatUse } from '#src/shop/catalogue/editing/structure-edit.ts';
import { formatPageTitle } from '#src/storefront/shop-identity.ts';
import { call } from '#src/storefront/call.ts';
import { reloadPage } from '#src/storefront/reload-page.ts';
import { Section } from '#src/ui/layout/section.tsx';
import { Stack } from '#src/ui/layout/stack.ts';
import { ErrorState } from '#src/ui/feedback/states.tsx';
import { Disclosure } from '#src/ui/display/disclosure.tsx';
import { AdminFrame } from '../../kit/admin-frame.tsx';
import { ConfirmedAction } from '../../kit/confirmed-action.tsx';
import { readAsIs, useDocument } from '../../kit/document/use-document.ts';
import { requireStaff } from '../../kit/staff-page.ts';
import { moveItem } from '../move-item.ts';
import styles from './catalogue.module.css';
import { NamedForm, NewNamedForm } from './named-form.tsx';
import type { NamedFields } from './named-form.tsx';
import { OrderButtons } from './order-buttons.tsx';
import { SafetyFields } from './safety-fields.tsx';
import { useOrder } from './use-order.ts';

export const meta: MetaFunction = ({ matches }) => [{ title: formatPageTitle('Brands · Back office', matches) }];

export async function loader(args: LoaderFunctionArgs) {
  const read = requireStaff(args, '/admin/brands', 'catalogue');
  const structure = await read('GET /catalogue/structure').catch(() => null);
  return { brands: structure?.brands ?? null };
}

/** OPS-02: brands in the order of the filters. */
export default function BrandsPage() {
  const { brands } = useLoaderData<typeof loader>();
  const sorting = useOrder((ids) => call('PUT /catalogue/brand-order', { body: { ids } }));
  return (
    <AdminFrame title="Brands">
      {brands === null && <ErrorState title="The brands could not be loaded." onRetry={() => void reloadPage()} />}
      {brands?.length === 0 && (
        <p className="muted small measure">
          There are no brands yet. Every product has one: its maker, or your own name.
        </p>
      )}
      {brands !== null && brands.length > 0 && (
        <ul>
          {brands.map((brand, index) => (
            <li key={brand.id} className={styles.item}>
              <Brand brand={brand} />
              <OrderButtons
                name={brand.name}
                index={index}
                length={brands.length}
                isDisabled={sorting.isBusy}
                onMove={(by) => void sorting.save(moveItem(brands, index, by).map(({ id }) => id))}
              />
            </li>
          ))}
        </ul>
      )}
      <Section title="Add a brand" surface="outlined">
        <NewNamedForm kind="brand" onCreate={(body) => call('POST /catalogue/brands', { body })} />
      </Section>
    </AdminFrame>
  );
}

interface BrandFields extends NamedFields {
  readonly safety: StructureBrand['safety'];
}

function Brand({ brand }: { readonly brand: StructureBrand }) {
  const params = { id: brand.id };
  const { value, set, state } = useDocument({
    name: `brand_${brand.id}`,
    what: 'this brand',
    stored: { version: brand.version, value: { name: brand.name, slug: brand.slug, safety: brand.safety } },
    read: readAsIs<BrandFields>,
    send: async (fields, { version }) => {
      await call('PUT /catalogue/brands/{id}', { params, body: { version, ...fields } });
      return null;
    },
    saved: 'Saved',
  });
  return (
    <Disclosure
      className={styles.details}
      summary={
        <>
          <span className="strong">{brand.name}</span>
          <span className="muted small measure">{formatUse(brand.product_count)}</span>
        </>
      }
    >
      <Stack>
        <NamedForm value={value} onChange={set} document={state} save="Save brand">
          <SafetyFields
            text="Shown on the page of each product of this brand. A product can have its own."
            value={value.safety}
            problems={state.problems}
            onChange={(safety) => set({ safety })}
          />
        </NamedForm>
        {brand.product_count === 0 && (
          <ConfirmedAction
            button="Delete brand"
            isDestructive
            question={`Delete ${brand.name}?`}
            meaning={<p>No product has this brand.</p>}
            confirm="Delete"
            done="The brand was deleted"
            onConfirm={() => call('DELETE /catalogue/brands/{id}', { params })}
          />
        )}
      </Stack>
    </Disclosure>
  );
}
