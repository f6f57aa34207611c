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
    <div className={styles.fields}>
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
      <div className={styles.groups}>
        {listEventGroups().map((group) => (
          <fieldset key={group} className={styles.events}>
            <legend>{EVENT_GROUPS[group]}</legend>
            {listTypesOf(group).map((type) => (
              <Checkbox key={type} name="event_types" value={type} defaultChecked={selected.includes(type)}>
                {type}
                <span className={styles.meaning}>{EVENT_TYPES[type]}</span>
              </Checkbox>
            ))}
          </fieldset>
        ))}
      </div>
    </div>
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
