/** Replaces the addresses of pictures on other sites by the paths of the pictures that they became. */
import { mapPictures } from '../chapters/chapters.ts';
import type { ImportedProduct } from './imported-product.ts';
import { isForeign } from './picture-address.ts';

/** Paths by address. */
export type KnownPictures = ReadonlyMap<string, string>;

const resolveList = (pictures: readonly string[], known: KnownPictures): readonly string[] => [
  ...new Set(pictures.map((picture) => known.get(picture) ?? picture)),
];

const resolveKeys = (alts: Readonly<Record<string, string>>, known: KnownPictures) =>
  Object.fromEntries(Object.entries(alts).map(([picture, alt]) => [known.get(picture) ?? picture, alt]));

/** A product of a file with the pictures that earlier imports loaded. Unknown ones keep their address. */
export function resolveImported(product: ImportedProduct, known: KnownPictures): ImportedProduct {
  if (known.size === 0) return product;
  const { images, pictureAlts, valueImages, variants, fields } = product;
  const { chapters } = fields;
  return {
    ...product,
    fields:
      chapters === undefined
        ? fields
        : { ...fields, chapters: mapPictures(chapters, (picture) => known.get(picture) ?? picture) },
    images: images && resolveList(images, known),
    pictureAlts: pictureAlts && resolveKeys(pictureAlts, known),
    valueImages:
      valueImages &&
      new Map(
        [...valueImages].map(([option, values]) => [
          option,
          new Map([...values].map(([value, own]) => [value, resolveList(own, known)])),
        ]),
      ),
    variants:
      variants &&
      variants.map((variant) => ({ ...variant, images: variant.images && resolveList(variant.images, known) })),
  };
}

/** The pictures of a planned product in the form that is stored. */
export interface TargetPictures {
  readonly images: readonly string[];
  readonly main_image: string;
  readonly picture_alts: Readonly<Record<string, string>>;
  readonly is_published: boolean;
  /** Absent from products that the former release checked. */
  readonly chapters?: readonly { readonly picture: string | null }[];
  readonly values: readonly { readonly images: readonly string[] }[];
  readonly variants: readonly { readonly images: readonly string[] }[];
}

/**
 * A planned product with loaded pictures; those that could not be loaded are left out. A new product
 * that has none then becomes a draft.
 */
export function resolveTarget<Target extends TargetPictures>(
  target: Target,
  known: KnownPictures,
  isNew: boolean,
): Target {
  const load = (pictures: readonly string[]): readonly string[] =>
    resolveList(pictures, known).filter((picture) => !isForeign(picture));
  const loadAll = <Part extends { readonly images: readonly string[] }>(parts: readonly Part[]): readonly Part[] =>
    parts.map((part) => ({ ...part, images: load(part.images) }));
  const images = load(target.images);
  const [main = ''] = load(target.main_image === '' ? [] : [target.main_image]);
  const loadOne = (picture: string): string | null => load([picture])[0] ?? null;
  const alts = Object.entries(resolveKeys(target.picture_alts, known)).filter(([picture]) => !isForeign(picture));
  return {
    ...target,
    images,
    main_image: main === '' ? (images[0] ?? '') : main,
    picture_alts: Object.fromEntries(alts),
    is_published: target.is_published && !(isNew && images.length === 0),
    ...(target.chapters && { chapters: mapPictures(target.chapters, loadOne) }),
    values: loadAll(target.values),
    variants: loadAll(target.variants),
  };
}
