/** The fields of a product, with what the history, the database and CSV files call each of them. */
import type { ProductContent } from './contract.ts';
import { formatChapters, parseChapters, showChapters } from './chapter-texts.ts';
import {
  parseEnergyLabel,
  parseSafety,
  parseSerialKind,
  parseSpecifications,
  parseTaxClass,
  parseUpTo,
} from './parse-texts.ts';
import type { Parsed } from './parsed.ts';
import { MAX_BOX, MAX_SUMMARY } from './product-limits.ts';
import { listLabelFacts } from '../compliance/energy-label.ts';
import { listSafetyFacts } from '../compliance/product-safety.ts';

export type ContentField = keyof ProductContent;

/** A column of the CSV that holds the field as it is. */
interface CsvColumn<Value> {
  readonly name: string;
  /** A cell that is not empty. */
  readonly parse: (text: string) => Parsed<Value>;
  readonly format: (value: Value) => string;
  /** Meaning of an empty cell; absent: the product stays as it is. */
  readonly empty?: Value;
  /** Of a new product of a file without the column. */
  readonly initial: Value;
}

interface ProductField<Value> {
  /** Name in the history of the product. */
  readonly label: string;
  /** Type of the column of `products` that has the name of the field and holds it as it is. */
  readonly column?: 'text' | 'uuid' | 'integer' | 'json';
  /** Text of the column for files that the release before checked, which lack the field; absent: null. */
  readonly former?: string;
  /** The catalogue has it in memory, and its API sends it, as it is. */
  readonly isPublic?: true;
  /** Name and text in the changes of an import. */
  readonly change?: { readonly title: string; readonly show: (value: Value) => string };
  readonly csv?: CsvColumn<Value>;
}

type FieldTable = { readonly [Field in ContentField]: ProductField<ProductContent[Field]> };

const asText = (text: string): string => text;
const showGrams = (grams: number | null): string => (grams === null ? 'unknown' : `${grams} g`);

function showSpecifications(specifications: ProductContent['specifications']): string {
  const described = specifications.map(({ name, value }) => `${name}: ${value}`);
  return described.length === 0 ? 'none' : described.join('; ');
}

const showSafety = (safety: ProductContent['safety']): string =>
  listSafetyFacts(safety)
    .map(([label, text]) => `${label}: ${text}`)
    .join('; ') || 'that of the brand';

const showEnergyLabel = (label: ProductContent['energy_label']): string =>
  label === null
    ? 'none'
    : listLabelFacts(label)
        .map(([name, value]) => `${name}: ${value}`)
        .join('; ');

/** By name, as they are stored and as files have them. */
export const toSpecificationRecord = (
  specifications: ProductContent['specifications'],
): Readonly<Record<string, string>> => Object.fromEntries(specifications.map(({ name, value }) => [name, value]));

const FIELDS = {
  name: { label: 'name', column: 'text', isPublic: true, change: { title: 'Title', show: asText } },
  slug: { label: 'URL', column: 'text', isPublic: true },
  article: { label: 'article number', column: 'text', isPublic: true, change: { title: 'Article', show: asText } },
  category_id: { label: 'category', column: 'uuid' },
  brand_id: { label: 'brand', column: 'uuid' },
  base_price_usd: { label: 'base price' },
  description: { label: 'description', column: 'text', isPublic: true, change: { title: 'Description', show: asText } },
  description_markdown: { label: 'description' },
  sub_description: {
    label: 'summary',
    column: 'text',
    change: { title: 'Sub-description', show: asText },
    csv: { name: 'Shop / Sub-description', parse: parseUpTo(MAX_SUMMARY), format: asText, empty: '', initial: '' },
  },
  tax_class: {
    label: 'tax class',
    column: 'text',
    change: { title: 'Tax class', show: asText },
    csv: { name: 'Shop / Tax Class', parse: parseTaxClass, format: asText, initial: 'standard' },
  },
  serial_kind: {
    label: 'number asked at shipping',
    column: 'text',
    former: 'none',
    change: { title: 'Asked at shipping', show: asText },
    csv: { name: 'Shop / Serial Number', parse: parseSerialKind, format: asText, initial: 'none' },
  },
  weight_grams: { label: 'weight', column: 'integer', change: { title: 'Weight', show: showGrams } },
  safety: {
    label: 'safety information',
    column: 'json',
    change: { title: 'Product safety', show: showSafety },
    csv: {
      name: 'Shop / Product Safety',
      parse: parseSafety,
      format: (safety) => (safety === null ? '' : JSON.stringify(safety)),
      empty: null,
      initial: null,
    },
  },
  energy_label: {
    label: 'energy label',
    column: 'json',
    isPublic: true,
    change: { title: 'Energy label', show: showEnergyLabel },
    csv: {
      name: 'Shop / Energy Label',
      parse: parseEnergyLabel,
      format: (label) => (label === null ? '' : JSON.stringify(label)),
      empty: null,
      initial: null,
    },
  },
  specifications: {
    label: 'specifications',
    change: { title: 'Specifications', show: showSpecifications },
    csv: {
      name: 'Shop / Specifications',
      parse: parseSpecifications,
      format: (specifications) =>
        specifications.length === 0 ? '' : JSON.stringify(toSpecificationRecord(specifications)),
      empty: [],
      initial: [],
    },
  },
  in_the_box: {
    label: 'contents of the box',
    column: 'text',
    former: '',
    change: { title: 'In the box', show: asText },
    csv: { name: 'Shop / In The Box', parse: parseUpTo(MAX_BOX), format: asText, empty: '', initial: '' },
  },
  chapters: {
    label: 'chapters',
    column: 'json',
    former: '[]',
    change: { title: 'Chapters', show: showChapters },
    csv: { name: 'Shop / Chapters', parse: parseChapters, format: formatChapters, empty: [], initial: [] },
  },
  pictures: { label: 'pictures' },
  values: { label: 'values' },
  variants: { label: 'variants' },
} satisfies FieldTable;

