/**
 * The texts that a buyer is given on a durable medium with the confirmation of an order (Directive 2011/83/EU, article
 * 8(7)): the terms, and for consumers the instruction on withdrawal, the withdrawal form and the reminder of the legal guarantee. They are stored when the
 * order is placed, so that a mail that is sent again, or the page of the order, shows the same ones.
 */
import { createHash } from 'node:crypto';
import type { Db } from '#src/platform/database/database.ts';
import type { FilledDocument } from '#src/platform/markdown/fill-document.ts';
import type { PdfRenderer } from '#src/platform/pdf/pdf-renderer.ts';
import type { Clock } from '#src/platform/process/clock.ts';
import type { Log } from '#src/platform/process/log.ts';
import type { ShopSettings } from '#src/shop/shop-settings/service.ts';
import { composeTerms } from './compose-terms.service.ts';
import { composeGuarantee } from './compose-guarantee.ts';
import { composeForm, composeInstruction } from './compose-withdrawal.ts';
import { layOutTerms } from './lay-out-terms.ts';
import * as store from './store.ts';
import type { TermsRow, TermsToStore } from './store.ts';
import type { Seller, TermsDocument } from './terms-content.ts';

export interface OrderTermsOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly pdf: Pick<PdfRenderer, 'render'>;
  readonly shopSettings: Pick<ShopSettings, 'current' | 'sellsToEuConsumers'>;
  readonly shopUrl: string;
  /** The published terms that are in force according to the database; null: none. */
  readonly readTerms: () => Promise<(Pick<FilledDocument, 'intro' | 'sections'> & { readonly number: number }) | null>;
}

/** What an order refers to; null: there is nothing to give. */
export interface PreparedTerms {
  readonly ofConsumer: Buffer | null;
  readonly ofBusiness: Buffer | null;
}

const FILE_NAME = 'order-terms.pdf';
/** Clients of the renderer take turns: mails are one of them. */
const MAILS = 'order-mails';
const MAX_PRINTED = 8;

export interface TermsForMail {
  readonly documents: readonly TermsDocument[];
  /** Null if it could not be rendered. */
  readonly pdf: { readonly filename: string; readonly bytes: Uint8Array } | null;
}

export class OrderTerms {
  readonly #options: OrderTermsOptions;
  /** The documents that were rendered last, by their digest. */
  readonly #printed = new Map<string, Promise<Uint8Array>>();

  constructor(options: OrderTermsOptions) {
    this.#options = options;
  }

  /**
   * Stores the texts that an order placed now refers to, outside of the transaction of the order: its other texts
   * remain without an order.
   */
  async prepare(): Promise<PreparedTerms> {
    const { clock, db, readTerms, shopSettings, shopUrl } = this.#options;
    const published = await readTerms();
    const terms = published === null ? [] : [composeTerms(published, published.number, shopUrl)];
    const seller = this.#seller;
    const create = (documents: readonly TermsDocument[]) =>
      documents.length === 0 ? null : createTerms(published?.number ?? null, seller, documents);
    const ofBusiness = create(terms);
    const ofConsumer = shopSettings.sellsToEuConsumers
      ? create([...terms, ...this.#composeConsumerTexts()])
      : ofBusiness;
    const all = new Set([ofBusiness, ofConsumer].filter((one) => one !== null));
    if (all.size > 0) await store.storeTerms(db, [...all], clock.now());
    return { ofConsumer: ofConsumer?.digest ?? null, ofBusiness: ofBusiness?.digest ?? null };
  }

  get #seller(): Seller {
    const { identity, legal } = this.#options.shopSettings.current;
    return {
      name: legal.company || identity.name,
      address: identity.address,
      email: legal.contact_email,
      phone: legal.contact_phone,
    };
  }

  #composeConsumerTexts(): TermsDocument[] {
    const { shopSettings, shopUrl } = this.#options;
    const { return_address: returnAddress, pays_return: paysReturn } = shopSettings.current.returns;
    const seller = this.#seller;
    const withdrawalUrl = `${shopUrl}/withdrawal`;
    return [
      composeInstruction({ seller, returnAddress, paysReturn, withdrawalUrl }),
      composeForm(seller),
      composeGuarantee(shopUrl),
    ];
  }

  /** What an order was placed under. Null without such an order. @param userId of the buyer; null: of any */
  async describe(orderId: string, userId: string | null) {
    const found = await store.findTermsOfOrder(this.#options.db, orderId, userId);
    if (found === null) return null;
    const { terms } = found;
    return {
      terms: terms && { version: terms.number, titles: terms.content.documents.map(({ title }) => title) },
    };
  }

  /** The texts as PDF. Null without such an order, and for an order without them. @param client whose document it is */
  async print(orderId: string, userId: string | null, client: string) {
    const terms = (await store.findTermsOfOrder(this.#options.db, orderId, userId))?.terms ?? null;
    return terms && { filename: FILE_NAME, bytes: await this.#render(terms, client) };
  }

  /** The texts of an order for its mail; null if it has none. */
  async readForMail(orderId: string): Promise<TermsForMail | null> {
    const { db, log } = this.#options;
    const terms = (await store.findTermsOfOrder(db, orderId, null))?.terms ?? null;
    if (terms === null) return null;
    const { documents } = terms.content;
    try {
      return { documents, pdf: { filename: FILE_NAME, bytes: await this.#render(terms, MAILS) } };
    } catch (error) {
      // The buyer waits for the mail, which has the texts itself.
      log.warn(
        { order: orderId, reason: error instanceof Error ? error.message : String(error) },
        'the terms of an order could not be rendered for its mail',
      );
      return { documents, pdf: null };
    }
  }

  #render({ content, digest, storedAt }: TermsRow, client: string): Promise<Uint8Array> {
    const key = digest.toString('hex');
    const known = this.#printed.get(key);
    if (known !== undefined) return known;
    const rendering = this.#options.pdf.render(layOutTerms(content, storedAt), client);
    this.#printed.set(key, rendering);
    // Tried again when it is needed again.
    rendering.catch(() => this.#printed.delete(key));
    const [oldest] = this.#printed.keys();
    if (this.#printed.size > MAX_PRINTED && oldest !== undefined) this.#printed.delete(oldest);
    return rendering;
  }
}

function createTerms(number: number | null, seller: Seller, documents: readonly TermsDocument[]): TermsToStore {
  const content = { seller: seller.name, documents };
  return {
    digest: createHash('sha256')
      .update(JSON.stringify([number, content]))
      .digest(),
    number,
    content,
  };
}
