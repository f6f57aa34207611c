import { formatUsdAmount } from '#src/shop/format-number.ts';
import type { Option, OptionGroup } from '../../filters/offered-options.ts';
import { findSwatch } from '../find-swatch.ts';
import { BUY_FORM } from './buy-box.tsx';
import styles from './option-chooser.module.css';

interface OptionChooserProps {
  readonly group: OptionGroup;
  readonly chosenId: string | undefined;
  readonly onChoose: (valueId: string) => void;
}

/** Radio group for the values of a property. */
export function OptionChooser({ group, chosenId, onChoose }: OptionChooserProps) {
  const fieldName = `value ${group.id}`;
  const chosen = group.values.find(({ id }) => id === chosenId);
  return (
    <fieldset className={styles.group}>
      <legend className={styles.legend}>
        {group.name}
        {/* The selected option is labelled itself. */}
        <span className={styles.chosen} aria-hidden="true">
          {chosen?.value}
        </span>
      </legend>
      <div className={styles.options}>
        {group.values.map((option) => (
          <label key={option.id} className={styles.option}>
            <input
              type="radio"
              name={fieldName}
              form={BUY_FORM}
              value={option.id}
              checked={option.id === chosenId}
              onChange={() => onChoose(option.id)}
              // Prevents browsers from restoring a selection that the price does not reflect.
              autoComplete="off"
              className={styles.radio}
            />
            <Swatch value={option.value} />
            {option.value}
            <Increase option={option} />
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** A property with only one value. */
export function OptionFact({ group }: { readonly group: OptionGroup }) {
  return (
    <div className={styles.fact}>
      <dt>{group.name}</dt>
      {group.values.map(({ id, value }) => (
        <dd key={id}>
          <Swatch value={value} />
          {value}
        </dd>
      ))}
    </div>
  );
}

function Increase({ option }: { readonly option: Option }) {
  if (option.price_in_usd_increase <= 0) return null;
  return <span className={styles.increase}>{`+$${formatUsdAmount(option.price_in_usd_increase)}`}</span>;
}

function Swatch({ value }: { readonly value: string }) {
  const color = findSwatch(value);
  if (color === undefined) return null;
  return (
    <svg width="20" height="20" viewBox="0 0 20 20" aria-hidden="true" className={styles.swatch}>
      <circle cx="10" cy="10" r="9.5" fill={color} stroke="currentColor" strokeOpacity="0.25" />
    </svg>
  );
}
