import type { ImportProblem } from '#src/shop/catalogue/imports/contract.ts';
import styles from './import-page.module.css';

/** Errors and notices by line, column and product. */
export function ProblemTable({ problems }: { readonly problems: readonly ImportProblem[] }) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- wide tables scroll by keyboard
    <section className={styles.scroll} aria-label="Errors and notices" tabIndex={0}>
      <table className={styles.table}>
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
              <td className={styles.number}>{line}</td>
              <td>{column ?? 'Whole line'}</td>
              <td className={severity === 'error' ? styles.error : undefined}>
                {severity === 'error' ? 'Error' : 'Notice'}
              </td>
              <td className={styles.long}>{message}.</td>
              <td className={styles.handle}>{product ?? (column === null ? 'The file' : '–')}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
