import { Icon } from './icons.tsx';
import styles from './quantity-control.module.css';

interface QuantityControlProps {
  readonly quantity: number;
  readonly maximum?: number;
  /** What is counted, for those who cannot see it. */
  readonly label: string;
  /** Called with what is wanted; 0 when one is taken away from one. */
  readonly onChange: (quantity: number) => void;
  /** It stands in a form that sets the quantity without a script: what is wanted goes along as `quantity`. */
  readonly isInForm?: boolean;
}

export function QuantityControl({ quantity, maximum = 99, label, onChange, isInForm }: QuantityControlProps) {
  const field = (wanted: number) => (isInForm ? { name: 'quantity', value: wanted } : {});
  return (
    <fieldset aria-label={`Quantity of ${label}`} className={styles.control}>
      <button
        {...field(quantity - 1)}
        type={isInForm ? 'submit' : 'button'}
        aria-label="Decrease quantity"
        onClick={() => onChange(quantity - 1)}
      >
        <Icon name="minus" size={18} />
      </button>
      <span aria-live="polite">{quantity}</span>
      <button
        {...field(quantity + 1)}
        type={isInForm ? 'submit' : 'button'}
        aria-label="Increase quantity"
        disabled={quantity >= maximum}
        onClick={() => onChange(quantity + 1)}
      >
        <Icon name="plus" size={18} />
      </button>
    </fieldset>
  );
}
