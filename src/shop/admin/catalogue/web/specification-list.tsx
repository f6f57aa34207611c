import { Stack } from '#src/ui/layout/stack.ts';
import { Button } from '#src/ui/controls/button.tsx';
import { moveItem, replaceItem } from '../move-item.ts';
import type { ProductForm } from '../product-form.ts';
import { Cell } from './cell.tsx';
import { OrderButtons } from './order-buttons.tsx';
import tableStyles from './table.module.css';

type Specifications = ProductForm['specifications'];

interface SpecificationListProps {
  readonly value: Specifications;
  readonly onChange: (specifications: Specifications) => void;
  readonly problems: Readonly<Record<string, string>>;
}

/** Specifications of a product in order. */
export function SpecificationList({ value, onChange, problems }: SpecificationListProps) {
  const nextKey = Math.max(-1, ...value.map(({ key }) => key)) + 1;
  return (
    <Stack>
      {value.length > 0 && (
        <table className={tableStyles.table}>
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">Value</th>
              <th scope="col">
                <span className="visually-hidden">Order</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {value.map((specification, index) => (
              <tr key={specification.key}>
                <td>
                  <Cell
                    label={`Name of specification ${index + 1}`}
                    column="Name"
                    value={specification.name}
                    maxLength={80}
                    problem={problems[`specifications.${index}.name`]}
                    onChange={(name) => onChange(replaceItem(value, index, { ...specification, name }))}
                  />
                </td>
                <td>
                  <Cell
                    label={`Value of specification ${index + 1}`}
                    column="Value"
                    value={specification.value}
                    maxLength={500}
                    problem={problems[`specifications.${index}.value`]}
                    onChange={(text) => onChange(replaceItem(value, index, { ...specification, value: text }))}
                  />
                </td>
                <td>
                  <OrderButtons
                    name={specification.name || `specification ${index + 1}`}
                    index={index}
                    length={value.length}
                    onMove={(by) => onChange(moveItem(value, index, by))}
                    onRemove={() => onChange(value.toSpliced(index, 1))}
                  />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <div>
        <Button
          variant="tertiary"
          disabled={value.length >= 60}
          onClick={() => onChange([...value, { key: nextKey, name: '', value: '' }])}
        >
          Add specification
        </Button>
      </div>
    </Stack>
  );
}
