import { useCallback, useMemo } from 'react';
import {
  MAX_ARTICLE,
  MAX_NAME,
  MAX_SLUG,
  MAX_BOX,
  MAX_SUMMARY,
  MAX_VARIANTS,
} from '#src/shop/catalogue/editing/product-limits.ts';
import { suggestSlug } from '#src/shop/catalogue/editing/suggest-slug.ts';
import { isSerialKind, SERIAL_KIND_NAMES, serialKinds } from '#src/shop/catalogue/serial-kind.ts';
import { isTaxClass, TAX_CLASS_NAMES, taxClasses } from '#src/shop/tax/tax-class.ts';
import { Section } from '#src/ui/layout/section.tsx';
import { Columns } from '#src/ui/layout/columns.ts';
import { Field, Select } from '#src/ui/fields/field.tsx';
import { Stack } from '#src/ui/layout/stack.ts';
import { TextArea } from '#src/ui/fields/text-area.tsx';
import type { PageSection } from '../../kit/page-contents.tsx';
import { countVariants, keepValues, listOwnPictures, listVariants } from '../product-form.ts';
import type { FormCategory, FormVariant, ProductForm } from '../product-form.ts';
import { editVariants, splitEdits } from '../variant-grid.ts';
import type { CellEdit, GridColumn } from '../variant-grid.ts';
import styles from './catalogue.module.css';
import { PictureField } from '../../pictures/web/picture-field.tsx';
import { ChapterList } from './chapter-list.tsx';
import { DescriptionField } from './description-field.tsx';
import { EnergyFields } from './energy-fields.tsx';
import { Options } from './options.tsx';
import { SafetyFields } from './safety-fields.tsx';
import { SpecificationList } from './specification-list.tsx';
import type { ExtraColumns } from './use-extra-column.ts';
import { VariantGrid } from './variant-grid.tsx';

export interface ProductFieldsProps {
  readonly form: ProductForm;
  readonly categories: readonly FormCategory[];
  readonly brands: readonly { readonly id: string; readonly name: string }[];
  /** Messages by field of the API. */
  readonly problems: Readonly<Record<string, string>>;
  /** The product was never saved: its URL follows its name. */
  readonly isNew: boolean;
  /** Ids of the values that the saved product is offered with. */
  readonly saved: ReadonlySet<string>;
  readonly onChange: (change: (form: ProductForm) => ProductForm) => void;
  /** Columns of the grid of variants that are no part of the product. */
  readonly extras: ExtraColumns;
}

/** In the order of the page. */
export const PRODUCT_SECTIONS: readonly PageSection[] = [
  { id: 'details', title: 'Product' },
  { id: 'pictures', title: 'Pictures' },
  { id: 'variants', title: 'Options and variants' },
  { id: 'chapters', title: 'Chapters' },
  { id: 'specifications', title: 'Specifications' },
  { id: 'energy-label', title: 'Energy label' },
  { id: 'product-safety', title: 'Product safety' },
];

/** All fields of a product. */
export function ProductFields(props: ProductFieldsProps) {
  const { form, problems, onChange } = props;
  return (
    <>
      <Basics {...props} />
      <Stack as="section" id="pictures" tabIndex={-1} surface="outlined" aria-label="Pictures">
        <PictureField
          label="Pictures"
          value={form.pictures}
          message={findPictureProblem(problems)}
          onChange={(pictures) => onChange((before) => ({ ...before, pictures }))}
        />
      </Stack>
      <Variants {...props} />
      <Chapters {...props} />
      <Section id="specifications" tabIndex={-1} title="Specifications" surface="outlined" className={styles.tables}>
        <SpecificationList
          value={form.specifications}
          problems={problems}
          onChange={(specifications) => onChange((before) => ({ ...before, specifications }))}
        />
      </Section>
      <Section id="energy-label" tabIndex={-1} title="Energy label" surface="outlined">
        <EnergyFields
          value={form.energy}
          problems={problems}
          onChange={(energy) => onChange((before) => ({ ...before, energy }))}
        />
      </Section>
      <Section id="product-safety" tabIndex={-1} title="Product safety" surface="outlined">
        <SafetyFields
          text="Only where this product differs from its brand. Leave the fields empty otherwise."
          value={form.safety}
          problems={problems}
          onChange={(safety) => onChange((before) => ({ ...before, safety }))}
        />
      </Section>
    </>
  );
}

