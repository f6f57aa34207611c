import type { Hero, SearchTexts } from '#src/shop/content/home/contract.ts';
import { Field } from '#src/ui/fields/field.tsx';
import { Columns } from '#src/ui/layout/columns.ts';
import { ItemList } from '#src/ui/form/item-list.tsx';
import { PictureFields } from './picture-fields.tsx';
import type { SectionBodyProps } from './section-form.tsx';

export const EMPTY_HERO: Hero = {
  headline: '',
  subtitle: '',
  line: '',
  buttons: [{ text: 'Shop now', to: '/catalog' }],
  picture: { path: '', alt: '', widths: [] },
  product: '',
};

const PRICES = 'Use {from_btc} and {from_usd} for the lowest price. It follows the catalogue and the rate.';

/** Texts of one line, with their limits. */
const TEXTS = [
  { name: 'headline', label: 'Headline', maxLength: 100, hint: undefined },
  { name: 'subtitle', label: 'Subtitle', maxLength: 160, hint: PRICES },
  { name: 'line', label: 'Line above the headline', maxLength: 100, hint: undefined },
  {
    name: 'product',
    label: 'Product',
    maxLength: 120,
    hint: 'The last part of its address, such as blue-mug. The picture links to it, and {from_usd} is its price. Empty: the cheapest product.',
  },
] as const;

export function HeroFields({ body, change, messageOf }: SectionBodyProps<Hero>) {
  return (
    <>
      <Columns width={18}>
        {TEXTS.map(({ name, label, maxLength, hint }) => (
          <Field
            key={name}
            label={label}
            name={name}
            value={body[name]}
            maxLength={maxLength}
            message={messageOf(name)}
            hint={hint}
            onChange={(event) => change({ [name]: event.currentTarget.value })}
          />
        ))}
      </Columns>
      <PictureFields
        picture={body.picture}
        hint="Square pictures fill the place. A transparent background suits light and dark pages."
        path="picture"
        messageOf={messageOf}
        onChange={(picture) => change({ picture })}
      />
      <ItemList
        name="Button"
        items={body.buttons}
        maximum={2}
        empty={{ text: '', to: '/catalog' }}
        onChange={(buttons) => change({ buttons: [...buttons] })}
      >
        {(button, changeButton, index) => (
          <Columns width={18}>
            <Field
              label="Text"
              value={button.text}
              maxLength={40}
              message={messageOf(`buttons.${index}.text`)}
              onChange={(event) => changeButton({ ...button, text: event.currentTarget.value })}
            />
            <Field
              label="Links to"
              value={button.to}
              maxLength={200}
              message={messageOf(`buttons.${index}.to`)}
              hint="A page of this shop, such as /catalog."
              onChange={(event) => changeButton({ ...button, to: event.currentTarget.value })}
            />
          </Columns>
        )}
      </ItemList>
    </>
  );
}

export function SearchFields({ body, change, messageOf }: SectionBodyProps<SearchTexts>) {
  return (
    <Columns width={18}>
      <Field
        label="Title of the home page"
        value={body.title}
        maxLength={70}
        message={messageOf('title')}
        hint="Without it, the name of the shop is shown."
        onChange={(event) => change({ title: event.currentTarget.value })}
      />
      <Field
        label="Description"
        value={body.description}
        maxLength={200}
        message={messageOf('description')}
        hint="One sentence. {from_btc} and {from_usd} are replaced by the lowest price."
        onChange={(event) => change({ description: event.currentTarget.value })}
      />
    </Columns>
  );
}
