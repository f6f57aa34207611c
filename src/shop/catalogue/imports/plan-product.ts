/** The state of a product after the import. */
import { isLargePriceChange } from '../editing/large-price-change.ts';
import { createSku, createVariantKey, listCombinations } from '../products/variants.ts';
import { choosePictures } from './choose-pictures.ts';
import { choosePrices } from './choose-prices.ts';
import { chooseWeights } from './choose-weights.ts';
import { chooseStock } from './choose-stock.ts';
import { getColumn } from './columns.ts';
import type { Field, Problem } from './columns.ts';
import { findRaisedPrice } from './find-raised-price.ts';
import { formatHtml, parseHtml } from './html-text.ts';
import type { ImportedProduct, ImportedVariant } from './imported-product.ts';
import { formatPrice } from './parse-cells.ts';
import { shorten } from './parsed.ts';
import { findCategoryId } from './plan-structure.ts';
import { findLeftOut, listTakenSkus, withdrawLeftOut } from './left-out-variants.ts';
import { choosePositions, describeKey, findImages } from './match-names.ts';
import { createPriceOf, listPriceParts } from './product-state.ts';
import { describeUnknownWeight } from './unknown-weight.ts';
import type { PresentProduct, ProductState, ValueState, VariantState } from './product-state.ts';
import type { StructureIndex } from './structure-index.ts';
import type { UsedNames } from './used-names.ts';
import type { SalePrice } from '../sale-prices/sale-price.ts';
import { NO_CENTS, cents } from '#src/shop/money.ts';
import type { UnknownWeightRule } from '#src/shop/shipping/compute-shipping.ts';

export interface ProductRequest {
  readonly imported: ImportedProduct;
  readonly present: PresentProduct | null;
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
}

/** A line of the file with the variant that it describes; `present` is null for a new one. */
interface MatchedVariant {
  readonly imported: ImportedVariant;
  readonly valueIds: readonly string[];
  readonly present: VariantState | null;
}

/** Variants with what their prices and weights are made of. */
type Offer = Pick<ProductState, 'basePriceCents' | 'values' | 'variants' | 'weightGrams'>;

const MAX_DESCRIPTION = 20_000;
const MAX_ARTICLE = 60;

class ProductPlan {
  readonly #request: ProductRequest;
  readonly #id: string;
  readonly #categoryId: string;
  #isRefused = false;
  /** SKUs that its variants get. */
  readonly #ownSkus = new Set<string>();
  readonly #noticed = new Set<string>();

  constructor(request: ProductRequest) {
    this.#request = request;
    this.#id = request.present?.id ?? request.createId();
    this.#categoryId = findCategoryId(request.imported, request.index, request.present?.categoryId);
  }

  plan(): ProductState | null {
    const { imported, present, index } = this.#request;
    const name = imported.name ?? present?.name;
    if (name === undefined && imported.name !== null) this.#refuse('title', 'A new product needs a title');
    const brand = imported.brand ?? undefined;
    const brandId = (brand === undefined ? undefined : index.findBrand(brand)?.id) ?? present?.brandId;
    if (brandId === undefined && imported.brand !== null)
      this.#refuse('vendor', 'A new product needs a vendor, which is its brand');
    const article = this.#chooseArticle();
    const offer = this.#planVariants(article);
    if (offer !== null) {
      this.#checkSalePrices(offer);
      const unknown = describeUnknownWeight(this.#request, offer);
      if (unknown !== null) this.#notice('grams', unknown);
    }
    const pictures = choosePictures(imported, present);
    if (present?.hasDraft === true) {
      this.#notice(null, 'The product has saved changes that are not published. The import discards them');
    }
    if (offer === null || name === undefined || brandId === undefined || this.#isRefused) return null;
    return {
      id: this.#id,
      slug: imported.slug,
      name,
      article,
      brandId,
      categoryId: this.#categoryId,
      ...this.#chooseDetails(),
      ...pictures,
      isPublished: this.#choosePublished(pictures.images),
      ...offer,
    };
  }

  #refuse(field: Field | null, message: string, line = this.#request.imported.line): void {
    this.#isRefused = true;
    this.#request.report({ severity: 'error', line, column: field && getColumn(field), message });
  }

  #checkSalePrices(offer: Pick<ProductState, 'basePriceCents' | 'values' | 'variants'>): void {
    const { imported, salePrices, now, report } = this.#request;
    const raised = findRaisedPrice(imported, offer, salePrices, now);
    if (raised === null) return;
    this.#isRefused = true;
    report(raised);
  }

