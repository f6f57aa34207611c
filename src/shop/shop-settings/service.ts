/** Identity and settings of the shop, held in memory by every process and changed by owners. */
import { transact } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import { readRevision } from '#src/platform/database/revisions.ts';
import type { RevisionedData } from '#src/platform/database/revisions.ts';
import { Refusal, refuseInvalid } from '#src/platform/http/call.ts';
import { getShippingOffer } from '#src/shop/shipping/compute-shipping.ts';
import type { Shipping } from '#src/shop/shipping/service.ts';
import type { Taxes } from '#src/shop/tax/service.ts';
import type { StaffActor } from '#src/shop/audit-log/actor.ts';
import { changeDocument, OUTDATED, readConflict } from '#src/shop/editing/service.ts';
import type { EditingOptions } from '#src/shop/editing/service.ts';
import { listTimeZones } from '#src/shop/shop-days.ts';
import type { ShopDescription } from './contract.ts';
import { createFileSlug } from './file-slug.ts';
import { checkPictures, prepareIcons } from './pictures.service.ts';
import type { FieldMessages, PictureLibrary } from './pictures.service.ts';
import { findOrderNumbers, formatOrderNumber } from './order-number.ts';
import type { RefundMethod } from './refund-method.ts';
import { settingsSections } from './shop-settings.ts';
import type { SettingsOfSections, SettingsSection, ShopSettingsData, Versioned } from './shop-settings.ts';
import { updateSection } from './store.ts';
import { loadShopSettings, lockShopSettings } from './stored-settings.service.ts';

const TOPIC = 'shop-settings';
const MAX_PREFIXES = 50;

const TOO_MANY_PREFIXES = new Refusal(
  409,
  'too-many-prefixes',
  'The prefix was changed too often. Use one of the former prefixes.',
);

/** The former prefixes after a change of the prefix; null if there would be too many prefixes. */
function listFormerPrefixes({ orders, formerOrderPrefixes }: ShopSettingsData, next: string): string[] | null {
  const former = new Set([...formerOrderPrefixes, orders.order_prefix].filter((prefix) => prefix !== ''));
  const isNew = next !== '' && !former.has(next);
  return isNew && former.size >= MAX_PREFIXES ? null : [...former];
}

/** Sections with the versions that they are based on. */
export type ChangedSections = { readonly [Section in SettingsSection]?: Versioned<Section> | undefined };

interface ChangedSection {
  readonly section: SettingsSection;
  readonly version: number;
  readonly values: SettingsOfSections[SettingsSection];
}

const listChanged = (sections: ChangedSections): ChangedSection[] =>
  settingsSections.flatMap((section) => {
    const changed = sections[section];
    if (changed === undefined) return [];
    const { version, ...values } = changed;
    return [{ section, version, values }];
  });

/** Formats order numbers with the prefix of the shop. */
export type OrderNumbers = Pick<ShopSettings, 'formatOrderNumber'>;

export interface ShopSettingsOptions extends EditingOptions {
  readonly pictures: PictureLibrary;
  readonly shipping: Pick<Shipping, 'current' | 'revision'>;
  readonly taxes: Pick<Taxes, 'current' | 'revision' | 'read'>;
  /** Called after new settings were read. */
  readonly onRefreshed: () => Promise<void>;
}

/** The tax number of the seller, empty without one. Serializes with changes until the transaction ends. */
export const lockTaxNumber = async (tx: Db): Promise<string> => (await lockShopSettings(tx)).legal.tax_number;

/** The stored settings, for commands without a running shop. */
export const readShopSettings = (db: Db): Promise<ShopSettingsData> => loadShopSettings(db);

export class ShopSettings implements RevisionedData {
  readonly topic = TOPIC;
  readonly #options: ShopSettingsOptions;
  #current: ShopSettingsData;
  #revision = 0n;

  private constructor(options: ShopSettingsOptions, current: ShopSettingsData) {
    this.#options = options;
    this.#current = current;
  }

  static async open(options: ShopSettingsOptions): Promise<ShopSettings> {
    const settings = new ShopSettings(options, await loadShopSettings(options.db));
    await settings.refresh();
    return settings;
  }

  get revision(): bigint {
    return this.#revision;
  }

  /** Version of what `describe` returns. */
  get descriptionVersion(): string {
    const { shipping, taxes } = this.#options;
    return `${this.#revision} ${shipping.revision} ${taxes.revision}`;
  }

  get current(): ShopSettingsData {
    return this.#current;
  }

  async refresh(): Promise<void> {
    await transact(
      this.#options.db,
      async (tx) => {
        const revision = await readRevision(tx, TOPIC);
        this.#current = await loadShopSettings(tx);
        this.#revision = revision;
      },
      { isolationLevel: 'repeatable read' },
    );
    await this.#options.onRefreshed();
  }