function Chapters({ form, categories, problems, onChange }: ProductFieldsProps) {
  const { categoryId, pictures, price, values, variants } = form;
  const category = categories.find(({ id }) => id === categoryId) ?? null;
  const own = useMemo(
    () => listOwnPictures({ pictures, price, values, variants }, category),
    [pictures, price, values, variants, category],
  );
  return (
    <Section id="chapters" tabIndex={-1} title="Chapters" surface="outlined">
      <ChapterList
        value={form.chapters ?? []}
        pictures={own}
        problems={problems}
        onChange={(chapters) => onChange((before) => ({ ...before, chapters }))}
      />
    </Section>
  );
}

const findPictureProblem = (problems: Readonly<Record<string, string>>): string | null =>
  Object.entries(problems).find(([field]) => /^pictures(?:\.|$)/.test(field))?.[1] ?? null;

/** A message about several fields. It takes the focus like an invalid field. */
function SectionProblem({ message }: { readonly message: string | undefined }) {
  if (message === undefined) return null;
  return (
    <p className="danger small measure" data-problem tabIndex={-1}>
      {message}.
    </p>
  );
}

function Basics(props: ProductFieldsProps) {
  const { form, categories, brands, problems, isNew, onChange } = props;
  const set = (changes: Partial<ProductForm>): void => onChange((before) => ({ ...before, ...changes }));
  const rename = (name: string): void => {
    const isSuggested = isNew && form.slug === suggestSlug(form.name);
    set(isSuggested ? { name, slug: suggestSlug(name) } : { name });
  };
  return (
    <Section id="details" tabIndex={-1} title="Product" surface="outlined">
      <Field
        label="Name"
        value={form.name}
        maxLength={MAX_NAME}
        message={problems['name']}
        onChange={({ target }) => rename(target.value)}
      />
      <Field
        label="URL"
        value={form.slug}
        maxLength={MAX_SLUG}
        autoCapitalize="none"
        spellCheck={false}
        message={problems['slug']}
        hint={`/catalog/product/${form.slug}${isNew ? '' : '. A former URL redirects to the new one'}`}
        onChange={({ target }) => set({ slug: target.value })}
      />
      <Organisation {...{ form, categories, brands, problems }} onSet={set} />
      <Field
        label="Summary, in one line"
        value={form.summary}
        maxLength={MAX_SUMMARY}
        message={problems['sub_description']}
        onChange={({ target }) => set({ summary: target.value })}
      />
      <DescriptionField
        form={form}
        message={problems['description_markdown'] ?? problems['description']}
        onChange={(description) => set({ description })}
      />
      <TextArea
        label="In the box"
        value={form.inTheBox ?? ''}
        rows={4}
        maxLength={MAX_BOX}
        message={problems['in_the_box']}
        hint="One thing a line, such as a cable. Empty: the page says nothing about it"
        onChange={({ target }) => set({ inTheBox: target.value })}
      />
    </Section>
  );
}

interface OrganisationProps extends Pick<ProductFieldsProps, 'form' | 'categories' | 'brands' | 'problems'> {
  readonly onSet: (changes: Partial<ProductForm>) => void;
}

