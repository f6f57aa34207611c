import { useState } from 'react';
import type { LoaderFunctionArgs, MetaFunction } from 'react-router';
import { useLoaderData } from 'react-router';
import type { StructureCategory } from '#src/shop/catalogue/editing/contract.ts';
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
import { useDocument } from '../../kit/document/use-document.ts';
import { requireStaff } from '../../kit/staff-page.ts';
import { moveItem } from '../move-item.ts';
import { countUses, toProperties, toPropertyForm } from '../property-form.ts';
import styles from './catalogue.module.css';
import { NamedForm, NewNamedForm } from './named-form.tsx';
import { OrderButtons } from './order-buttons.tsx';
import { PropertyList } from './property-list.tsx';
import { useOrder } from './use-order.ts';

export const meta: MetaFunction = ({ matches }) => [{ title: formatPageTitle('Categories · Back office', matches) }];

export async function loader(args: LoaderFunctionArgs) {
  const read = requireStaff(args, '/admin/categories', 'catalogue');
  const structure = await read('GET /catalogue/structure').catch(() => null);
  return { categories: structure?.categories ?? null };
}

/** OPS-02: categories with their properties and values. */
export default function CategoriesPage() {
  const { categories } = useLoaderData<typeof loader>();
  const sorting = useOrder((ids) => call('PUT /catalogue/category-order', { body: { ids } }));
  return (
    <AdminFrame title="Categories">
      {categories === null && (
        <ErrorState title="The categories could not be loaded." onRetry={() => void reloadPage()} />
      )}
      {categories?.length === 0 && (
        <p className="muted small measure">
          There are no categories yet. Add one below, then open it to add the properties that customers choose from,
          such as colour and size.
        </p>
      )}
      {categories !== null && categories.length > 0 && (
        <ul>
          {categories.map((category, index) => (
            <li key={category.id} className={styles.item}>
              <Category category={category} />
              <OrderButtons
                name={category.name}
                index={index}
                length={categories.length}
                isDisabled={sorting.isBusy}
                onMove={(by) => void sorting.save(moveItem(categories, index, by).map(({ id }) => id))}
              />
            </li>
          ))}
        </ul>
      )}
      <Section title="Add a category" surface="outlined">
        <NewNamedForm kind="category" onCreate={(body) => call('POST /catalogue/categories', { body })} />
      </Section>
    </AdminFrame>
  );
}

function Category({ category }: { readonly category: StructureCategory }) {
  const [isOpen, setIsOpen] = useState(false);
  const names = category.properties.map(({ name }) => name).join(', ');
  return (
    <Disclosure
      className={styles.details}
      onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}
      summary={
        <>
          <span className="strong">{category.name}</span>
          <span className="muted small measure">
            {formatUse(category.product_count)}
            {names !== '' && <span>{` · ${names}`}</span>}
          </span>
        </>
      }
    >
      {isOpen && <CategoryForm category={category} />}
    </Disclosure>
  );
}

function CategoryForm({ category }: { readonly category: StructureCategory }) {
  const params = { id: category.id };
  const { value, set, state } = useDocument({
    name: `category_${category.id}`,
    what: 'this category',
    stored: {
      version: category.version,
      value: { name: category.name, slug: category.slug, properties: toPropertyForm(category.properties) },
    },
    read: ({ properties: edited, ...fields }) => {
      const { properties, problems } = toProperties(edited);
      return Object.keys(problems).length > 0 ? { ok: false, problems } : { ok: true, body: { ...fields, properties } };
    },
    send: async (body, { version }) => {
      await call('PUT /catalogue/categories/{id}', { params, body: { version, ...body } });
      return null;
    },
    saved: 'Saved',
  });
  return (
    <Stack>
      <NamedForm value={value} onChange={set} document={state} save="Save category">
        <PropertyList
          value={value.properties}
          uses={countUses(category.properties)}
          problems={state.problems}
          onChange={(properties) => set({ properties })}
        />
      </NamedForm>
      {category.product_count === 0 && (
        <ConfirmedAction
          button="Delete category"
          isDestructive
          question={`Delete ${category.name}?`}
          meaning={<p>No product is in this category. Its properties are deleted too.</p>}
          confirm="Delete"
          done="The category was deleted"
          onConfirm={() => call('DELETE /catalogue/categories/{id}', { params })}
        />
      )}
    </Stack>
  );
}
