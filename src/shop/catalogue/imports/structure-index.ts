/** Finds brands, categories, properties and values by name: the exact one, else one in another case. */
import type { Named, Structure } from './structure.ts';

type Property = Structure['properties'][number];
type Value = Structure['values'][number];

/** Prefix of keys that disregard case. */
const FOLDED = '\n';

/** Finds entries by name: the exact one, else the first in another case. */
class NameMap<Entry> {
  readonly #entries = new Map<string, Entry>();

  add(scope: string, name: string, entry: Entry): void {
    this.#entries.set(`${scope} ${name}`, entry);
    const folded = `${FOLDED}${scope} ${name.toLowerCase()}`;
    if (!this.#entries.has(folded)) this.#entries.set(folded, entry);
  }

  find(scope: string, name: string): Entry | undefined {
    return this.#entries.get(`${scope} ${name}`) ?? this.#entries.get(`${FOLDED}${scope} ${name.toLowerCase()}`);
  }
}

export class StructureIndex {
  readonly #brands = new NameMap<Named>();
  readonly #categories = new NameMap<Named>();
  readonly #properties = new NameMap<Property>();
  readonly #values = new NameMap<Value>();
  readonly #valuesById = new Map<string, Value>();
  readonly #propertiesById = new Map<string, Property>();
  readonly #propertyOrder = new Map<string, number>();
  readonly #namesById = new Map<string, string>();

  constructor(structure: Structure) {
    for (const brand of structure.brands) this.addBrand(brand);
    for (const category of structure.categories) this.addCategory(category);
    for (const property of structure.properties) this.addProperty(property);
    for (const value of structure.values) this.addValue(value);
  }

  addBrand(brand: Named): void {
    this.#brands.add('', brand.name, brand);
    this.#namesById.set(brand.id, brand.name);
  }

  addCategory(category: Named): void {
    this.#categories.add('', category.name, category);
    this.#namesById.set(category.id, category.name);
  }

  /** Properties are added in display order. */
  addProperty(property: Property): void {
    this.#properties.add(property.categoryId, property.name, property);
    this.#propertiesById.set(property.id, property);
    this.#propertyOrder.set(property.id, this.#propertyOrder.size);
  }

  addValue(value: Value): void {
    this.#values.add(value.propertyId, value.value, value);
    this.#valuesById.set(value.id, value);
  }

  findBrand(name: string): Named | undefined {
    return this.#brands.find('', name);
  }

  findCategory(name: string): Named | undefined {
    return this.#categories.find('', name);
  }

  findProperty(categoryId: string, name: string): Property | undefined {
    return this.#properties.find(categoryId, name);
  }

  findValue(propertyId: string, value: string): Value | undefined {
    return this.#values.find(propertyId, value);
  }

  /** The name of a brand or category. */
  getName(id: string): string {
    return this.#namesById.get(id) ?? '';
  }

  /** A value with its property; both have their place in the display order. */
  describeValue(
    valueId: string,
  ): { readonly property: Property; readonly value: string; readonly order: number } | null {
    const value = this.#valuesById.get(valueId);
    const property = value && this.#propertiesById.get(value.propertyId);
    if (!value || !property) return null;
    return { property, value: value.value, order: this.#propertyOrder.get(property.id) ?? 0 };
  }

  /** Values of a variant in display order, such as `256GB / Blue`. */
  describeVariant(valueIds: readonly string[]): string {
    const described = valueIds.flatMap((id) => this.describeValue(id) ?? []);
    return described
      .toSorted((a, b) => a.order - b.order)
      .map(({ value }) => value)
      .join(' / ');
  }
}