  #chooseArticle(): string {
    const { imported, present, used } = this.#request;
    const isFree = (article: string): boolean => (used.articles.get(article) ?? this.#id) === this.#id;
    const { article: given } = imported;
    if (given !== undefined && !isFree(given)) {
      this.#refuse('article', `Another product has the article number “${given}”`);
    }
    const [only] = imported.variants?.length === 1 ? imported.variants : [];
    const derived = [only?.sku ?? imported.slug, imported.slug].filter(({ length }) => length <= MAX_ARTICLE);
    return given ?? present?.article ?? derived.find(isFree) ?? `${imported.slug.slice(0, 40)}-${this.#id.slice(-12)}`;
  }

  #chooseDetails() {
    const { imported, present, nextPosition } = this.#request;
    return {
      taxClass: imported.taxClass ?? present?.taxClass ?? ('standard' as const),
      description: this.#chooseDescription(),
      subDescription: imported.subDescription ?? present?.subDescription ?? '',
      specifications: imported.specifications ?? present?.specifications ?? {},
      position: imported.position ?? present?.position ?? nextPosition(),
    };
  }

  /** As in the editor, a product is published with a picture first. */
  #choosePublished(images: readonly string[]): boolean {
    const { imported, present } = this.#request;
    const isPublished = imported.isPublished ?? present?.isPublished ?? true;
    if (present?.isPublished === true || !isPublished || images.length > 0) return isPublished;
    const notice = present === null ? 'A new product' : 'A draft';
    this.#notice('imageSrc', `${notice} without a picture is imported as a draft`);
    return false;
  }

  #notice(field: Field | null, message: string, line = this.#request.imported.line): void {
    this.#request.report({ severity: 'notice', line, column: field && getColumn(field), message });
  }

  #chooseDescription(): string {
    const { imported, present } = this.#request;
    // A description that came from the shop stays as it is, blanks included.
    if (imported.body === undefined || (present && formatHtml(present.description) === imported.body)) {
      return present?.description ?? '';
    }
    const text = parseHtml(imported.body);
    if (text.length > MAX_DESCRIPTION) {
      this.#refuse('body', `The text has ${text.length} characters. At most ${MAX_DESCRIPTION} are allowed`);
    }
    const isReplaced = present?.hasMarkdown === true && text !== present.description;
    if (isReplaced) this.#notice('body', 'The text of the file replaces the Markdown of the shop');
    return text;
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
      if (present && present.values.length > 0 && present.categoryId !== this.#categoryId) {
        this.#refuse('type', 'A product with options changes its category together with the lines of its variants');
      }
      if (present === null) return null;
      const { basePriceCents, values, variants, weightGrams } = present;
      return {
        basePriceCents,
        values,
        variants,
        weightGrams: imported.weightGrams === undefined ? weightGrams : imported.weightGrams,
      };
    }
    if (present && present.values.length > 0 && imported.options === null) {
      this.#refuse('optionName1', 'The product has options. Its lines need their names and values');
      return null;
    }
    const matched = this.#matchVariants(imported.variants);
    const priced = matched && this.#findPrices(matched);
    if (!matched || !priced) return null;
    const { basePriceCents, increases, ownPrices } = choosePrices(priced, present && listPriceParts(present));
    const values = this.#planValues(matched, increases);
    const positions = choosePositions(matched);
    const leftOut = findLeftOut(present, matched);
    const { weightGrams, ownGrams, leftOutGrams } = chooseWeights({
      lines: matched,
      leftOut,
      present: present?.weightGrams,
      hasColumn: imported.hasWeights,
    });
    const variants = matched.map((variant, at) => ({
      ...this.#planVariant(variant, positions[at] ?? at),
      ownPriceCents: ownPrices[at] ?? null,
      weightGrams: ownGrams[at] ?? null,
    }));
    for (const { at, message } of listTakenSkus(leftOut, variants, this.#request.index))
      this.#refuse('sku', message, imported.variants[at]?.line);
    const prices = { basePriceCents, values };
    variants.push(...withdrawLeftOut({ present, variants: leftOut, ownGrams: leftOutGrams, prices }));
    this.#completeVariants(variants, { values, article });
    return { basePriceCents, values, variants, weightGrams };
  }

  /** Finds the variant of each line: by its values, else by its SKU. */
  #matchVariants(lines: readonly ImportedVariant[]): readonly MatchedVariant[] | null {
    const { present, index } = this.#request;
    const unused = new Map((present?.variants ?? []).map((variant) => [variant.id, variant]));
    const byKey = new Map([...unused.values()].map((variant) => [createVariantKey(variant.valueIds), variant]));
    const byNames = new Map([...unused.values()].map((variant) => [describeKey(index, variant.valueIds), variant]));
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
    if (matched.length < found.length || this.#refuseRepeated(matched)) return null;
    const byNamesToo = matched.map((variant) => ({
      ...variant,
      present: variant.present ?? take(byNames.get(describeKey(index, variant.valueIds))),
    }));
    return byNamesToo.map((variant) => ({
      ...variant,
      present: variant.present ?? take(bySku.get(variant.imported.sku ?? '')),
    }));
  }

  /** Values that differ in case only are the same value. Equal ones are reported already. */
  #refuseRepeated(matched: readonly MatchedVariant[]): boolean {
    const seen = new Map<string, string>();
    for (const { imported, valueIds } of matched) {
      const key = createVariantKey(valueIds);
      const values = imported.values.join(' / ');
      const earlier = seen.get(key) ?? values;
      const message = `“${values}” and “${earlier}” of an earlier line are the same here`;
      if (earlier !== values) this.#refuse('optionValue1', message, imported.line);
      seen.set(key, earlier);
    }
    return seen.size < matched.length;
  }

  #findPrices(matched: readonly MatchedVariant[]) {
    const { present: product } = this.#request;
    const computePrice = product && createPriceOf(product);
    const priced = matched.map(({ imported, valueIds, present }) => {
      if (imported.priceCents === null) return null;
      const presentCents = present && computePrice && (present.ownPriceCents ?? computePrice(present.valueIds));
      const priceCents = imported.priceCents ?? (presentCents === null ? undefined : cents(presentCents));
      if (priceCents === undefined) {
        this.#refuse('price', 'The price is missing', imported.line);
        return null;
      }
      if (presentCents !== null && isLargePriceChange(presentCents, priceCents)) {
        const [now, file] = [formatPrice(cents(presentCents)), formatPrice(priceCents)];
        this.#notice(
          'price',
          `The price is ${now} now and ${file} in the file, a change by half or more`,
          imported.line,
        );
      }
      const before = present && { priceCents: presentCents ?? 0n, ownPriceCents: present.ownPriceCents };
      return { valueIds, priceCents, present: before };
    });
    const complete = priced.filter((variant) => variant !== null);
    return complete.length === priced.length ? complete : null;
  }

  #planValues(
    matched: readonly MatchedVariant[],
    increases: ReadonlyMap<string, ReturnType<typeof cents>>,
  ): ValueState[] {
    const { imported, present, index } = this.#request;
    const presentImages = new Map((present?.values ?? []).map(({ valueId, images }) => [valueId, images]));
    const ids = new Set(matched.flatMap(({ valueIds }) => valueIds));
    return [...ids].map((valueId) => {
      const described = index.describeValue(valueId);
      const given =
        described && imported.valueImages && findImages(imported.valueImages, described.property.name, described.value);
      return {
        valueId,
        increaseCents: increases.get(valueId) ?? NO_CENTS,
        images: given ?? presentImages.get(valueId) ?? [],
      };
    });
  }

  #planVariant(
    { imported, valueIds, present }: MatchedVariant,
    position: number,
  ): Omit<VariantState, 'ownPriceCents' | 'weightGrams'> {
    const sku = imported.sku ?? present?.sku ?? '';
    if (sku !== '') this.#claimSku(sku, imported.line);
    return {
      id: present?.id ?? this.#request.createId(),
      valueIds,
      sku,
      gtin: imported.gtin === undefined ? (present?.gtin ?? null) : imported.gtin,
      images: imported.images ?? present?.images ?? [],
      isPublished: imported.isPublished,
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
    { values, article }: { values: readonly ValueState[]; article: string },
  ): void {
    const { createId } = this.#request;
    const keys = new Set(variants.map(({ valueIds }) => createVariantKey(valueIds)));
    for (const valueIds of this.#listCombinations(values)) {
      if (keys.has(createVariantKey(valueIds))) continue;
      variants.push({
        id: createId(),
        valueIds,
        ownPriceCents: null,
        sku: '',
        gtin: null,
        weightGrams: null,
        images: [],
        isPublished: false,
        position: variants.length,
        available: this.#request.initialStock,
      });
    }
    for (const [at, variant] of variants.entries()) {
      if (variant.sku === '')
        variants[at] = { ...variant, sku: this.#createSku(article, at, variants.length, variant.id) };
    }
  }

  #listCombinations(values: readonly ValueState[]): readonly (readonly string[])[] {
    const { index } = this.#request;
    const byProperty = Map.groupBy(values, ({ valueId }) => index.describeValue(valueId)?.property.id ?? '');
    return listCombinations(
      [...byProperty.values()].map((of) => ({ values: of.map(({ valueId }) => ({ id: valueId })) })),
    );
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
export const planProduct = (request: ProductRequest): ProductState | null => new ProductPlan(request).plan();
