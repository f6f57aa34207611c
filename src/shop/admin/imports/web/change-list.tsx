import type { ImportedChanges } from '#src/shop/catalogue/imports/contract.ts';
import { Lines } from '#src/ui/layout/lines.ts';
import { Disclosure } from '#src/ui/display/disclosure.tsx';
import { Table } from '#src/ui/display/table.tsx';
import { formatCounted } from './describe-import.ts';
import styles from './import-page.module.css';

/** Products that an import creates or changes. Their changes open on demand. */
export function ChangeList({ products }: { readonly products: readonly ImportedChanges[] }) {
  return (
    <Lines gap={8} isFramed>
      {products.map((product) => (
        <li key={product.slug}>
          <Disclosure
            summary={
              <>
                <span className="strong wrap-anywhere">{product.name}</span>
                <span className="muted small">
                  Line {product.line}: {product.is_new ? 'new product' : describeChanges(product.changes.length)}
                </span>
              </>
            }
          >
            <Changes product={product} />
          </Disclosure>
        </li>
      ))}
    </Lines>
  );
}

const describeChanges = (count: number): string =>
  count === 0 ? 'missing combinations are added' : formatCounted(count, 'change', 'changes');

const describeVariant = (variant: string | null): string => (variant ?? 'Product') || 'Only variant';

const Value = ({ text }: { readonly text: string | null }) =>
  text === null || text === '' ? <span className="muted small">none</span> : text;

function Changes({ product: { name, is_new: isNew, changes } }: { readonly product: ImportedChanges }) {
  return (
    <Table label={`Changes of ${name}`} className="small">
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
    </Table>
  );
}
