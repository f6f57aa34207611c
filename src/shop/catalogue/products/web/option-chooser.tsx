import type { Option, OptionGroup } from '../offered-options.ts';
import { BUY_FORM, getProblem } from './buy-box.tsx';
import { formatDifference } from '../variant-table.ts';
import type { VariantChoice } from '../variant-table.ts';
import styles from './option-chooser.module.css';

interface OptionChooserProps {
  readonly group: OptionGroup;
  readonly chosenId: string | undefined;
  /** The variant with this option; null if it is not sold. */
  readonly find: (option: Option) => VariantChoice | null;
  /** The chosen variant. */
  readonly chosenVariant: VariantChoice | null;
  readonly onChoose: (valueId: string) => void;
}

/** Radio group for the values of a property. */
export function OptionChooser({ group, chosenId, find, chosenVariant, onChoose }: OptionChooserProps) {
  const fieldName = `value ${group.id}`;
  const chosen = group.values.find(({ id }) => id === chosenId);
  return (
    <fieldset>
      <legend className={styles.legend}>
        {group.name}
        {/* The selected option is labelled itself. */}
        <span className={styles.chosen} aria-hidden="true">
          {chosen?.value}
        </span>
      </legend>
      <div className={styles.options}>
        {group.values.map((option) => {
          const variant = find(option);
          const problem = getProblem(variant);
          const note = problem ?? formatDifference(variant, chosenVariant);
          return (
            <label key={option.id} className={styles.option} data-problem={problem}>
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
              <Swatch color={option.swatch} />
              {option.value}
              {note && <span className={styles.note}>{note}</span>}
            </label>
          );
        })}
      </div>
    </fieldset>
  );
}

/** A property with only one value. */
export function OptionFact({ group }: { readonly group: OptionGroup }) {
  return (
    <div className={styles.fact}>
      <dt>{group.name}</dt>
      {group.values.map(({ id, value, swatch }) => (
        <dd key={id}>
          <Swatch color={swatch} />
          {value}
        </dd>
      ))}
    </div>
  );
}

function Swatch({ color }: { readonly color: string | undefined }) {
  if (color === undefined) return null;
  return (
    <svg fill={color} aria-hidden="true" className={styles.swatch}>
      <circle cx="10" cy="10" r="9.5" />
    </svg>
  );
}
