import type { ReactNode } from 'react';
import { Link, useNavigation } from 'react-router';
import { classNames } from '#src/ui/styles/class-names.ts';
import styles from './row-list.module.css';

interface RowListProps {
  readonly className?: string | undefined;
  /** In an order of time, which assistive technology announces. */
  readonly isOrdered?: boolean;
  /** `ListRow`s. */
  readonly children: ReactNode;
}

/** Rows with lines between them. Dimmed while another page or filter loads. */
export function RowList({ className, isOrdered = false, children }: RowListProps) {
  const isLoading = useNavigation().state === 'loading';
  const Tag = isOrdered ? 'ol' : 'ul';
  return (
    <Tag className={classNames(styles.list, className)} aria-busy={isLoading || undefined}>
      {children}
    </Tag>
  );
}

interface ListRowProps {
  /** Its columns. */
  readonly className: string | undefined;
  readonly children: ReactNode;
}

export const ListRow = ({ className, children }: ListRowProps) => (
  <li className={classNames(styles.row, className)}>{children}</li>
);

/** Name of a row's item. Its link covers the whole row. */
export const RowLink = ({ to, children }: { readonly to: string; readonly children: ReactNode }) => (
  <p className={classNames('strong', styles.title)}>
    <Link to={to} className={styles.cover}>
      {children}
    </Link>
  </p>
);
