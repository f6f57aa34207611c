import type { ImportProblem } from '#src/shop/catalogue/imports/contract.ts';
import { Table } from '#src/ui/display/table.tsx';
import styles from './import-page.module.css';

/** Errors and notices by line, column and product. */
export function ProblemTable({ problems }: { readonly problems: readonly ImportProblem[] }) {
  return (
    <Table label="Errors and notices" className="small">
      <thead>
        <tr>
          <th scope="col">Line</th>
          <th scope="col">Column</th>
          <th scope="col">Kind</th>
          <th scope="col">Problem</th>
          <th scope="col">Product</th>
        </tr>
      </thead>
      <tbody>
        {problems.map(({ severity, line, column, product, message }, at) => (
          // oxlint-disable-next-line react/no-array-index-key -- a line can have the same problem twice
          <tr key={`${line} ${at}`}>
            <td>{line}</td>
            <td>{column ?? 'Whole line'}</td>
            <td className={severity === 'error' ? 'danger' : undefined}>{severity === 'error' ? 'Error' : 'Notice'}</td>
            <td className={styles.long}>{message}.</td>
            <td className={styles.handle}>{product ?? (column === null ? 'The file' : '–')}</td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
