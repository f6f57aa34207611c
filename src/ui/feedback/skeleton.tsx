import { classNames } from '../styles/class-names.ts';
import styles from './skeleton.module.css';

interface SkeletonProps {
  readonly shape?: 'text' | 'heading' | 'block' | 'card';
  /** Number of lines. */
  readonly count?: number;
}

/** Placeholder while content loads; it appears only after a short delay. */
export function Skeleton({ shape = 'text', count = 1 }: SkeletonProps) {
  return (
    <div className={styles.group} aria-hidden="true">
      {Array.from({ length: count }, (_, index) => (
        <div key={`skeleton-${index}`} className={classNames(styles.skeleton, styles[shape])} />
      ))}
    </div>
  );
}
