import { Disclosure } from '#src/ui/disclosure.tsx';
import { useState } from 'react';
import { formatDollarInput } from '../parse-dollars.ts';
import type { FormCategory, FormProperty, FormValue, ProductForm } from '../product-form.ts';
import styles from './catalogue.module.css';
import { Cell, PicturesCell } from './cell.tsx';
import { PictureField } from '../../pictures/web/picture-field.tsx';
import tableStyles from './table.module.css';

type Values = ProductForm['values'];

interface ValueListProps {
  readonly category: FormCategory;
  readonly values: Values;
  readonly onChange: (values: Values) => void;
  readonly problems: Readonly<Record<string, string>>;
}

/** Values that the product is offered with, each with its increase and pictures. */
export function ValueList({ category, values, onChange, problems }: ValueListProps) {
  // The API numbers the chosen values in the order of the category.
  const chosen = category.properties.flatMap((property) =>
    property.values.filter(({ id }) => values[id] !== undefined),
  );
  const numbers = new Map(chosen.map(({ id }, index) => [id, index]));
  return category.properties.map((property) => (
    <Disclosure
      key={property.id}
      className={styles.details}
      open={property.values.some(({ id }) => values[id])}
      summary={
        <>
          <span className="strong">{property.name}</span>
          <span className="muted small measure">{formatChosen(property, values)}</span>
        </>
      }
    >
      <div>
        <table className={tableStyles.table} aria-label={property.name}>
          <thead>
            <tr>
              <th scope="col">Value</th>
              <th scope="col">Increase in USD</th>
              <th scope="col">Pictures</th>
            </tr>
          </thead>
          <tbody>
            {property.values.map((value) => (
              <Value
                key={value.id}
                name={value.value}
                value={values[value.id]}
                problem={problems[`values.${numbers.get(value.id)}.increase_usd`]}
                onChange={(changed) => {
                  const { [value.id]: _before, ...others } = values;
                  onChange(changed === null ? others : { ...others, [value.id]: changed });
                }}
                suggested={value.increase_usd}
              />
            ))}
          </tbody>
        </table>
      </div>
    </Disclosure>
  ));
}

function formatChosen({ values: all }: FormProperty, values: Values): string {
  const names = all.filter(({ id }) => values[id] !== undefined).map(({ value }) => value);
  return names.length === 0 ? 'Not offered' : names.join(', ');
}

interface ValueProps {
  readonly name: string;
  /** Undefined: not offered. */
  readonly value: FormValue | undefined;
  /** Dollars. */
  readonly suggested: number;
  readonly problem: string | undefined;
  readonly onChange: (value: FormValue | null) => void;
}

function Value({ name, value, suggested, problem, onChange }: ValueProps) {
  const [isShowingPictures, setIsShowingPictures] = useState(false);
  const toggle = (isOffered: boolean): void =>
    onChange(isOffered ? { increase: formatDollarInput(suggested), pictures: [] } : null);
  return (
    <>
      <tr>
        <td>
          <label className={tableStyles.check}>
            <input type="checkbox" checked={value !== undefined} onChange={({ target }) => toggle(target.checked)} />
            {name}
          </label>
        </td>
        <td>
          {value !== undefined && (
            <Cell
              label={`Increase for ${name} in USD`}
              column="Increase in USD"
              value={value.increase}
              inputMode="decimal"
              maxLength={14}
              problem={problem}
              onChange={(increase) => onChange({ ...value, increase })}
            />
          )}
        </td>
        <td>
          {value !== undefined && (
            <PicturesCell
              of={`in ${name}`}
              pictures={value.pictures}
              isOpen={isShowingPictures}
              onToggle={() => setIsShowingPictures(!isShowingPictures)}
            />
          )}
        </td>
      </tr>
      {value !== undefined && isShowingPictures && (
        <tr>
          <td colSpan={3}>
            <PictureField
              label={`Pictures in ${name}`}
              value={value.pictures}
              onChange={(pictures) => onChange({ ...value, pictures })}
            />
          </td>
        </tr>
      )}
    </>
  );
}
