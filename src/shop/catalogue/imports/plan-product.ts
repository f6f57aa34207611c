/** The state of a product after the import. */
import { isLargePriceChange } from '../editing/large-price-change.ts';
import { createPriceOf, listPriceParts, toPaths } from '../editing/product-content.ts';
import type { EditedPicture, ProductContent } from '../editing/product-content.ts';
import { INITIAL_FIELDS } from '../editing/product-fields.ts';
import type { ProductWithStock, StoredProduct, VariantState } from '../editing/stored-product.ts';
import { createSku, createVariantKey, listCombinations } from '../products/variants.ts';
import { chooseArticle } from './choose-article.ts';
import { chooseChapters } from './choose-chapters.ts';
import { chooseDescription } from './choose-description.ts';
import { choosePictures } from './choose-pictures.ts';
import { choosePrices } from './choose-prices.ts';
import { chooseWeights } from './choose-weights.ts';
import { chooseStock } from './choose-stock.ts';
import { getColumn } from './columns.ts';
import type { Field, Problem } from './columns.ts';
import { findRaisedPrice } from './find-raised-price.ts';
import type { ImportedProduct, ImportedVariant } from './imported-product.ts';
import { formatPrice } from './parse-cells.ts';
import { shorten } from '../editing/parsed.ts';
import { findCategoryId } from './plan-structure.ts';
import { findLeftOut, listTakenSkus, withdrawLeftOut } from './left-out-variants.ts';
import { choosePositions, describeKey, findImages, findRepeated } from './match-names.ts';
import { describeUnknownWeight } from './unknown-weight.ts';
import type { StructureIndex } from './structure-index.ts';
import type { UsedNames } from './used-names.ts';
import type { SalePrice } from '../sale-prices/sale-price.ts';
import { NO_CENTS } from '#src/shop/money.ts';
import type { Cents } from '#src/shop/money.ts';
import type { UnknownWeightRule } from '#src/shop/shipping/compute-shipping.ts';

export interface ProductRequest {
  readonly imported: ImportedProduct;
  readonly present: StoredProduct | null;
  /** Present and future ones of the product. */
  readonly salePrices: readonly SalePrice[];
  readonly now: Date;
  readonly index: StructureIndex;
  readonly used: UsedNames;
  readonly createId: () => string;
  /** Stock of a new variant that the file leaves out; null: variants are not tracked by default. */
  readonly initialStock: number | null;
  /** What an unknown weight means for orders; null: no price depends on weights. */
  readonly unknownWeight: UnknownWeightRule | null;
  /** Position of a new product without one. */
  readonly nextPosition: () => number;
  readonly report: (problem: Problem) => void;
  /** Called for each variant of the file, with its cost if there is one. */
  readonly onCost: (variantId: string, imported: ImportedVariant, valueIds: readonly string[]) => void;
}

/** A line of the file with the variant that it describes; `present` is null for a new one. */
interface MatchedVariant {
  readonly imported: ImportedVariant;
  readonly valueIds: readonly string[];
  readonly present: VariantState | null;
}

/** Variants with what their prices and weights are made of. */
interface Offer extends Pick<ProductContent, 'base_price_usd' | 'values' | 'weight_grams'> {
  readonly variants: readonly VariantState[];
}

class ProductPlan {
  readonly #request: ProductRequest;
  readonly #id: string;
  readonly #categoryId: string;
  readonly #pictures: ReturnType<typeof choosePictures>;
  #isRefused = false;
  /** SKUs that its variants get. */
  readonly #ownSkus = new Set<string>();
  readonly #noticed = new Set<string>();

  constructor(request: ProductRequest) {
    this.#request = request;
    this.#id = request.present?.id ?? request.createId();
    this.#categoryId = findCategoryId(request.imported, request.index, request.present?.content.category_id);
    this.#pictures = choosePictures(request.imported, request.present);
  }

