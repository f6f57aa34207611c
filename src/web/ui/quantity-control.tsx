import { useState } from 'react';
import { Icon } from './icons.tsx';
import styles from './quantity-control.module.css';

interface QuantityControlProps {
  readonly quantity: number;
  readonly maximum?: number;
  /** What there is more or less of, for screen readers. */
  readonly label: string;
  /** Takes the new quantity; 0 removes. */
  readonly onChange: (quantity: number) => void;
  /** It stands in a form that sets the quantity without a script: what is wanted goes along as `quantity`. */
  readonly isInForm?: boolean;
  /** Set where a quantity can be typed: takes what is being typed, null when that is over. */
  readonly onType?: (typed: number | null) => void;
}

export function QuantityControl(props: QuantityControlProps) {
  const { quantity, maximum = 99, label, onChange, isInForm, onType } = props;
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
      {onType ? (
        <TypedQuantity quantity={quantity} maximum={maximum} onChange={onChange} onType={onType} />
      ) : (
        <span aria-live="polite">{quantity}</span>
      )}
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

type TypedQuantityProps = Required<Pick<QuantityControlProps, 'quantity' | 'maximum' | 'onChange' | 'onType'>>;

/** Takes what was typed when the field is left or Enter is pressed: at least 1, at most the maximum. Escape gives up. */
function TypedQuantity({ quantity, maximum, onChange, onType }: TypedQuantityProps) {
  const [draft, setDraft] = useState<string | null>(null);
  const type = (text: string | null) => {
    setDraft(text);
    onType(text === null || text === '' ? null : Number(text));
  };
  const commit = () => {
    const typed = Number(draft ?? 0);
    type(null);
    const wanted = Math.min(typed, Math.max(maximum, 1));
    if (wanted > 0 && wanted !== quantity) onChange(wanted);
  };
  return (
    <>
      <input
        name="typed"
        inputMode="numeric"
        aria-label="Quantity"
        maxLength={2}
        autoComplete="off"
        value={draft ?? String(quantity)}
        onChange={({ currentTarget }) => type(currentTarget.value.replaceAll(/\D/g, ''))}
        onFocus={({ currentTarget }) => currentTarget.select()}
        onBlur={commit}
        onKeyDown={(event) => {
          if (event.key === 'Escape') type(null);
          if (event.key !== 'Enter') return;
          event.preventDefault();
          commit();
        }}
      />
      <span aria-live="polite" className="visually-hidden">
        {quantity}
      </span>
    </>
  );
}
