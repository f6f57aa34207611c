import type { ImportedChanges } from '#src/shop/catalogue/imports/contract.ts';
import { formatCounted } from './describe-import.ts';
import styles from './import-page.module.css';

/** Products that an import creates or changes. Their changes open on demand. */
export function ChangeList({ products }: { readonly products: readonly ImportedChanges[] }) {
  return (
    <ul className={styles.list}>
      {products.map((product) => (
        <li key={product.slug} className={styles.product}>
          <details>
            <summary className={styles.summary}>
              <span className={styles.name}>{product.name}</span>
              <span className={styles.muted}>
                Line {product.line}: {product.is_new ? 'new product' : describeChanges(product.changes.length)}
              </span>
            </summary>
            <Changes product={product} />
          </details>
        </li>
      ))}
    </ul>
  );
}

const describeChanges = (count: number): string =>
  count === 0 ? 'missing combinations are added' : formatCounted(count, 'change', 'changes');

const describeVariant = (variant: string | null): string => (variant ?? 'Product') || 'Only variant';

const Value = ({ text }: { readonly text: string | null }) =>
  text === null || text === '' ? <span className={styles.muted}>none</span> : text;

function Changes({ product: { name, is_new: isNew, changes } }: { readonly product: ImportedChanges }) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- wide tables scroll by keyboard
    <section className={styles.scroll} aria-label={`Changes of ${name}`} tabIndex={0}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">Variant</th>
            <th scope="col">Field</th>
            {!isNew && <th scope="col">Before</th>}
            <th scope="col">{isNew ? 'Value' : 'After'}</th>
          </tr>
        </thead>
        <tbody>
          {changes.map(({ variant, field, before, after }) => (
            <tr key={`${variant ?? ''} ${field}`}>
              <td>{describeVariant(variant)}</td>
              <td>{field}</td>
              {!isNew && (
                <td className={styles.long}>
                  <Value text={before} />
                </td>
              )}
              <td className={styles.long}>
                <Value text={after} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
