import type { MouseEvent, ReactNode } from 'react';
import { Icon } from '../graphics/icons.tsx';
import styles from './quantity-control.module.css';

interface QuantityControlProps {
  readonly quantity: number;
  readonly maximum?: number;
  /** Name of the product, for screen readers. */
  readonly label: string;
  /** Called with the new quantity; 0 removes. */
  readonly onChange: (quantity: number) => void;
  /** Inside a form that works without a script: submits `quantity`. */
  readonly isInForm?: boolean;
  /** Replaces the number. */
  readonly children?: ReactNode;
}

export function QuantityControl({ quantity, maximum = 99, label, onChange, isInForm, children }: QuantityControlProps) {
  const createFieldProps = (next: number) => (isInForm ? { name: 'quantity', value: next } : {});
  const press = (event: MouseEvent, next: number) => {
    // Browsers log the submission of a form that its own button removed.
    event.preventDefault();
    onChange(next);
  };
  return (
    <fieldset aria-label={`Quantity of ${label}`} className={styles.control}>
      <button
        {...createFieldProps(quantity - 1)}
        type={isInForm ? 'submit' : 'button'}
        aria-label="Decrease quantity"
        onClick={(event) => press(event, quantity - 1)}
      >
        <Icon name="minus" size={18} />
      </button>
      {children ?? <span aria-live="polite">{quantity}</span>}
      <button
        {...createFieldProps(quantity + 1)}
        type={isInForm ? 'submit' : 'button'}
        aria-label="Increase quantity"
        disabled={quantity >= maximum}
        onClick={(event) => press(event, quantity + 1)}
      >
        <Icon name="plus" size={18} />
      </button>
    </fieldset>
  );
}
