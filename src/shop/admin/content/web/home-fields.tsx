import type { Category } from '#src/shop/catalogue/contract.ts';
import type { Advantages, Partners, PromoBanner } from '#src/shop/content/home/contract.ts';
import { Checkbox } from '#src/ui/fields/checkbox.tsx';
import { Field, Select } from '#src/ui/fields/field.tsx';
import { TextArea } from '#src/ui/fields/text-area.tsx';
import listStyles from '#src/ui/form/item-list.module.css';
import { Columns } from '#src/ui/layout/columns.ts';
import { ItemList } from '#src/ui/form/item-list.tsx';
import { Stack } from '#src/ui/layout/stack.ts';
import { PathField, PictureFields } from './picture-fields.tsx';
import type { SectionBodyProps } from './section-form.tsx';

interface RowTexts {
  rows: { title: string; categories: string[]; count: number }[];
}

const COUNTS = [2, 3, 4, 6, 8, 12];

interface RowsFieldsProps extends SectionBodyProps<RowTexts> {
  readonly categories: readonly Pick<Category, 'id' | 'name'>[];
}

export function RowsFields({ body, change, messageOf, categories }: RowsFieldsProps) {
  return (
    <ItemList
      name="Row"
      items={body.rows}
      maximum={12}
      empty={{ title: '', categories: [], count: 4 }}
      onChange={(rows) => change({ rows: [...rows] })}
    >
      {(row, changeRow, index) => (
        <>
          <Columns width={18}>
            <Field
              label="Title"
              value={row.title}
              maxLength={80}
              message={messageOf(`rows.${index}.title`)}
              onChange={(event) => changeRow({ ...row, title: event.currentTarget.value })}
            />
            <Select
              label="Products"
              value={String(row.count)}
              onChange={(event) => changeRow({ ...row, count: Number(event.currentTarget.value) })}
            >
              {[...new Set([...COUNTS, row.count])].map((count) => (
                <option key={count} value={count}>
                  {`At most ${count}`}
                </option>
              ))}
            </Select>
          </Columns>
          <Stack as="fieldset" className={listStyles.item}>
            <legend>Categories (none: the first products of the shop)</legend>
            <Columns width={18}>
              {categories.map(({ id, name }) => (
                <Checkbox
                  key={id}
                  checked={row.categories.includes(id)}
                  onChange={(event) => {
                    const others = row.categories.filter((one) => one !== id);
                    changeRow({ ...row, categories: event.currentTarget.checked ? [...others, id] : others });
                  }}
                >
                  {name}
                </Checkbox>
              ))}
            </Columns>
          </Stack>
        </>
      )}
    </ItemList>
  );
}

export function AdvantagesFields({ body, change, messageOf }: SectionBodyProps<Advantages>) {
  return (
    <>
      <TitleFields
        fields={[
          { label: 'Title', name: 'title', value: body.title, maxLength: 80 },
          { label: 'Subtitle', name: 'subtitle', value: body.subtitle, maxLength: 160 },
        ]}
        messageOf={messageOf}
        onChange={(name, value) => change({ [name]: value })}
      />
      <ItemList
        name="Card"
        items={body.cards}
        maximum={6}
        empty={{ title: '', text: '', picture: { path: '', alt: '', widths: [] }, overlay_title: '', overlay_text: '' }}
        onChange={(cards) => change({ cards: [...cards] })}
      >
        {(card, changeCard, index) => (
          <>
            <TitleFields
              fields={[
                { label: 'Title', name: 'title', value: card.title, maxLength: 60 },
                { label: 'Text', name: 'text', value: card.text, maxLength: 160 },
                { label: 'Title on the picture', name: 'overlay_title', value: card.overlay_title, maxLength: 40 },
                { label: 'Text on the picture', name: 'overlay_text', value: card.overlay_text, maxLength: 80 },
              ]}
              messageOf={(name) => messageOf(`cards.${index}.${name}`)}
              onChange={(name, value) => changeCard({ ...card, [name]: value })}
            />
            <PictureFields
              picture={card.picture}
              label={`Picture of card ${index + 1}`}
              path={`cards.${index}.picture`}
              messageOf={messageOf}
              onChange={(picture) => changeCard({ ...card, picture })}
            />
          </>
        )}
      </ItemList>
    </>
  );
}

export function BannerFields({ body, change, messageOf }: SectionBodyProps<PromoBanner>) {
  const { button } = body;
  return (
    <>
      <TitleFields
        fields={[{ label: 'Title', name: 'title', value: body.title, maxLength: 100 }]}
        messageOf={messageOf}
        onChange={(name, value) => change({ [name]: value })}
      />
      <TextArea
        label="Text"
        rows={3}
        value={body.text}
        maxLength={300}
        message={messageOf('text')}
        onChange={(event) => change({ text: event.currentTarget.value })}
      />
      <TitleFields
        fields={[
          { label: 'Text of the button', name: 'text', value: button.text, maxLength: 40 },
          { label: 'The button links to', name: 'to', value: button.to, maxLength: 200 },
        ]}
        messageOf={(name) => messageOf(`button.${name}`)}
        onChange={(name, value) => change({ button: { ...button, [name]: value } })}
      />
    </>
  );
}

export function PartnersFields({ body, change, messageOf }: SectionBodyProps<Partners>) {
  return (
    <>
      <TitleFields
        fields={[
          { label: 'Heading', name: 'title', value: body.title, maxLength: 160 },
          { label: 'Text', name: 'text', value: body.text, maxLength: 160 },
        ]}
        messageOf={messageOf}
        onChange={(name, value) => change({ [name]: value })}
      />
      <ItemList
        name="Logo"
        items={body.logos}
        maximum={24}
        empty={{ name: '', picture: '' }}
        onChange={(logos) => change({ logos: [...logos] })}
      >
        {(logo, changeLogo, index) => (
          <>
            <TitleFields
              fields={[{ label: 'Name', name: 'name', value: logo.name, maxLength: 60 }]}
              messageOf={(name) => messageOf(`logos.${index}.${name}`)}
              onChange={(name, value) => changeLogo({ ...logo, [name]: value })}
            />
            <PathField
              label={`Picture of logo ${index + 1}`}
              path={logo.picture}
              message={messageOf(`logos.${index}.picture`) ?? null}
              onChange={(picture) => changeLogo({ ...logo, picture })}
            />
          </>
        )}
      </ItemList>
    </>
  );
}

interface TitleFieldsProps {
  readonly fields: readonly {
    readonly label: string;
    readonly name: string;
    readonly value: string;
    readonly maxLength: number;
  }[];
  readonly messageOf: (name: string) => string | undefined;
  readonly onChange: (name: string, value: string) => void;
}

/** Texts of one line beside each other. */
export function TitleFields({ fields, messageOf, onChange }: TitleFieldsProps) {
  return (
    <Columns width={18}>
      {fields.map(({ name, ...field }) => (
        <Field
          key={name}
          {...field}
          message={messageOf(name)}
          onChange={(event) => onChange(name, event.currentTarget.value)}
        />
      ))}
    </Columns>
  );
}
