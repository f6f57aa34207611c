import { readText } from '../../kit/form-text.ts';
import {
  EVENT_GROUPS,
  EVENT_TYPES,
  listEventGroups,
  listTypesOf,
  pickEventTypes,
} from '#src/shop/webhooks/events/event-type.ts';
import type { EventType } from '#src/shop/webhooks/events/event-type.ts';
import { Checkbox } from '#src/ui/checkbox.tsx';
import { Stack } from '#src/ui/stack.ts';
import { Columns } from '#src/ui/columns.ts';
import { Field } from '#src/ui/field.tsx';
import styles from './webhooks.module.css';

interface EndpointFieldsProps {
  readonly url: string;
  readonly description: string;
  readonly selected: readonly EventType[];
}

/** URL, description and events of an endpoint. */
export function EndpointFields({ url, description, selected }: EndpointFieldsProps) {
  return (
    <Stack className={styles.fields}>
      <Field
        label="URL"
        name="url"
        type="url"
        required
        maxLength={2_000}
        autoComplete="off"
        spellCheck={false}
        defaultValue={url}
        hint="Starts with https://, such as https://erp.example/hooks"
      />
      <Field
        label="Description (optional)"
        name="description"
        maxLength={200}
        autoComplete="off"
        defaultValue={description}
      />
      <Columns width={18} gap={24} rowGap={16}>
        {listEventGroups().map((group) => (
          <Stack as="fieldset" key={group} gap={4}>
            <legend className="strong">{EVENT_GROUPS[group]}</legend>
            {listTypesOf(group).map((type) => (
              <Checkbox
                key={type}
                name="event_types"
                value={type}
                defaultChecked={selected.includes(type)}
                hint={EVENT_TYPES[type]}
              >
                {type}
              </Checkbox>
            ))}
          </Stack>
        ))}
      </Columns>
    </Stack>
  );
}

export function readEndpoint(data: FormData) {
  const types = data.getAll('event_types').filter((value) => typeof value === 'string');
  return {
    url: readText(data, 'url'),
    description: readText(data, 'description'),
    event_types: pickEventTypes(types),
  };
}
