import styles from './list-title.module.css';

interface ListTitleProps {
  readonly text: string;
  /** Null: not loaded. */
  readonly count: number | string | null;
}

/** A title with the number of what it lists. */
export const ListTitle = ({ text, count }: ListTitleProps) => (
  <>
    {text} {count !== null && <span className={styles.count}>{count}</span>}
  </>
);