  plan(): ProductWithStock | null {
    const { imported, present, nextPosition } = this.#request;
    const name = imported.name ?? present?.content.name;
    if (name === undefined && imported.name !== null) this.#refuse('title', 'A new product needs a title');
    const brandId = this.#chooseBrand();
    const article = chooseArticle(this.#request, this.#id, (message) => this.#refuse('article', message));
    const offer = this.#planVariants(article);
    if (offer !== null) this.#checkOffer(offer);
    if (present !== null && present.draft !== null) {
      this.#notice(null, 'The product has saved changes that are not published. The import discards them');
    }
    if (offer === null || name === undefined || brandId === undefined || this.#isRefused) return null;
    const { variants, ...priced } = offer;
    const pictures = this.#toPictures(this.#pictures.images);
    return {
      id: this.#id,
      content: {
        ...INITIAL_FIELDS,
        ...present?.content,
        ...imported.fields,
        ...chooseDescription(imported, present, {
          refuse: (message) => this.#refuse('body', message),
          notice: (message) => this.#notice('body', message),
        }),
        ...priced,
        name,
        slug: imported.slug,
        article,
        brand_id: brandId,
        category_id: this.#categoryId,
        pictures,
        chapters: chooseChapters(imported, present, { pictures, values: priced.values, variants }, (message) =>
          this.#refuse('chapters', message),
        ),
      },
      variants,
      isPublished: this.#choosePublished(),
      position: imported.position ?? present?.position ?? nextPosition(),
    };
  }

  #toPictures(paths: readonly string[]): readonly EditedPicture[] {
    return paths.map((path) => ({ path, alt: this.#pictures.alts[path] ?? '' }));
  }

  /** With the texts that the file gives them. */
  #renewPictures(pictures: readonly EditedPicture[]): readonly EditedPicture[] {
    return this.#toPictures(toPaths(pictures));
  }

  #refuse(field: Field | null, message: string, line = this.#request.imported.line): void {
    this.#isRefused = true;
    this.#request.report({ severity: 'error', line, column: field && getColumn(field), message });
  }

  #chooseBrand(): string | undefined {
    const { imported, present, index } = this.#request;
    const named = imported.brand ?? undefined;
    const brandId = (named === undefined ? undefined : index.findBrand(named)?.id) ?? present?.content.brand_id;
    if (brandId === undefined && imported.brand !== null)
      this.#refuse('vendor', 'A new product needs a vendor, which is its brand');
    return brandId;
  }

  /** Reports prices that a sale price would not reduce, and what unknown weights mean. */
  #checkOffer(offer: Offer): void {
    const { imported, salePrices, now, report } = this.#request;
    const raised = findRaisedPrice(imported, offer, salePrices, now);
    if (raised !== null) {
      this.#isRefused = true;
      report(raised);
    }
    const unknown = describeUnknownWeight(this.#request, offer);
    if (unknown !== null) this.#notice('grams', unknown);
  }

  /** As in the editor, a product is published with a picture first. */
  #choosePublished(): boolean {
    const { imported, present } = this.#request;
    const { images } = this.#pictures;
    const isPublished = imported.isPublished ?? present?.isPublished ?? true;
    if (present?.isPublished === true || !isPublished || images.length > 0) return isPublished;
    const notice = present === null ? 'A new product' : 'A draft';
    this.#notice('imageSrc', `${notice} without a picture is imported as a draft`);
    return false;
  }

