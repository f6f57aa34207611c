import { Button } from '#src/ui/controls/button.tsx';
import { classNames } from '#src/ui/styles/class-names.ts';
import { Stack } from '#src/ui/layout/stack.ts';
import { Field } from '#src/ui/fields/field.tsx';
import { formatUse } from '#src/shop/catalogue/editing/structure-edit.ts';
import { Row } from '#src/ui/layout/row.ts';
import { moveItem, replaceItem } from '../move-item.ts';
import type { EditedProperty, EditedPropertyValue } from '../property-form.ts';
import { addValue } from '../property-form.ts';
import styles from './catalogue.module.css';
import { Cell } from './cell.tsx';
import { OrderButtons } from './order-buttons.tsx';
import tableStyles from './table.module.css';

interface PropertyListProps {
  readonly value: readonly EditedProperty[];
  /** How many products use a value, by its id. */
  readonly uses: ReadonlyMap<string, number>;
  readonly onChange: (properties: readonly EditedProperty[]) => void;
  /** Messages such as `properties.0.values.1.value`. */
  readonly problems: Readonly<Record<string, string>>;
}

/** Properties of a category with their values, in order. */
export function PropertyList({ value, uses, onChange, problems }: PropertyListProps) {
  const nextKey = Math.max(-1, ...value.map(({ key }) => key)) + 1;
  return (
    <Stack as="fieldset" aria-label="Properties">
      {value.map((property, index) => (
        <Stack key={property.key} surface="outlined" className={styles.tables}>
          <Row align="end" rowGap={8} className={styles.line}>
            <Field
              label="Property"
              value={property.name}
              maxLength={80}
              message={problems[`properties.${index}.name`]}
              onChange={({ target }) => onChange(replaceItem(value, index, { ...property, name: target.value }))}
            />
            <OrderButtons
              name={property.name || `property ${index + 1}`}
              index={index}
              length={value.length}
              onMove={(by) => onChange(moveItem(value, index, by))}
              onRemove={() => onChange(value.toSpliced(index, 1))}
            />
          </Row>
          <Values
            property={property}
            uses={uses}
            problems={problems}
            path={`properties.${index}.values`}
            onChange={(values) => onChange(replaceItem(value, index, { ...property, values }))}
          />
        </Stack>
      ))}
      {problems['properties'] !== undefined && (
        <p className="danger small measure" data-problem tabIndex={-1}>
          {problems['properties']}.
        </p>
      )}
      <div>
        <Button
          variant="tertiary"
          disabled={value.length >= 20}
          onClick={() => onChange([...value, { key: nextKey, id: undefined, name: '', values: [] }])}
        >
          Add property
        </Button>
      </div>
    </Stack>
  );
}

interface ValuesProps extends Pick<PropertyListProps, 'uses' | 'problems'> {
  readonly property: EditedProperty;
  readonly path: string;
  readonly onChange: (values: readonly EditedPropertyValue[]) => void;
}

function Values({ property: { name, values }, uses, problems, path, onChange }: ValuesProps) {
  const countUse = ({ id }: EditedPropertyValue): number => uses.get(id ?? '') ?? 0;
  return (
    <Stack as="fieldset" aria-label={`Values of ${name || 'the new property'}`}>
      {values.length > 0 && (
        <table className={tableStyles.table}>
          <thead>
            <tr>
              <th scope="col">Value</th>
              <th scope="col">Suggested increase in USD</th>
              <th scope="col">Used by</th>
              <th scope="col">
                <span className="visually-hidden">Order</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {values.map((value, index) => (
              <tr key={value.key}>
                <td>
                  <Cell
                    label={`Value ${index + 1} of ${name}`}
                    column="Value"
                    value={value.value}
                    maxLength={80}
                    problem={problems[`${path}.${index}.value`]}
                    onChange={(text) => onChange(replaceItem(values, index, { ...value, value: text }))}
                  />
                </td>
                <td>
                  <Cell
                    label={`Suggested increase for ${value.value} in USD`}
                    column="Suggested increase in USD"
                    value={value.increase}
                    inputMode="decimal"
                    maxLength={14}
                    problem={problems[`${path}.${index}.increase_usd`]}
                    onChange={(increase) => onChange(replaceItem(values, index, { ...value, increase }))}
                  />
                </td>
                <td>
                  <span className={classNames(tableStyles.cell, tableStyles.hint)}>
                    {countUse(value) === 0 ? 'Not used' : formatUse(countUse(value))}
                  </span>
                </td>
                <td>
                  <OrderButtons
                    name={value.value || `value ${index + 1}`}
                    index={index}
                    length={values.length}
                    onMove={(by) => onChange(moveItem(values, index, by))}
                    {...(countUse(value) > 0 ? {} : { onRemove: () => onChange(values.toSpliced(index, 1)) })}
                  />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <div>
        <Button variant="tertiary" disabled={values.length >= 250} onClick={() => onChange(addValue(values))}>
          Add value
        </Button>
      </div>
    </Stack>
  );
}