/** Price, article number, category, brand, tax class, what shipping asks for, and weight. */
function Organisation({ form, categories, brands, problems, onSet }: OrganisationProps) {
  const move = (categoryId: string): void => {
    const category = categories.find(({ id }) => id === categoryId) ?? null;
    onSet({ categoryId, values: keepValues(category, form.values) });
  };
  return (
    <Columns width={18}>
      <Field
        label="Base price in USD"
        value={form.price}
        inputMode="decimal"
        maxLength={14}
        message={problems['base_price_usd']}
        onChange={({ target }) => onSet({ price: target.value })}
      />
      <Field
        label="Article number"
        value={form.article}
        maxLength={MAX_ARTICLE}
        autoCapitalize="characters"
        spellCheck={false}
        message={problems['article']}
        onChange={({ target }) => onSet({ article: target.value })}
      />
      <Select
        label="Category"
        value={form.categoryId}
        message={problems['category_id']}
        onChange={({ target }) => move(target.value)}
      >
        {categories.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </Select>
      <Select
        label="Brand"
        value={form.brandId}
        message={problems['brand_id']}
        onChange={({ target }) => onSet({ brandId: target.value })}
      >
        {brands.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </Select>
      <Select
        label="Tax class"
        value={form.taxClass}
        message={problems['tax_class']}
        onChange={({ target }) => onSet({ taxClass: isTaxClass(target.value) ? target.value : 'standard' })}
      >
        {taxClasses.map((one) => (
          <option key={one} value={one}>
            {TAX_CLASS_NAMES[one]}
          </option>
        ))}
      </Select>
      <SerialKindField form={form} problems={problems} onSet={onSet} />
      <Field
        label="Weight in grams (optional)"
        hint="Of variants without their own"
        value={form.weight}
        inputMode="numeric"
        maxLength={7}
        message={problems['weight_grams']}
        onChange={({ target }) => onSet({ weight: target.value })}
      />
    </Columns>
  );
}

/** OPS-29: the number that shipping asks of each unit. */
const SerialKindField = ({ form, problems, onSet }: Pick<OrganisationProps, 'form' | 'problems' | 'onSet'>) => (
  <Select
    label="Ask at shipping for"
    value={form.serialKind ?? 'none'}
    message={problems['serial_kind']}
    onChange={({ target }) => onSet({ serialKind: isSerialKind(target.value) ? target.value : 'none' })}
  >
    {serialKinds.map((one) => (
      <option key={one} value={one}>
        {SERIAL_KIND_NAMES[one]}
      </option>
    ))}
  </Select>
);

function Variants({ form, categories, problems, extras, saved, onChange }: ProductFieldsProps) {
  const [setCosts, setStock] = [extras.cost?.set, extras.stock?.set];
  const { categoryId, price, values } = form;
  const category = categories.find(({ id }) => id === categoryId) ?? null;
  const listed = useMemo(() => listVariants(category, { price, values }), [category, price, values]);
  const count = countVariants(category, values);
  const change = useCallback(
    (key: string, variant: FormVariant): void =>
      onChange((before) => ({ ...before, variants: { ...before.variants, [key]: variant } })),
    [onChange],
  );
  const changeValues = (apply: (values: ProductForm['values']) => ProductForm['values']): void =>
    onChange((before) => ({ ...before, values: apply(before.values) }));
  const edit = useCallback(
    (edits: readonly CellEdit<GridColumn>[]): void => {
      const { ofVariants, extras: typed } = splitEdits(edits);
      if (ofVariants.length > 0) {
        onChange((before) => ({ ...before, variants: editVariants(before.variants, ofVariants) }));
      }
      if (typed.cost !== undefined) setCosts?.(typed.cost);
      if (typed.stock !== undefined) setStock?.(typed.stock);
    },
    [onChange, setCosts, setStock],
  );
  return (
    <Section id="variants" tabIndex={-1} title="Options and variants" surface="outlined" className={styles.tables}>
      {category === null || category.properties.length === 0 ? (
        <p className="muted small measure">This category has no properties, so the product has one variant.</p>
      ) : (
        <Options
          category={category}
          values={values}
          saved={saved}
          listed={listed}
          problems={problems}
          onChange={changeValues}
        />
      )}
      <SectionProblem message={problems['values'] ?? problems['variants']} />
      {count > MAX_VARIANTS ? (
        <output className="danger small measure">
          These values make {count} variants. A product can have at most {MAX_VARIANTS}; choose fewer values.
        </output>
      ) : (
        <>
          <p className="muted small measure">
            {count === 1 ? '1 variant' : `${count} variants`}. Without a price of its own, a variant is sold at the base
            price plus the increases of its values.
          </p>
          <VariantGrid
            listed={listed}
            variants={form.variants}
            weight={form.weight}
            onChange={change}
            onEdit={edit}
            extras={extras}
            problems={problems}
          />
        </>
      )}
    </Section>
  );
}