  #notice(field: Field | null, message: string, line = this.#request.imported.line): void {
    this.#request.report({ severity: 'notice', line, column: field && getColumn(field), message });
  }

  /** The values of a line in this category; null if one is unknown, which is a defect of the plan. */
  #findValueIds(values: readonly string[]): readonly string[] | null {
    const { imported, index } = this.#request;
    const ids = (imported.options ?? []).map((name, at) => {
      const property = index.findProperty(this.#categoryId, name);
      return property && index.findValue(property.id, values[at] ?? '')?.id;
    });
    const known = ids.filter((id) => id !== undefined);
    return known.length === ids.length ? known.toSorted() : null;
  }

  #planVariants(article: string): Offer | null {
    const { imported, present } = this.#request;
    if (imported.variants === null || imported.variants.length === 0) {
      if (present === null) this.#refuse('price', 'A new product needs a line with a price');
      if (present && present.content.values.length > 0 && present.content.category_id !== this.#categoryId) {
        this.#refuse('type', 'A product with options changes its category together with the lines of its variants');
      }
      if (present === null) return null;
      const { base_price_usd, values, weight_grams } = present.content;
      return {
        base_price_usd,
        values: values.map((value) => ({ ...value, pictures: this.#renewPictures(value.pictures) })),
        variants: present.variants.map((variant) => ({ ...variant, pictures: this.#renewPictures(variant.pictures) })),
        weight_grams: imported.weightGrams === undefined ? weight_grams : imported.weightGrams,
      };
    }
    if (present && present.content.values.length > 0 && imported.options === null) {
      this.#refuse('optionName1', 'The product has options. Its lines need their names and values');
      return null;
    }
    const matched = this.#matchVariants(imported.variants);
    const priced = matched && this.#findPrices(matched);
    if (!matched || !priced) return null;
    const before = present && listPriceParts({ ...present.content, variants: [] });
    const { basePriceCents, increases, ownPrices } = choosePrices(priced, before);
    const values = this.#planValues(matched, increases);
    const positions = choosePositions(matched);
    const leftOut = findLeftOut(present, matched);
    const { weightGrams, ownGrams, leftOutGrams } = chooseWeights({
      lines: matched,
      leftOut,
      present: present?.content.weight_grams,
      hasColumn: imported.hasWeights,
    });
    const variants = matched.map((variant, at) => ({
      ...this.#planVariant(variant, positions[at] ?? at),
      own_price_usd: ownPrices[at] ?? null,
      weight_grams: ownGrams[at] ?? null,
    }));
    for (const { at, message } of listTakenSkus(leftOut, variants, this.#request.index))
      this.#refuse('sku', message, imported.variants[at]?.line);
    const prices = { base_price_usd: basePriceCents, values };
    for (const variant of withdrawLeftOut({ present, variants: leftOut, ownGrams: leftOutGrams, prices })) {
      variants.push({ ...variant, pictures: this.#renewPictures(variant.pictures) });
    }
    this.#completeVariants(variants, { values, article });
    return { ...prices, variants, weight_grams: weightGrams };
  }

  /** Finds the variant of each line: by its values, else by its SKU. */
  #matchVariants(lines: readonly ImportedVariant[]): readonly MatchedVariant[] | null {
    const { present, index } = this.#request;
    const unused = new Map((present?.variants ?? []).map((variant) => [variant.id, variant]));
    const byKey = new Map([...unused.values()].map((variant) => [createVariantKey(variant.value_ids), variant]));
    const byNames = new Map([...unused.values()].map((variant) => [describeKey(index, variant.value_ids), variant]));
    const bySku = new Map([...unused.values()].map((variant) => [variant.sku, variant]));
    const take = (variant: VariantState | undefined): VariantState | null => {
      if (variant === undefined || !unused.delete(variant.id)) return null;
      return variant;
    };
    const found = lines.map((imported) => {
      const valueIds = this.#findValueIds(imported.values);
      if (valueIds === null) return null;
      return { imported, valueIds, present: take(byKey.get(createVariantKey(valueIds))) };
    });
    const matched = found.filter((variant) => variant !== null);
    const { keys, repeated } = findRepeated(matched);
    for (const { line, message } of repeated) this.#refuse('optionValue1', message, line);
    if (matched.length < found.length || keys < matched.length) return null;
    const byNamesToo = matched.map((variant) => ({
      ...variant,
      present: variant.present ?? take(byNames.get(describeKey(index, variant.valueIds))),
    }));
    return byNamesToo.map((variant) => ({
      ...variant,
      present: variant.present ?? take(bySku.get(variant.imported.sku ?? '')),
    }));
  }

  #findPrices(matched: readonly MatchedVariant[]) {
    const { present: product } = this.#request;
    const computePrice = product && createPriceOf(product.content);
    const priced = matched.map(({ imported, valueIds, present }) => {
      if (imported.priceCents === null) return null;
      const presentCents = present && computePrice && (present.own_price_usd ?? computePrice(present.value_ids));
      const priceCents = imported.priceCents ?? presentCents ?? undefined;
      if (priceCents === undefined) {
        this.#refuse('price', 'The price is missing', imported.line);
        return null;
      }
      if (presentCents !== null && isLargePriceChange(presentCents, priceCents)) {
        const [now, file] = [formatPrice(presentCents), formatPrice(priceCents)];
        this.#notice(
          'price',
          `The price is ${now} now and ${file} in the file, a change by half or more`,
          imported.line,
        );
      }
      const before = present && { priceCents: presentCents ?? 0n, ownPriceCents: present.own_price_usd };
      return { valueIds, priceCents, present: before };
    });
    const complete = priced.filter((variant) => variant !== null);
    return complete.length === priced.length ? complete : null;
  }

  #planValues(matched: readonly MatchedVariant[], increases: ReadonlyMap<string, Cents>): ProductContent['values'] {
    const { imported, present, index } = this.#request;
    const presentImages = new Map((present?.content.values ?? []).map(({ id, pictures }) => [id, toPaths(pictures)]));
    const ids = new Set(matched.flatMap(({ valueIds }) => valueIds));
    return [...ids].map((id) => {
      const described = index.describeValue(id);
      const given =
        described && imported.valueImages && findImages(imported.valueImages, described.property.name, described.value);
      return {
        id,
        increase_usd: increases.get(id) ?? NO_CENTS,
        pictures: this.#toPictures(given ?? presentImages.get(id) ?? []),
      };
    });
  }

  #planVariant(
    { imported, valueIds, present }: MatchedVariant,
    position: number,
  ): Omit<VariantState, 'own_price_usd' | 'weight_grams'> {
    const sku = imported.sku ?? present?.sku ?? '';
    if (sku !== '') this.#claimSku(sku, imported.line);
    const id = present?.id ?? this.#request.createId();
    this.#request.onCost(id, imported, valueIds);
    return {
      id,
      value_ids: valueIds,
      sku,
      gtin: imported.gtin ?? present?.gtin ?? '',
      pictures: this.#toPictures(imported.images ?? toPaths(present?.pictures ?? [])),
      is_published: imported.isPublished,
      position,
      available: chooseStock(imported, present, this.#request.initialStock !== null, {
        notice: (message) => this.#notice('quantity', message, imported.line),
        noticeOnce: (message) => this.#noticeOnce('quantity', message, imported.line),
      }),
    };
  }

  /** The first of its variants with this notice stands for the others. */
  #noticeOnce(field: Field, message: string, line: number): void {
    if (this.#noticed.has(message)) return;
    this.#noticed.add(message);
    this.#notice(field, message, line);
  }

  #claimSku(sku: string, line: number): void {
    const { skus, lines } = this.#request.used;
    const owner = skus.get(sku) ?? this.#id;
    this.#ownSkus.add(sku);
    if (owner === this.#id) return;
    const earlier = lines.get(owner);
    const other = earlier === undefined ? 'A variant of another product' : `The product of line ${earlier}`;
    this.#refuse('sku', `${other} has the same SKU “${shorten(sku)}”`, line);
  }

  /** Adds the missing combinations, which are not sold. Then gives SKUs to the variants without one. */
  #completeVariants(
    variants: VariantState[],
    { values, article }: { values: ProductContent['values']; article: string },
  ): void {
    const { createId } = this.#request;
    const keys = new Set(variants.map(({ value_ids }) => createVariantKey(value_ids)));
    for (const value_ids of this.#listCombinations(values)) {
      if (keys.has(createVariantKey(value_ids))) continue;
      variants.push({
        id: createId(),
        value_ids,
        own_price_usd: null,
        sku: '',
        gtin: '',
        weight_grams: null,
        pictures: [],
        is_published: false,
        position: variants.length,
        available: this.#request.initialStock,
      });
    }
    for (const [at, variant] of variants.entries()) {
      if (variant.sku === '')
        variants[at] = { ...variant, sku: this.#createSku(article, at, variants.length, variant.id) };
    }
  }

  #listCombinations(values: ProductContent['values']): readonly (readonly string[])[] {
    const { index } = this.#request;
    const byProperty = Map.groupBy(values, ({ id }) => index.describeValue(id)?.property.id ?? '');
    return listCombinations([...byProperty.values()].map((of) => ({ values: of })));
  }

  #createSku(article: string, at: number, total: number, variantId: string): string {
    const { skus } = this.#request.used;
    const usual = createSku(article.slice(0, 50), at, total);
    const sku = skus.has(usual) || this.#ownSkus.has(usual) ? `${usual}-${variantId.slice(-8)}` : usual;
    this.#ownSkus.add(sku);
    return sku;
  }
}

/** Null if the product can't be imported; the problems are reported. */
export const planProduct = (request: ProductRequest): ProductWithStock | null => new ProductPlan(request).plan();
