/**
 * Changes of promotions by staff. Each change increments the revision in its transaction, so every
 * process shows it. Orders keep the snapshot of the promotion that they used.
 */
import { v7 as uuidv7 } from 'uuid';
import type { Db } from '#src/platform/database/database.ts';
import { createNotFound, Refusal } from '#src/platform/http/call.ts';
import type { StaffActor } from '#src/shop/audit-log/actor.ts';
import { refusePrices } from '#src/shop/editing/price-refusals.service.ts';
import { changeDocument, newDocument } from '#src/shop/editing/service.ts';
import type { EditingOptions, Written } from '#src/shop/editing/service.ts';
import type { PriceGuard } from '#src/shop/price-reduction.ts';
import type { Catalogue } from '#src/shop/catalogue/service.ts';
import * as store from './changes.store.ts';
import type { PromotionFilter, StoredPromotion } from './changes.store.ts';
import { findFieldProblems, findLimitProblems, toPromotionDraft } from './promotion-fields.ts';
import type { PromotionFields } from './contract.ts';
import type { FieldProblems, PromotionDraft } from './promotion-fields.ts';
import { toAuditFields } from './audit-fields.ts';
import { computeLargestDiscount } from '../apply-discount.ts';
import type { DiscountField } from '../apply-discount.ts';
import { PROMOTIONS_TOPIC } from '../service.ts';

export type { StoredPromotion };

export interface PromotionChangesOptions extends EditingOptions {
  readonly catalogue: Pick<Catalogue, 'findByIds'>;
  readonly priceGuard: PriceGuard;
}

type Changed = Promise<StoredPromotion | Refusal>;

const USED = new Refusal(409, 'used', 'An order has used this promotion. Disable it instead');
export const refuseFields = (fields: FieldProblems | { readonly lines: string }): Refusal =>
  new Refusal(400, 'invalid', 'The promotion is not complete', { fields });
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

  async create(fields: PromotionFields, by: StaffActor): Changed {
    const checked = this.check(fields);
    if (!checked.ok) return refuseFields(checked.fields);
    const { draft } = checked;
    const id = uuidv7();
    return (
      this.#checkDiscount(draft, by) ??
      this.#change(id, by, {
        draft,
        lock: newDocument,
        write: async (tx, _none, at) => {
          const saved = await store.insertPromotion(tx, id, draft, at);
          return {
            saved,
            recorded: { action: 'promotion.created', before: null, after: toAuditFields(saved), name: saved.code },
          };
        },
      })
    );
  }

  /** @param version of the promotion that the staff member saw */
  async edit(id: string, version: number, fields: PromotionFields, by: StaffActor): Changed {
    const known = await this.find(id);
    if (known === null) return createNotFound();
    const checked = this.check(fields, known.giftProductId);
    if (!checked.ok) return refuseFields(checked.fields);
    const { draft } = checked;
    return (
      this.#checkDiscount(draft, by) ??
      this.#change(id, by, {
        version,
        draft,
        lock: (tx) => store.lockPromotion(tx, id),
        write: async (tx, locked, at) => {
          // A redemption locks the promotion before it counts, so the uses can't grow until the commit.
          const problems = findLimitProblems(draft, await store.countPresentUses(tx, locked));
          if (hasProblems(problems)) {
            return new Refusal(409, 'limit-below-uses', 'A limit is below the present uses', { fields: problems });
          }
          const saved = await store.updatePromotion(tx, locked, draft, at);
          return record('promotion.edited', locked, saved);
        },
      })
    );
  }

  /** Enables or disables a promotion. Idempotent. */
  setActive(id: string, isActive: boolean, by: StaffActor): Changed {
    return this.#change(id, by, {
      lock: (tx) => store.lockPromotion(tx, id),
      write: async (tx, before, at) => {
        if (before.isActive === isActive) return { saved: before, recorded: null };
        const refused = isActive ? this.#checkDiscount(before, by) : null;
        if (refused !== null) return refused;
        const saved = await store.updatePromotion(tx, before, { isActive }, at);
        return record(isActive ? 'promotion.enabled' : 'promotion.disabled', before, saved);
      },
    });
  }

  /** Deletes a promotion that no order ever used. Carts lose its code. */
  remove(id: string, by: StaffActor): Changed {
    return this.#change(id, by, {
      lock: (tx) => store.lockPromotion(tx, id),
      write: async (tx, saved) => {
        if (!(await store.deleteUnused(tx, id))) return USED;
        return {
          saved,
          recorded: { action: 'promotion.deleted', before: toAuditFields(saved), after: null, name: saved.code },
        };
      },
    });
  }

  #checkDiscount(draft: Pick<PromotionDraft, DiscountField>, by: StaffActor): Refusal | null {
    const reason = this.#options.priceGuard(by, { isChanged: true, reducedBy: computeLargestDiscount(draft) });
    return reason === null ? null : refusePrices(reason);
  }

  #change<Stored extends { readonly version: number }>(
    id: string,
    by: StaffActor,
    change: {
      readonly version?: number;
      /** What is written. */
      readonly draft?: PromotionDraft;
      readonly lock: (tx: Db) => Promise<Stored | null>;
      readonly write: (tx: Db, stored: Stored, at: Date) => Promise<Written<StoredPromotion> | Refusal>;
    },
  ): Changed {
    const { draft, ...steps } = change;
    return changeDocument(this.#options, {
      by,
      what: 'this promotion',
      subject: { kind: 'promotion', id },
      topics: [PROMOTIONS_TOPIC],
      explain: (error) => (draft === undefined ? null : explainFailure(error, draft)),
      ...steps,
    });
  }
}

function explainFailure(error: unknown, { code }: PromotionDraft): Refusal | null {
  if (store.isCodeTaken(error)) {
    const fields = { code: `Another promotion has the code ${code}` };
    return new Refusal(409, 'code-taken', 'The code is taken. Choose another one', { fields });
  }
  return store.isGiftMissing(error) ? refuseFields({ gift_product_id: 'This product is not on sale' }) : null;
}

const record = (action: string, before: StoredPromotion, saved: StoredPromotion): Written<StoredPromotion> => ({
  saved,
  recorded: { action, before: toAuditFields(before), after: toAuditFields(saved), name: saved.code },
});
