import type { LoaderFunctionArgs, MetaFunction } from 'react-router';
import { Link } from 'react-router';
import { formatPageTitle } from '#src/storefront/shop-identity.ts';
import { Moment } from '#src/storefront/moment.tsx';
import { mayUse } from '#src/shop/permissions.ts';
import { rethrowAsNotFound } from '#src/storefront/page/page-responses.ts';
import type { EditedProduct } from '#src/shop/catalogue/editing/contract.ts';
import { BackLink } from '#src/ui/page/back-link.tsx';
import { Row } from '#src/ui/layout/row.ts';
import { Notice } from '#src/ui/display/notice.tsx';
import { ButtonLink } from '#src/ui/controls/button.tsx';
import { AdminFrame } from '../../kit/admin-frame.tsx';
import { PageContents } from '../../kit/page-contents.tsx';
import { readRole, requireStaff } from '../../kit/staff-page.ts';
import { useLiveLoaderData } from '../../kit/use-staff-changes.ts';
import { loadStructure } from './load-structure.ts';
import { ProductActions } from './product-actions.tsx';
import { ProductEditor } from './product-editor.tsx';
import { PRODUCT_SECTIONS } from './product-fields.tsx';
import { ProductPreview } from './product-preview.tsx';
import split from './product-preview.module.css';
import { ProductStateBadges } from './product-state-badges.tsx';
import { SalePrices } from './sale-prices.tsx';
import { usePreview } from './use-preview.ts';

export const meta: MetaFunction<typeof loader> = ({ loaderData, matches }) => [
  { title: formatPageTitle(`${loaderData?.product.content.name ?? 'Product'} · Back office`, matches) },
];

export async function loader(args: LoaderFunctionArgs) {
  const { id = '' } = args.params;
  const call = requireStaff(args, `/admin/products/${id}`, 'catalogue');
  const role = readRole(args);
  const [{ product }, prices, structure, costs, stock] = await Promise.all([
    call('GET /catalogue/products/{id}', { params: { id } }).catch(rethrowAsNotFound),
    call('GET /catalogue/products/{id}/sale-prices', { params: { id } }).catch(rethrowAsNotFound),
    loadStructure(call),
    mayUse(role, 'reports')
      ? call('GET /catalogue/products/{id}/costs', { params: { id } }).catch(rethrowAsNotFound)
      : null,
    mayUse(role, 'stock')
      ? call('GET /inventory/products/{product_id}', { params: { product_id: id } }).catch(rethrowAsNotFound)
      : null,
  ]);
  return { product, prices, structure, costs, stock, soldOut: await countSoldOut(call, product) };
}

const SECTIONS = [
  ...PRODUCT_SECTIONS,
  { id: 'sale-prices', title: 'Sale prices' },
  { id: 'more-actions', title: 'More actions' },
];

const toStockPath = (name: string): string => `/admin/inventory?q=${encodeURIComponent(name)}`;

/** Variants on sale without stock, as far as one page of the inventory shows them. */
async function countSoldOut(call: ReturnType<typeof requireStaff>, product: EditedProduct): Promise<string | null> {
  if (product.live_slug === null) return null;
  const query = { q: product.content.name, show: 'sold_out' } as const;
  const { variants, total } = await call('GET /inventory', { query }).catch(() => ({ variants: [], total: 0 }));
  const count = variants.filter(({ slug }) => slug === product.live_slug).length;
  if (count === 0) return null;
  if (total > variants.length) return `${count} or more variants are`;
  return count === 1 ? '1 variant is' : `${count} variants are`;
}

/** OPS-02, OPS-08: a product with its variants. */
export default function ProductPage() {
  const { product, prices, structure, costs, stock, soldOut } = useLiveLoaderData<typeof loader>(['catalogue']);
  const category = structure.categories.find(({ id }) => id === product.content.category_id) ?? null;
  const preview = usePreview();
  const previewPath = `/admin/products/${product.id}/preview`;
  return (
    <AdminFrame title={product.content.name} beside={<BackLink to="/admin/products" text="Products" />}>
      <Row>
        <ProductStateBadges product={product} />
        <span className="muted small measure">
          Edited <Moment at={product.edited_at} shows="moment" />
          {product.edited_by !== null && <span>{` by ${product.edited_by}`}</span>}
        </span>
        <Link className="link accent" to={previewPath} target="_blank">
          Preview
        </Link>
        {preview.hasRoom && (
          <button type="button" className="link accent" aria-pressed={preview.isShown} onClick={preview.toggle}>
            Preview beside
          </button>
        )}
        <Link className="link accent" to={toStockPath(product.content.name)}>
          Inventory
        </Link>
        {product.live_slug !== null && (
          <Link className="link accent" to={`/catalog/product/${product.live_slug}`} target="_blank">
            View in shop
          </Link>
        )}
      </Row>
      {soldOut !== null && (
        <Notice
          actions={
            <ButtonLink variant="secondary" to={`${toStockPath(product.content.name)}&show=sold_out`}>
              Set stock
            </ButtonLink>
          }
        >
          {soldOut} sold out. Customers cannot order what has no stock.
        </Notice>
      )}
      <div className={split.page} data-preview={preview.isShown}>
        <div className={split.editor}>
          <PageContents sections={SECTIONS} />
          <ProductEditor
            key={product.id}
            product={product}
            categories={structure.categories}
            brands={structure.brands}
            costs={costs}
            stock={stock}
          />
          <SalePrices key={`prices ${product.id}`} productId={product.id} prices={prices} category={category} />
          <ProductActions product={product} />
        </div>
        {preview.isShown && (
          <ProductPreview
            key={product.id}
            path={previewPath}
            name={product.content.name}
            saved={JSON.stringify([product.version, product.state, prices, stock])}
          />
        )}
      </div>
    </AdminFrame>
  );
}
