import { classNames } from '#src/ui/styles/class-names.ts';
import { Icon } from '#src/ui/graphics/icons.tsx';
import styles from './catalogue.module.css';

interface OrderButtonsProps {
  /** What is moved: 'Move Blue up'. */
  readonly name: string;
  readonly index: number;
  readonly length: number;
  readonly isDisabled?: boolean;
  readonly onMove: (by: number) => void;
  /** Without it there is no button to remove the item. */
  readonly onRemove?: () => void;
}

/** Moves an item of a list up or down, and removes it. */
export function OrderButtons({ name, index, length, isDisabled = false, onMove, onRemove }: OrderButtonsProps) {
  return (
    <span className={styles.icons}>
      <button
        type="button"
        className={classNames(styles.icon, styles.up)}
        aria-label={`Move ${name} up`}
        disabled={isDisabled || index === 0}
        onClick={() => onMove(-1)}
      >
        <Icon name="chevronLeft" />
      </button>
      <button
        type="button"
        className={classNames(styles.icon, styles.down)}
        aria-label={`Move ${name} down`}
        disabled={isDisabled || index === length - 1}
        onClick={() => onMove(1)}
      >
        <Icon name="chevronLeft" />
      </button>
      {onRemove && (
        <button
          type="button"
          className={styles.icon}
          aria-label={`Remove ${name}`}
          disabled={isDisabled}
          onClick={onRemove}
        >
          <Icon name="trash" />
        </button>
      )}
    </span>
  );
}
