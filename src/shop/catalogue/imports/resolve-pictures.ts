/** Replaces the addresses of pictures on other sites by the paths of the pictures that they became. */
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
  const { images, pictureAlts, valueImages, variants } = product;
  return {
    ...product,
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
  const alts = Object.entries(resolveKeys(target.picture_alts, known)).filter(([picture]) => !isForeign(picture));
  return {
    ...target,
    images,
    main_image: main === '' ? (images[0] ?? '') : main,
    picture_alts: Object.fromEntries(alts),
    is_published: target.is_published && !(isNew && images.length === 0),
    values: loadAll(target.values),
    variants: loadAll(target.variants),
  };
}
