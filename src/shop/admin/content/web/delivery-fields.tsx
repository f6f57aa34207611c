import { useState } from 'react';
import { DELIVERY_UNITS } from '#src/shop/delivery-times.ts';
import type { DeliveryRange } from '#src/shop/delivery-times.ts';
import type { DeliveryTexts, StoredSections } from '#src/shop/content/home/contract.ts';
import { findCountryName, listCountries, regionNames } from '#src/shop/regions.ts';
import { call } from '#src/storefront/call.ts';
import { Button } from '#src/ui/controls/button.tsx';
import { Checkbox } from '#src/ui/fields/checkbox.tsx';
import { Field, Select } from '#src/ui/fields/field.tsx';
import { Link } from 'react-router';
import listStyles from '#src/ui/form/item-list.module.css';
import { TitleFields } from './home-fields.tsx';
import { Columns } from '#src/ui/layout/columns.ts';
import { Row } from '#src/ui/layout/row.ts';
import { Notice } from '#src/ui/display/notice.tsx';
import { ItemList } from '#src/ui/form/item-list.tsx';
import { Stack } from '#src/ui/layout/stack.ts';
import { SectionForm } from './section-form.tsx';
import type { SectionBodyProps } from './section-form.tsx';

type Area = DeliveryTexts['times'][number];

const EMPTY: DeliveryTexts = {
  lead: '',
  coverage: '',
  exception: '',
  packaging: '',
  warranty: '',
  returns: '',
  dispatch: null,
  times: [],
};
const EMPTY_AREA: Area = {
  area: '',
  regions: [],
  countries: [],
  range: { from: 1, to: 3, unit: 'business-days' },
  note: '',
};
const UNITS = { hours: 'hours', days: 'days', 'business-days': 'business days' } as const;

/** The merchant's delivery texts and times, with what is missing. */
export function DeliverySection({ stored }: { readonly stored: StoredSections['delivery'] }) {
  const hasTimes = stored.is_shown && (stored.body?.times ?? []).some(({ range }) => range !== null);
  return (
    <>
      <p className="muted small measure">
        Shown on Free shipping, and for the visitor’s country in the header and on product pages. Until a visitor
        chooses a country, the header shows the delivery line of the <Link to="/admin/settings#identity">settings</Link>
        .
      </p>
      {!hasTimes && <Notice>No delivery times are set: pages say nothing about them. Add an area below.</Notice>}
      <SectionForm
        name="delivery"
        title="Delivery"
        hint="A text that is empty is left out. The first area with the visitor’s country or region applies."
        stored={stored}
        empty={EMPTY}
        save={async (body) => (await call('PUT /content/home/delivery', { body })).delivery}
        toPreview={null}
        isFirstOpen
      >
        {(props) => <DeliveryFields {...props} />}
      </SectionForm>
    </>
  );
}

function DeliveryFields({ body, change, messageOf }: SectionBodyProps<DeliveryTexts>) {
  return (
    <>
      <TitleFields
        fields={[
          { label: 'Summary', name: 'lead', value: body.lead, maxLength: 160 },
          { label: 'Where you ship to', name: 'coverage', value: body.coverage, maxLength: 200 },
          { label: 'Faster service', name: 'exception', value: body.exception, maxLength: 160 },
          { label: 'Packaging', name: 'packaging', value: body.packaging, maxLength: 200 },
          {
            label: 'Warranty, beside the button of product pages',
            name: 'warranty',
            value: body.warranty ?? '',
            maxLength: 60,
          },
          {
            label: 'Returns, beside the button of product pages',
            name: 'returns',
            value: body.returns ?? '',
            maxLength: 60,
          },
        ]}
        messageOf={messageOf}
        onChange={(name, value) => change({ [name]: value })}
      />
      <RangeFields
        label="Time until dispatch"
        range={body.dispatch}
        path="dispatch"
        messageOf={messageOf}
        onChange={(dispatch) => change({ dispatch })}
      />
      <ItemList
        name="Area"
        items={body.times}
        maximum={20}
        empty={EMPTY_AREA}
        onChange={(times) => change({ times: [...times] })}
      >
        {(area, changeArea, index) => (
          <AreaFields
            area={area}
            change={(part) => changeArea({ ...area, ...part })}
            path={`times.${index}`}
            messageOf={messageOf}
          />
        )}
      </ItemList>
    </>
  );
}

interface AreaFieldsProps {
  readonly area: Area;
  readonly change: (part: Partial<Area>) => void;
  readonly path: string;
  readonly messageOf: (path: string) => string | undefined;
}

