import { useState } from 'react';

interface QuantityFieldProps {
  readonly quantity: number;
  readonly maximum: number;
  readonly onChange: (quantity: number) => void;
  /** Takes what is being typed, null when that is over. */
  readonly onType: (typed: number | null) => void;
}

/** Takes what was typed when the field is left or Enter is pressed: at least 1, at most the maximum. Escape gives up. */
export function QuantityField({ quantity, maximum, onChange, onType }: QuantityFieldProps) {
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
