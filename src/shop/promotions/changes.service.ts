/**
 * Changes of promotions by staff. Each change increments the revision in its transaction, so every
 * process shows it. Orders keep the snapshot of the promotion that they used.
 */
import { v7 as uuidv7 } from 'uuid';
import type { Clock } from '#src/platform/process/clock.ts';
import { transact } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import { incrementRevision } from '#src/platform/database/revisions.ts';
import type { RevisionWatcher } from '#src/platform/database/revisions.ts';
import type { Catalogue } from '#src/shop/catalogue/service.ts';
import * as store from './changes.store.ts';
import type { PromotionFilter, StoredPromotion } from './changes.store.ts';
import { findFieldProblems, findLimitProblems, toPromotionDraft } from './promotion-fields.ts';
import type { FieldProblems, PromotionDraft, PromotionFields } from './promotion-fields.ts';
import { PROMOTIONS_TOPIC } from './service.ts';

export type { StoredPromotion };

export interface PromotionChangesOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly catalogue: Pick<Catalogue, 'findByIds'>;
  readonly revisions: Pick<RevisionWatcher, 'announce'>;
}

export type PromotionRefusal =
  | { readonly ok: false; readonly reason: 'not-found' | 'changed-meanwhile' | 'used' }
  | {
      readonly ok: false;
      readonly reason: 'invalid' | 'code-taken' | 'limit-below-uses';
      readonly fields: FieldProblems;
    };
export type PromotionChange = { readonly ok: true; readonly promotion: StoredPromotion } | PromotionRefusal;

const refuse = (reason: 'not-found' | 'changed-meanwhile' | 'used') => ({ ok: false, reason }) as const;
const hasProblems = (fields: FieldProblems): boolean => Object.keys(fields).length > 0;

export class PromotionChanges {
  readonly #options: PromotionChangesOptions;
  readonly #db: Db;

  constructor(options: PromotionChangesOptions) {
    this.#options = options;
    this.#db = options.db;
  }

  find(id: string): Promise<StoredPromotion | null> {
    return store.findStored(this.#db, id);
  }

  /** The newest first. */
  list(filter: PromotionFilter, page: { readonly limit: number; readonly offset: number }) {
    return store.listStored(this.#db, filter, page, this.#options.clock.now());
  }

  /** The draft of valid fields. */
  check(fields: PromotionFields, storedGiftId: string | null = null) {
    const problems = findFieldProblems(fields);
    if (hasProblems(problems)) return { ok: false, reason: 'invalid', fields: problems } as const;
    const draft = toPromotionDraft(fields);
    const { giftProductId } = draft;
    // A gift that was withdrawn from sale may stay.
    const isKnown =
      giftProductId === null ||
      giftProductId === storedGiftId ||
      this.#options.catalogue.findByIds([giftProductId]).length > 0;
    if (isKnown) return { ok: true, draft } as const;
    return { ok: false, reason: 'invalid', fields: { gift_product_id: 'This product is not on sale' } } as const;
  }

  async create(fields: PromotionFields): Promise<PromotionChange> {
    const checked = this.check(fields);
    if (!checked.ok) return checked;
    const { draft } = checked;
    const now = this.#options.clock.now();
    return this.#change(draft, async (tx) => ({
      ok: true,
      promotion: await store.insertPromotion(tx, uuidv7(), draft, now),
    }));
  }

  /** @param version of the promotion that the staff member saw */
  async edit(id: string, version: number, fields: PromotionFields): Promise<PromotionChange> {
    const known = await this.find(id);
    if (known === null) return refuse('not-found');
    const checked = this.check(fields, known.giftProductId);
    if (!checked.ok) return checked;
    const { draft } = checked;
    return this.#change(draft, async (tx) => {
      const locked = await store.lockPromotion(tx, id);
      if (locked === null) return refuse('not-found');
      if (locked.version !== version) return refuse('changed-meanwhile');
      // A redemption locks the promotion before it counts, so the uses can't grow until the commit.
      const problems = findLimitProblems(draft, await store.countPresentUses(tx, locked));
      if (hasProblems(problems)) return { ok: false, reason: 'limit-below-uses', fields: problems };
      const promotion = await store.updatePromotion(tx, { id, version }, draft, this.#options.clock.now());
      return promotion === null ? refuse('changed-meanwhile') : { ok: true, promotion };
    });
  }

  /** Enables or disables a promotion. Idempotent. */
  async setActive(id: string, isActive: boolean): Promise<PromotionChange> {
    return this.#change(null, async (tx) => {
      const promotion = await store.setActive(tx, id, isActive, this.#options.clock.now());
      return promotion === null ? refuse('not-found') : { ok: true, promotion };
    });
  }

  /** Deletes a promotion that no order ever used. Carts lose its code. */
  async remove(id: string): Promise<PromotionChange> {
    return this.#change(null, async (tx) => {
      const promotion = await store.findStored(tx, id);
      if (promotion === null) return refuse('not-found');
      return (await store.deleteUnused(tx, id)) ? { ok: true, promotion } : refuse('used');
    });
  }

  /** Runs a change with its revision in one transaction, and shows it in this process. */
  async #change(draft: PromotionDraft | null, work: (tx: Db) => Promise<PromotionChange>): Promise<PromotionChange> {
    try {
      const changed = await transact(this.#db, async (tx) => {
        const result = await work(tx);
        if (result.ok) await incrementRevision(tx, PROMOTIONS_TOPIC);
        return result;
      });
      if (changed.ok) await this.#options.revisions.announce();
      return changed;
    } catch (error) {
      if (draft !== null && store.isCodeTaken(error))
        return { ok: false, reason: 'code-taken', fields: { code: `Another promotion has the code ${draft.code}` } };
      if (draft !== null && store.isGiftMissing(error))
        return { ok: false, reason: 'invalid', fields: { gift_product_id: 'This product is not on sale' } };
      throw error;
    }
  }
}
