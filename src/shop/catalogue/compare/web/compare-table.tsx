import { Link } from 'react-router';
import { ButtonLink } from '#src/ui/controls/button.tsx';
import { Checkbox } from '#src/ui/fields/checkbox.tsx';
import { Icon } from '#src/ui/graphics/icons.tsx';
import { Picture } from '#src/ui/graphics/picture.tsx';
import { ProductPrice } from '#src/storefront/products/product-price.tsx';
import { formatCardPath } from '#src/storefront/products/card-product.ts';
import type { CardProduct } from '#src/storefront/products/card-product.ts';
import { formatCompareUrl } from '../compare-url.ts';
import type { ComparedRow } from '../compare-specifications.ts';
import styles from './compare-table.module.css';
import { Unbroken } from '#src/ui/text/unbroken.tsx';

interface CompareTableProps {
  readonly products: readonly CardProduct[];
  readonly rows: readonly ComparedRow[];
}

/** Products side by side, below their names and prices, which stay in view. Scrolls sideways if they do not fit. */
export function CompareTable({ products, rows }: CompareTableProps) {
  const formatUrlWithout = (product: CardProduct) =>
    formatCompareUrl(products.filter(({ id }) => id !== product.id).map(({ slug }) => slug));
  const hasSame = products.length > 1 && rows.some(({ isDifferent }) => !isDifferent);
  return (
    <div className={styles.comparison}>
      {hasSame && (
        <div className={styles.only}>
          <Checkbox autoComplete="off">Show only differences</Checkbox>
        </div>
      )}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrollable content must be reachable by keyboard */}
      <section aria-label="Comparison" tabIndex={0} className={styles.scroll}>
        <table className={styles.table} data-columns={products.length}>
          <thead>
            <tr>
              <CornerCell name="Picture" />
              {products.map((product) => (
                <td key={product.id}>
                  <Picture path={product.main_image} alt="" sizes="(max-width: 767px) 30vw, 240px" />
                </td>
              ))}
            </tr>
            <tr>
              <CornerCell name="Name and price" />
              {products.map((product) => (
                <ColumnHead key={product.id} product={product} />
              ))}
            </tr>
            <tr>
              <CornerCell name="Actions" />
              {products.map((product) => (
                <td key={product.id}>
                  <ButtonLink to={formatCardPath(product)} width="full" aria-label={`View ${product.name}`}>
                    View
                  </ButtonLink>
                  <Link
                    to={formatUrlWithout(product)}
                    preventScrollReset
                    className={styles.remove}
                    aria-label={`Remove ${product.name} from the comparison`}
                  >
                    <Icon name="close" size={16} />
                    Remove
                  </Link>
                </td>
              ))}
            </tr>
          </thead>
          {rows.map(({ name, values, isDifferent }) => {
            const isMarked = isDifferent && products.length > 1;
            return (
              <tbody key={name} data-different={isMarked || undefined}>
                <tr>
                  <th scope="row" className="muted small">
                    {name}
                    {isMarked && <span className="visually-hidden">Differs</span>}
                  </th>
                  {values.map((value, index) => (
                    <td key={products[index]?.id}>
                      {value !== null && value !== undefined ? (
                        <Unbroken text={value} />
                      ) : (
                        <>
                          <span aria-hidden="true">–</span>
                          <span className="visually-hidden">Not specified</span>
                        </>
                      )}
                    </td>
                  ))}
                </tr>
              </tbody>
            );
          })}
        </table>
      </section>
    </div>
  );
}

/** Above the labels. */
const CornerCell = ({ name }: { readonly name: string }) => (
  <td className={styles.corner}>
    <span className="visually-hidden">{name}</span>
  </td>
);

const ColumnHead = ({ product }: { readonly product: CardProduct }) => (
  <th scope="col">
    <Link to={formatCardPath(product)} className={styles.name}>
      <Unbroken text={product.name} />
    </Link>
    {product.variant?.name && <p>{product.variant.name}</p>}
    <ProductPrice product={product} />
    {product.is_sold_out && <p>Sold out</p>}
  </th>
);
