import { EVENT_GROUPS, EVENT_TYPES, listEventGroups, listTypesOf } from '#src/shop/webhooks/events/event-type.ts';
import type { EventType } from '#src/shop/webhooks/events/event-type.ts';
import { Checkbox } from '#src/ui/fields/checkbox.tsx';
import { Stack } from '#src/ui/layout/stack.ts';
import { Columns } from '#src/ui/layout/columns.ts';
import { Field } from '#src/ui/fields/field.tsx';
import styles from './webhooks.module.css';

const none = (): undefined => undefined;

export interface EndpointValue {
  readonly url: string;
  readonly description: string;
  readonly event_types: EventType[];
}

interface EndpointFieldsProps {
  readonly value: EndpointValue;
  readonly messageOf?: (path: string) => string | undefined;
  readonly onChange: (part: Partial<EndpointValue>) => void;
}

export const EMPTY_ENDPOINT: EndpointValue = { url: '', description: '', event_types: [] };

/** URL, description and events of an endpoint. */
export function EndpointFields({ value, messageOf = none, onChange }: EndpointFieldsProps) {
  const { url, description, event_types: selected } = value;
  const choose = (type: EventType, isChosen: boolean): void => {
    const all = listEventGroups().flatMap(listTypesOf);
    onChange({ event_types: all.filter((one) => (one === type ? isChosen : selected.includes(one))) });
  };
  return (
    <Stack className={styles.fields}>
      <Field
        label="URL"
        type="url"
        required
        maxLength={2_000}
        autoComplete="off"
        spellCheck={false}
        value={url}
        message={messageOf('url')}
        onChange={(event) => onChange({ url: event.currentTarget.value })}
        hint="Starts with https://, such as https://erp.example/hooks"
      />
      <Field
        label="Description (optional)"
        maxLength={200}
        autoComplete="off"
        value={description}
        message={messageOf('description')}
        onChange={(event) => onChange({ description: event.currentTarget.value })}
      />
      <Columns width={18} gap={24} rowGap={16}>
        {listEventGroups().map((group) => (
          <Stack as="fieldset" key={group} gap={4}>
            <legend className="strong">{EVENT_GROUPS[group]}</legend>
            {listTypesOf(group).map((type) => (
              <Checkbox
                key={type}
                checked={selected.includes(type)}
                onChange={(event) => choose(type, event.currentTarget.checked)}
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