function AreaFields({ area, change, path, messageOf }: AreaFieldsProps) {
  return (
    <>
      <TitleFields
        fields={[
          { label: 'Name', name: 'area', value: area.area, maxLength: 60 },
          { label: 'Note', name: 'note', value: area.note, maxLength: 120 },
        ]}
        messageOf={(name) => messageOf(`${path}.${name}`)}
        onChange={(name, value) => change({ [name]: value })}
      />
      <RangeFields
        label="Delivery after dispatch"
        range={area.range}
        path={`${path}.range`}
        messageOf={messageOf}
        onChange={(range) => change({ range })}
      />
      <Stack as="fieldset" className={listStyles.item}>
        <legend>Whole regions</legend>
        <Columns width={18}>
          {regionNames.map((name) => (
            <Checkbox
              key={name}
              checked={area.regions.includes(name)}
              onChange={(event) => {
                const others = area.regions.filter((one) => one !== name);
                change({ regions: event.currentTarget.checked ? [...others, name] : others });
              }}
            >
              {name}
            </Checkbox>
          ))}
        </Columns>
      </Stack>
      <Countries countries={area.countries} onChange={(countries) => change({ countries })} />
    </>
  );
}

interface RangeFieldsProps {
  readonly label: string;
  readonly range: DeliveryRange | null;
  readonly path: string;
  readonly messageOf: (path: string) => string | undefined;
  readonly onChange: (range: DeliveryRange | null) => void;
}

interface AmountOfTimeProps {
  readonly label: string;
  /** NaN while the text is no number. */
  readonly value: number;
  readonly message: string | undefined;
  readonly onChange: (value: number) => void;
}

/** A whole number up to 999. Keeps what is typed, and says if it is none. */
function AmountOfTime({ label, value, message, onChange }: AmountOfTimeProps) {
  const [typed, setTyped] = useState(String(value));
  return (
    <Field
      label={label}
      inputMode="numeric"
      value={Number.isNaN(value) ? typed : String(value)}
      message={Number.isNaN(value) ? 'Enter a whole number up to 999' : message}
      onChange={({ currentTarget: { value: text } }) => {
        setTyped(text);
        onChange(/^\d{1,3}$/.test(text.trim()) ? Number(text) : Number.NaN);
      }}
    />
  );
}

function RangeFields({ label, range, path, messageOf, onChange }: RangeFieldsProps) {
  return (
    <Stack as="fieldset" className={listStyles.item}>
      <legend>{label}</legend>
      <Checkbox
        checked={range !== null}
        onChange={(event) => onChange(event.currentTarget.checked ? { from: 1, to: 3, unit: 'business-days' } : null)}
      >
        State a time
      </Checkbox>
      {range !== null && (
        <Columns width={18}>
          <AmountOfTime
            label="From"
            value={range.from}
            message={messageOf(`${path}.from`)}
            onChange={(from) => onChange({ ...range, from })}
          />
          <AmountOfTime
            label="To"
            value={range.to}
            message={messageOf(`${path}.to`)}
            onChange={(to) => onChange({ ...range, to })}
          />
          <Select
            label="Unit"
            value={range.unit}
            onChange={(event) => {
              const unit = DELIVERY_UNITS.find((one) => one === event.currentTarget.value);
              if (unit !== undefined) onChange({ ...range, unit });
            }}
          >
            {DELIVERY_UNITS.map((unit) => (
              <option key={unit} value={unit}>
                {UNITS[unit]}
              </option>
            ))}
          </Select>
        </Columns>
      )}
    </Stack>
  );
}

interface CountriesProps {
  readonly countries: readonly string[];
  readonly onChange: (countries: string[]) => void;
}

function Countries({ countries, onChange }: CountriesProps) {
  return (
    <>
      <Select
        label="Single countries"
        value=""
        onChange={(event) => {
          const { value } = event.currentTarget;
          if (value !== '' && !countries.includes(value)) onChange([...countries, value]);
        }}
      >
        <option value="">Add a country</option>
        {regionNames.map((region) => (
          <optgroup key={region} label={region}>
            {listCountries(region).map(({ code, name }) => (
              <option key={code} value={code} disabled={countries.includes(code)}>
                {name}
              </option>
            ))}
          </optgroup>
        ))}
      </Select>
      {countries.length > 0 && (
        <Row as="ul">
          {countries.map((code) => (
            <li key={code}>
              <Button variant="tertiary" onClick={() => onChange(countries.filter((one) => one !== code))}>
                Remove {findCountryName(code)}
              </Button>
            </li>
          ))}
        </Row>
      )}
    </>
  );
}
