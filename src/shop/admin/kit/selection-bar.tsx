import type { ReactNode } from 'react';
import { formatNumber } from '#src/shop/format-number.ts';
import { Button } from '#src/ui/controls/button.tsx';
import styles from './selection-bar.module.css';

interface SelectionBarProps {
  readonly count: number;
  readonly onClear: () => void;
  /** What can be done with what is selected. */
  readonly children: ReactNode;
}

/**
 * A bar with what can be done with the selected rows, which stays in view. It is shown while a box of its list is
 * checked, also without a script.
 */
export const SelectionBar = ({ count, onClear, children }: SelectionBarProps) => (
  <fieldset className={styles.bar}>
    <legend className="visually-hidden">Selected</legend>
    <output className={styles.count}>{count > 0 && `${formatNumber(count)} selected`}</output>
    {children}
    <Button type="reset" variant="quaternary" onClick={onClear}>
      Clear
    </Button>
  </fieldset>
);