  /** Stores all of these sections if nobody changed one of them since its version, or none. */
  async changeAll(sections: ChangedSections, by: StaffActor): Promise<ShopSettingsData | Refusal> {
    const { pictures } = this.#options;
    const { identity } = this.#current;
    const changed = listChanged(sections);
    const refused = refuseInvalid(sections.identity ? await prepareIcons(pictures, identity, sections.identity) : {});
    if (refused !== null) return refused;
    let outdated: ChangedSection | undefined;
    return changeDocument(this.#options, {
      by,
      what: 'these settings',
      subject: { kind: 'settings', id: 'shop' },
      topics: [TOPIC],
      lock: async (tx) => {
        const before = { ...identity, ...this.#current.consumers };
        const missing = await checkPictures(tx, pictures, before, { ...sections.identity, ...sections.consumers });
        return { stored: await lockShopSettings(tx), missing };
      },
      readConflict: (db) => readConflict(db, { kind: 'settings', id: outdated?.section ?? '' }, outdated?.version ?? 0),
      write: async (tx, { stored, missing }) => {
        outdated = changed.find(({ section, version }) => stored[section].version !== version);
        if (outdated !== undefined) return OUTDATED;
        const { legal = {}, orders } = sections;
        const invalid = refuseInvalid({ ...missing, ...(await this.#findNeededFields(tx, legal)) });
        if (invalid !== null) return invalid;
        const former =
          orders === undefined ? stored.formerOrderPrefixes : listFormerPrefixes(stored, orders.order_prefix);
        if (former === null) return TOO_MANY_PREFIXES;
        for (const { section, version, values } of changed) {
          await updateSection(tx, section, version + 1, values, former);
        }
        const saved = await loadShopSettings(tx);
        const recorded = changed.map(({ section, version }) => ({
          subject: { kind: 'settings', id: section } as const,
          action: 'settings.changed',
          version: version + 1,
          before: { ...stored[section], version: null },
          after: { ...saved[section], version: null },
        }));
        return { saved, recorded };
      },
    });
  }

  /** Stores a section if nobody changed it since this version. */
  async change<Section extends SettingsSection>(
    section: Section,
    version: number,
    values: SettingsOfSections[Section],
    by: StaffActor,
  ): Promise<Versioned<Section> | Refusal> {
    const { pictures } = this.#options;
    const { identity } = this.#current;
    const problems = 'favicon_path' in values ? await prepareIcons(pictures, identity, values) : {};
    const refused = refuseInvalid(problems);
    if (refused !== null) return refused;
    return changeDocument(this.#options, {
      by,
      version,
      what: 'these settings',
      subject: { kind: 'settings', id: section },
      topics: [TOPIC],
      lock: async (tx) => {
        // Before the row is locked: the deletion of a picture takes its lock first, too.
        const missing = await checkPictures(tx, pictures, { ...identity, ...this.#current.consumers }, values);
        const stored = await lockShopSettings(tx);
        return { version: stored[section].version, stored, missing };
      },
      write: async (tx, { stored, missing }) => {
        const invalid = refuseInvalid({ ...missing, ...(await this.#findNeededFields(tx, values)) });
        if (invalid !== null) return invalid;
        const former =
          'order_prefix' in values ? listFormerPrefixes(stored, values.order_prefix) : stored.formerOrderPrefixes;
        if (former === null) return TOO_MANY_PREFIXES;
        await updateSection(tx, section, version + 1, values, former);
        const saved = (await loadShopSettings(tx))[section];
        const before = { ...stored[section], version: null };
        return { saved, recorded: { action: 'settings.changed', before, after: { ...saved, version: null } } };
      },
    });
  }

  /** Messages of fields that may not be empty now. The row of the settings is locked. */
  async #findNeededFields(tx: Db, values: Partial<SettingsOfSections['legal']> | object): Promise<FieldMessages> {
    if (!('tax_number' in values) || values.tax_number !== '') return {};
    const { rates } = await this.#options.taxes.read(tx);
    return rates.length === 0 ? {} : { tax_number: 'is required while there are tax rates. Remove the rates first.' };
  }

  /** What a refund returns. */
  get refundMethod(): RefundMethod {
    return this.#current.refunds.refund_method;
  }

  /** Whether consumers in the EU or the United Kingdom can buy here. */
  get sellsToEuConsumers(): boolean {
    return this.#current.consumers.sells_to_eu_consumers;
  }

  /** Of the shop's days: an IANA name. */
  get timeZone(): string {
    return this.#current.time.time_zone;
  }

  /** What the time zone may be. */
  listTimeZones(): string[] {
    return listTimeZones();
  }

  /** The order number as people see it. */
  formatOrderNumber(number: bigint): string {
    return formatOrderNumber(number, this.#current.orders.order_prefix);
  }

  /** The order numbers that this text may mean, with the present prefix, a former one or none. */
  findOrderNumbers(text: string): string[] {
    const { orders, formerOrderPrefixes } = this.#current;
    return findOrderNumbers(text, [orders.order_prefix, ...formerOrderPrefixes]);
  }

  /** The shop's name as a part of file names. */
  get fileSlug(): string {
    return createFileSlug(this.#current.identity.name);
  }

  /** What every visitor sees of the shop itself. */
  describe(): ShopDescription {
    const { identity, legal, announcement } = this.#current;
    const { shipping, taxes } = this.#options;
    const { priceMode, rates, taxName } = taxes.current;
    const { announcement_text: text, announcement_link: link, announcement_is_on: isOn } = announcement;
    return {
      name: identity.name,
      address: identity.address,
      delivery_line: identity.delivery_line,
      logo_path: identity.logo_path,
      favicon_path: identity.favicon_path,
      company: legal.company,
      registration_number: legal.registration_number,
      tax_number: legal.tax_number,
      contact_email: legal.contact_email,
      contact_phone: legal.contact_phone,
      footer_note: legal.footer_note,
      shipping: getShippingOffer(shipping.current),
      tax: rates.length === 0 ? null : { name: taxName, is_included: priceMode === 'gross' },
      sells_to_eu_consumers: this.sellsToEuConsumers,
      guarantee_notice_path: this.#current.consumers.guarantee_notice_path,
      announcement: isOn ? { text, link } : null,
    };
  }
}
