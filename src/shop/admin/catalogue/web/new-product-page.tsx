import type { LoaderFunctionArgs, MetaFunction } from 'react-router';
import { useLoaderData } from 'react-router';
import { formatPageTitle } from '#src/storefront/shop-identity.ts';
import { BackLink } from '#src/ui/page/back-link.tsx';
import { ButtonLink } from '#src/ui/controls/button.tsx';
import { EmptyState } from '#src/ui/feedback/states.tsx';
import { AdminFrame } from '../../kit/admin-frame.tsx';
import { PageContents } from '../../kit/page-contents.tsx';
import { requireStaff } from '../../kit/staff-page.ts';
import { loadStructure } from './load-structure.ts';
import { ProductEditor } from './product-editor.tsx';
import { PRODUCT_SECTIONS } from './product-fields.tsx';

export const meta: MetaFunction = ({ matches }) => [{ title: formatPageTitle('New product · Back office', matches) }];

export async function loader(args: LoaderFunctionArgs) {
  const call = requireStaff(args, '/admin/products/new', 'catalogue');
  return loadStructure(call);
}

/** OPS-02: a new product. */
export default function NewProductPage() {
  const { categories, brands } = useLoaderData<typeof loader>();
  return (
    <AdminFrame title="New product" beside={<BackLink to="/admin/products" text="Products" />}>
      {categories.length === 0 && (
        <EmptyState
          title="A product needs a category."
          action={<ButtonLink to="/admin/categories">Add a category</ButtonLink>}
        />
      )}
      {categories.length > 0 && brands.length === 0 && (
        <EmptyState title="A product needs a brand." action={<ButtonLink to="/admin/brands">Add a brand</ButtonLink>} />
      )}
      {categories.length > 0 && brands.length > 0 && (
        <>
          <PageContents sections={PRODUCT_SECTIONS} />
          <ProductEditor product={null} categories={categories} brands={brands} costs={null} stock={null} />
        </>
      )}
    </AdminFrame>
  );
}
