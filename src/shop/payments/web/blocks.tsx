import styles from './blocks.module.css';
import { StatusIcon } from './status-icon.tsx';

/** More are shown as a bar. */
const MOST_BLOCKS = 8;

interface BlocksProps {
  readonly have: number;
  readonly need: number;
  readonly isSmall?: boolean;
}

/** Confirmations as a chain of blocks: those that arrived, the next one, and those still needed. */
export function Blocks({ have, need, isSmall = false }: BlocksProps) {
  const isChain = need <= MOST_BLOCKS;
  return (
    <div className={styles.blocks} data-small={isSmall || undefined}>
      <progress
        className={isChain ? 'visually-hidden' : styles.bar}
        max={need}
        value={have}
        aria-label="Confirmations"
      />
      {isChain &&
        Array.from({ length: need }, (_, index) => (
          <span key={index} className={styles.block} data-state={getState(index, have)} aria-hidden="true">
            {index < have && <StatusIcon name="check" size={isSmall ? 16 : 28} />}
          </span>
        ))}
    </div>
  );
}

function getState(index: number, have: number): 'arrived' | 'next' | 'ahead' {
  if (index < have) return 'arrived';
  return index === have ? 'next' : 'ahead';
}
