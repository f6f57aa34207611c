import { Icon } from './icons.tsx';
import styles from './quantity-control.module.css';

interface QuantityControlProps {
  readonly quantity: number;
  readonly maximum?: number;
  /** What is counted, for those who cannot see it. */
  readonly label: string;
  /** Called with what is wanted; 0 when one is taken away from one. */
  readonly onChange: (quantity: number) => void;
}

export function QuantityControl({ quantity, maximum = 99, label, onChange }: QuantityControlProps) {
  return (
    <fieldset aria-label={`Quantity of ${label}`} className={styles.control}>
      <button type="button" aria-label="Decrease quantity" onClick={() => onChange(quantity - 1)}>
        <Icon name="minus" size={18} />
      </button>
      <span aria-live="polite">{quantity}</span>
      <button
        type="button"
        aria-label="Increase quantity"
        disabled={quantity >= maximum}
        onClick={() => onChange(quantity + 1)}
      >
        <Icon name="plus" size={18} />
      </button>
    </fieldset>
  );
}
