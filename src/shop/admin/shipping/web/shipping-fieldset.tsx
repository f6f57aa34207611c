import { Checkbox } from '#src/ui/fields/checkbox.tsx';
import { Field, Select } from '#src/ui/fields/field.tsx';
import { Columns } from '#src/ui/layout/columns.ts';
import { Notice } from '#src/ui/display/notice.tsx';
import { Stack } from '#src/ui/layout/stack.ts';
import { ItemList } from '#src/ui/form/item-list.tsx';
import { CountryList } from '../../kit/country-list.tsx';
import { EMPTY_TIER, EMPTY_ZONE } from '../shipping-form.ts';
import type { ShippingFields, TierFields, ZoneFields } from '../shipping-form.ts';

const MOST_ZONES = 50;
const MOST_TIERS = 20;

interface ShippingFieldsetProps {
  readonly fields: ShippingFields;
  readonly isReadOnly?: boolean;
  readonly messageOf?: (path: string) => string | undefined;
  readonly onChange?: (part: Partial<ShippingFields>) => void;
}

const none = (): undefined => undefined;

/** All fields of the shipping settings. */
export function ShippingFieldset({
  fields,
  isReadOnly = false,
  messageOf = none,
  onChange = none,
}: ShippingFieldsetProps) {
  return (
    <Stack as="fieldset" gap={24} disabled={isReadOnly}>
      {messageOf('zones') !== undefined && <Notice tone="bad">{messageOf('zones')}</Notice>}
      <ItemList
        name="Zone"
        isMovable={false}
        items={fields.zones}
        maximum={isReadOnly ? 0 : MOST_ZONES}
        empty={EMPTY_ZONE}
        onChange={(zones) => onChange({ zones })}
      >
        {(zone, changeZone, index) => (
          <Zone
            zone={zone}
            isReadOnly={isReadOnly}
            messageOf={(name) => messageOf(`zones.${index}.${name}`)}
            onChange={(part) => changeZone({ ...zone, ...part })}
          />
        )}
      </ItemList>
      {fields.zones.some(({ basis }) => basis === 'weight') && (
        <Select
          label="If the weight of a product is unknown"
          value={fields.unknownWeight}
          hint="Where the price depends on the weight. Refused buyers are asked to contact you."
          onChange={({ currentTarget }) =>
            onChange({ unknownWeight: currentTarget.value === 'refuse' ? 'refuse' : 'heaviest' })
          }
        >
          <option value="heaviest">Charge as the heaviest order</option>
          <option value="refuse">Refuse the order</option>
        </Select>
      )}
      <CountryList
        label="Not delivered to"
        countries={fields.excluded}
        message={messageOf('excluded_countries')}
        hint="Buyers can’t choose these countries, whatever the zones say."
        onChange={(excluded) => onChange({ excluded })}
      />
    </Stack>
  );
}

interface ZoneProps {
  readonly zone: ZoneFields;
  readonly isReadOnly: boolean;
  readonly messageOf: (name: string) => string | undefined;
  readonly onChange: (part: Partial<ZoneFields>) => void;
}

function Zone({ zone, isReadOnly, messageOf, onChange }: ZoneProps) {
  return (
    <>
      <Columns width={18}>
        <Field
          label="Name"
          maxLength={60}
          value={zone.name}
          hint="Buyers read it."
          message={messageOf('name')}
          onChange={(event) => onChange({ name: event.currentTarget.value })}
        />
        <Select
          label="Price depends on"
          value={zone.basis}
          onChange={(event) => onChange({ basis: event.currentTarget.value === 'weight' ? 'weight' : 'value' })}
        >
          <option value="value">Value of the order</option>
          <option value="weight">Weight of the order</option>
        </Select>
        <Field
          label="Free from $ (optional)"
          inputMode="decimal"
          maxLength={10}
          value={zone.freeFrom}
          hint="Value of the goods after the discount."
          message={messageOf('freeFrom')}
          onChange={(event) => onChange({ freeFrom: event.currentTarget.value })}
        />
      </Columns>
      <Checkbox checked={zone.isRest} onChange={(event) => onChange({ isRest: event.currentTarget.checked })}>
        For all countries that no other zone names
      </Checkbox>
      {zone.isRest ? (
        messageOf('countries') !== undefined && <Notice tone="bad">{messageOf('countries')}</Notice>
      ) : (
        <CountryList
          label="Countries"
          countries={zone.countries}
          message={messageOf('countries')}
          onChange={(countries) => onChange({ countries })}
        />
      )}
      <ItemList
        name="Price"
        isMovable={false}
        items={zone.tiers}
        maximum={isReadOnly ? 0 : MOST_TIERS}
        empty={EMPTY_TIER}
        onChange={(tiers) => onChange({ tiers: tiers.length === 0 ? EMPTY_ZONE.tiers : tiers })}
      >
        {(tier, changeTier, index) => (
          <Tier
            tier={tier}
            basis={zone.basis}
            isFirst={index === 0}
            messageOf={(name) => messageOf(`tiers.${index}.${name}`)}
            onChange={(part) => changeTier({ ...tier, ...part })}
          />
        )}
      </ItemList>
    </>
  );
}

interface TierProps {
  readonly tier: TierFields;
  readonly basis: ZoneFields['basis'];
  /** The first price always starts at 0. */
  readonly isFirst: boolean;
  readonly messageOf: (name: string) => string | undefined;
  readonly onChange: (part: Partial<TierFields>) => void;
}

function Tier({ tier, basis, isFirst, messageOf, onChange }: TierProps) {
  return (
    <Columns width={18}>
      <Field
        label={basis === 'weight' ? 'From kg' : 'From $'}
        inputMode="decimal"
        maxLength={10}
        value={isFirst ? '0' : tier.from}
        disabled={isFirst}
        message={messageOf('from')}
        onChange={(event) => onChange({ from: event.currentTarget.value })}
      />
      <Field
        label="Shipping costs $"
        inputMode="decimal"
        maxLength={10}
        value={tier.price}
        message={messageOf('price')}
        onChange={(event) => onChange({ price: event.currentTarget.value })}
      />
    </Columns>
  );
}
