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
import type { StaffActor } from '#src/shop/audit-log/actor.ts';
import { recordChange } from '#src/shop/audit-log/service.ts';
import type { RecordedChange } from '#src/shop/audit-log/service.ts';
import type { PriceGuard, PriceRefusal } from '#src/shop/price-reduction.ts';
import type { Catalogue } from '#src/shop/catalogue/service.ts';
import * as store from './changes.store.ts';
import type { PromotionFilter, StoredPromotion } from './changes.store.ts';
import { findFieldProblems, findLimitProblems, toPromotionDraft } from './promotion-fields.ts';
import type { PromotionFields } from './contract.ts';
import type { FieldProblems, PromotionDraft } from './promotion-fields.ts';
import { toAuditFields } from './audit-fields.ts';
import { computeLargestDiscount } from '../promotion.ts';
import type { DiscountField } from '../promotion.ts';
import { PROMOTIONS_TOPIC } from '../service.ts';

export type { StoredPromotion };

export interface PromotionChangesOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly catalogue: Pick<Catalogue, 'findByIds'>;
  readonly revisions: Pick<RevisionWatcher, 'announce'>;
  readonly priceGuard: PriceGuard;
}

export type PromotionRefusal =
  | { readonly ok: false; readonly reason: 'not-found' | 'changed-meanwhile' | 'used' | PriceRefusal }
  | {
      readonly ok: false;
      readonly reason: 'invalid' | 'code-taken' | 'limit-below-uses';
      readonly fields: FieldProblems;
    };
export type PromotionChange = { readonly ok: true; readonly promotion: StoredPromotion } | PromotionRefusal;

/** What a change did, for the audit log; null if the promotion was so already. */
type Recorded = Pick<RecordedChange, 'action' | 'before' | 'after'> | null;
type ChangeToRecord =
  | { readonly ok: true; readonly promotion: StoredPromotion; readonly recorded: Recorded }
  | PromotionRefusal;

const refuse = (reason: 'not-found' | 'changed-meanwhile' | 'used' | PriceRefusal) => ({ ok: false, reason }) as const;
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

  async create(fields: PromotionFields, by: StaffActor): Promise<PromotionChange> {
    const checked = this.check(fields);
    if (!checked.ok) return checked;
    const { draft } = checked;
    const refused = this.#checkDiscount(draft, by);
    if (refused !== null) return refuse(refused);
    const now = this.#options.clock.now();
    return this.#change(draft, by, async (tx) => {
      const promotion = await store.insertPromotion(tx, uuidv7(), draft, now);
      const recorded = { action: 'promotion.created', before: null, after: toAuditFields(promotion) };
      return { ok: true, promotion, recorded };
    });
  }

  /** @param version of the promotion that the staff member saw */
  async edit(id: string, version: number, fields: PromotionFields, by: StaffActor): Promise<PromotionChange> {
    const known = await this.find(id);
    if (known === null) return refuse('not-found');
    const checked = this.check(fields, known.giftProductId);
    if (!checked.ok) return checked;
    const { draft } = checked;
    const refused = this.#checkDiscount(draft, by);
    if (refused !== null) return refuse(refused);
    return this.#change(draft, by, async (tx) => {
      const locked = await store.lockPromotion(tx, id);
      if (locked === null) return refuse('not-found');
      if (locked.version !== version) return refuse('changed-meanwhile');
      // A redemption locks the promotion before it counts, so the uses can't grow until the commit.
      const problems = findLimitProblems(draft, await store.countPresentUses(tx, locked));
      if (hasProblems(problems)) return { ok: false, reason: 'limit-below-uses', fields: problems };
      const promotion = await store.updatePromotion(tx, { id, version }, draft, this.#options.clock.now());
      if (promotion === null) return refuse('changed-meanwhile');
      const recorded = {
        action: 'promotion.edited',
        before: toAuditFields(locked),
        after: toAuditFields(promotion),
      };
      return { ok: true, promotion, recorded };
    });
  }

  /** Enables or disables a promotion. Idempotent. */
  async setActive(id: string, isActive: boolean, by: StaffActor): Promise<PromotionChange> {
    return this.#change(null, by, async (tx) => {
      const before = await store.lockPromotion(tx, id);
      const isEnabled = isActive && before?.isActive === false;
      const refused = isEnabled ? this.#checkDiscount(before, by) : null;
      if (refused !== null) return refuse(refused);
      const promotion = before && (await store.setActive(tx, id, isActive, this.#options.clock.now()));
      if (before === null || promotion === null) return refuse('not-found');
      const recorded = {
        action: isActive ? 'promotion.enabled' : 'promotion.disabled',
        before: toAuditFields(before),
        after: toAuditFields(promotion),
      };
      return { ok: true, promotion, recorded: before.isActive === isActive ? null : recorded };
    });
  }

  /** Deletes a promotion that no order ever used. Carts lose its code. */
  async remove(id: string, by: StaffActor): Promise<PromotionChange> {
    return this.#change(null, by, async (tx) => {
      const promotion = await store.findStored(tx, id);
      if (promotion === null) return refuse('not-found');
      if (!(await store.deleteUnused(tx, id))) return refuse('used');
      const recorded = { action: 'promotion.deleted', before: toAuditFields(promotion), after: null };
      return { ok: true, promotion, recorded };
    });
  }

  #checkDiscount(draft: Pick<PromotionDraft, DiscountField>, by: StaffActor): PriceRefusal | null {
    return this.#options.priceGuard(by, { isChanged: true, reducedBy: computeLargestDiscount(draft) });
  }

  /** Runs a change with its revision in one transaction, and shows it in this process. */
  async #change(
    draft: PromotionDraft | null,
    by: StaffActor,
    work: (tx: Db) => Promise<ChangeToRecord>,
  ): Promise<PromotionChange> {
    try {
      const changed = await transact(this.#db, async (tx): Promise<PromotionChange> => {
        const result = await work(tx);
        if (!result.ok) return result;
        await incrementRevision(tx, PROMOTIONS_TOPIC);
        const { promotion, recorded } = result;
        const subject = { kind: 'promotion', id: promotion.id, name: promotion.code } as const;
        if (recorded !== null) {
          await recordChange(tx, { at: this.#options.clock.now(), by, subject, ...recorded });
        }
        return { ok: true, promotion };
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
