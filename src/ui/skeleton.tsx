import { classNames } from './class-names.ts';
import styles from './skeleton.module.css';

interface SkeletonProps {
  readonly shape?: 'text' | 'heading' | 'block' | 'card';
  /** How many, one beneath the other. */
  readonly count?: number;
}

/** Stands in the box of what is still to come; it appears only when that takes longer than a moment. */
export function Skeleton({ shape = 'text', count = 1 }: SkeletonProps) {
  return (
    <div className={styles.group} aria-hidden="true">
      {Array.from({ length: count }, (_, index) => (
        <div key={`skeleton-${index}`} className={classNames(styles.skeleton, styles[shape])} />
      ))}
    </div>
  );
}