type Table = typeof FIELDS;
type FieldWith<Part extends keyof ProductField<unknown>> = {
  [Field in ContentField]: Table[Field] extends Readonly<Record<Part, unknown>> ? Field : never;
}[ContentField];
type FieldsWith<Part extends keyof ProductField<unknown>> = {
  readonly [Field in FieldWith<Part>]: Required<Pick<ProductField<ProductContent[Field]>, Part>>;
};

const isContentField = (name: string): name is ContentField => Object.hasOwn(FIELDS, name);
const CONTENT_FIELDS = Object.keys(FIELDS).filter(isContentField);
const listFieldsWith = <Part extends 'column' | 'isPublic' | 'change' | 'csv'>(
  part: Part,
): readonly FieldWith<Part>[] =>
  CONTENT_FIELDS.filter((field): field is FieldWith<Part> => Object.hasOwn(FIELDS[field], part));

/** 'published' and 'withdrawn' are recorded as changes too and read as they are. */
export const formatFieldName = (name: string): string => (isContentField(name) ? FIELDS[name].label : name);

const toComparable = (value: unknown): string =>
  JSON.stringify(value, (_key, part: unknown) => (typeof part === 'bigint' ? part.toString() : part));

/** Fields whose content differs. */
export const listChangedFields = (before: ProductContent, after: ProductContent): readonly ContentField[] =>
  CONTENT_FIELDS.filter((field) => toComparable(before[field]) !== toComparable(after[field]));

export type ShownField = FieldWith<'change'>;
export const SHOWN_FIELDS = listFieldsWith('change');

/** A field as the changes of an import show it. */
export function describeField<Field extends ShownField>(
  field: Field,
  value: ProductContent[Field],
): { readonly title: string; readonly text: string } {
  const shown: FieldsWith<'change'> = FIELDS;
  const { title, show } = shown[field].change;
  return { title, text: show(value) };
}

export type CsvField = FieldWith<'csv'>;
export const CSV_FIELDS = listFieldsWith('csv');
const CSV: FieldsWith<'csv'> = FIELDS;

export const getCsvColumn = <Field extends CsvField>(field: Field): CsvColumn<ProductContent[Field]> => CSV[field].csv;

/** What new products have that files say nothing about. */
export const INITIAL_FIELDS =
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of the table
  Object.fromEntries(CSV_FIELDS.map((field) => [field, CSV[field].csv.initial])) as Pick<ProductContent, CsvField>;

export type ColumnField = FieldWith<'column'>;
export const COLUMN_FIELDS = listFieldsWith('column');
export const getColumnType = (field: ColumnField): 'text' | 'uuid' | 'integer' | 'json' => FIELDS[field].column;

const ROWS: FieldTable = FIELDS;
/** Values of columns that files of the release before lack, by name. */
export const FORMER_VALUES: ReadonlyMap<string, string> = new Map(
  COLUMN_FIELDS.flatMap((field) => {
    const { former } = ROWS[field];
    return former === undefined ? [] : [[field, former] as const];
  }),
);

function pickFields<Field extends ContentField>(
  fields: readonly Field[],
  of: Pick<ProductContent, Field>,
): Pick<ProductContent, Field> {
  const picked: Partial<Record<Field, unknown>> = {};
  for (const field of fields) picked[field] = of[field];
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the same keys
  return picked as Pick<ProductContent, Field>;
}

/** The fields that columns hold as they are, of a row or of content. */
export const pickColumns = (of: Pick<ProductContent, ColumnField>) => pickFields(COLUMN_FIELDS, of);

export type PublicFields = Pick<ProductContent, FieldWith<'isPublic'>>;
const PUBLIC_FIELDS = listFieldsWith('isPublic');

/** The fields that pages show as they are, of a row, of content or of the catalogue. */
export const pickPublicFields = (of: PublicFields): PublicFields => pickFields(PUBLIC_FIELDS, of);
