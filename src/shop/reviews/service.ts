import { v7 as uuidv7 } from 'uuid';
import { z } from 'zod';
import type { Clock } from '#src/platform/process/clock.ts';
import { runAfterCommit, transact } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import { incrementRevision, readRevision } from '#src/platform/database/revisions.ts';
import type { RevisionedData } from '#src/platform/database/revisions.ts';
import { Refusal } from '#src/platform/http/call.ts';
import { toRowRange } from '#src/shop/list-pages.ts';
import type { Actor } from '#src/shop/audit-log/actor.ts';
import { normaliseUsername } from '#src/shop/accounts/registration/check-username.ts';
import { listDocumentChanges } from '#src/shop/audit-log/service.ts';
import { changeDocument, OUTDATED } from '#src/shop/editing/service.ts';
import type { Catalogue } from '#src/shop/catalogue/service.ts';
import { MAX_NAME_LENGTH } from './check-review.ts';
import { review } from './contract.ts';
import type { Review, ReviewReply } from './contract.ts';
import * as store from './store.ts';
import { deleteReviewsOf, insertReview, listForModeration, listOwn, loadApprovedReviews } from './store.ts';
import type { ModeratedReviewRow, OwnReviewRow, ReviewState } from './store.ts';

const MAX_OWN_REVIEWS = 1000;
const TOPIC = 'reviews';

export interface ReviewsOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly catalogue: Catalogue;
  /** Whether a user has a paid order of the product. */
  readonly hasBought: (userId: string, productId: string) => Promise<boolean>;
  /** The first name of the user's newest order; null before the first. */
  readonly findFirstName: (userId: string) => Promise<string | null>;
  /** Why an account may not show a name in public, as a predicate of the field; null if it may. */
  readonly checkName: (name: string, username: string) => Promise<string | null>;
  /** Called after a change was committed. This process shows it when the promise resolves, others soon. */
  readonly announce: () => Promise<void>;
}

export interface Buyer {
  readonly userId: string;
  readonly username: string;
}

export interface ReviewDraft {
  readonly product_id: string;
  readonly rating: number;
  readonly text: string;
  /** To show with the review. */
  readonly name?: string | undefined;
}
export type ReviewResult =
  | { readonly ok: true; readonly review: OwnReviewRow }
  | { readonly ok: false; readonly reason: 'refused'; readonly fields: { readonly name: string } }
  | { readonly ok: false; readonly reason: 'missing' | 'not-bought' | 'reviewed-already' };

type Changed = Promise<ModeratedReviewRow | Refusal>;

const NOT_APPROVED = new Refusal(409, 'not-approved', 'Approve the review first');

const readSnapshot = async (tx: Db) => ({
  revision: await readRevision(tx, TOPIC),
  rows: await loadApprovedReviews(tx),
});

/** Approved reviews, held in memory. Read from the database at startup and when their revision changes. */
export class Reviews implements RevisionedData {
  readonly topic = TOPIC;
  readonly #options: ReviewsOptions;
  /** By product id; reviews of the shop under null. */
  #approved: ReadonlyMap<string | null, readonly Review[]> = new Map();
  /** The shop's replies to them, by the same keys. */
  #replies: ReadonlyMap<string | null, readonly ReviewReply[]> = new Map();
  /** Ids of those by buyers of the product, by the same keys. */
  #verified: ReadonlyMap<string | null, readonly string[]> = new Map();
  #version = 0;
  #revision = 0n;

  private constructor(options: ReviewsOptions) {
    this.#options = options;
  }

  static async open(options: ReviewsOptions): Promise<Reviews> {
    const reviews = new Reviews(options);
    await reviews.refresh();
    return reviews;
  }

  get revision(): bigint {
    return this.#revision;
  }

  async refresh(): Promise<void> {
    const { revision, rows } = await transact(this.#options.db, readSnapshot, { isolationLevel: 'repeatable read' });
    const approved = new Map<string | null, Review[]>();
    const replies = new Map<string | null, ReviewReply[]>();
    const verified = Map.groupBy(
      rows.filter(({ isVerified }) => isVerified),
      ({ productId }) => productId,
    );
    for (const { productId, id, name, text, rating, created, reply } of rows) {
      const wire = z.encode(review, { id, name, text, rating, created });
      const list = approved.get(productId);
      if (list) list.push(wire);
      else approved.set(productId, [wire]);
      if (reply !== null) replies.set(productId, [...(replies.get(productId) ?? []), { review_id: id, text: reply }]);
    }
    this.#approved = approved;
    this.#replies = replies;
    this.#verified = new Map([...verified].map(([key, list]) => [key, list.map(({ id }) => id)]));
    this.#revision = revision;
    this.#version += 1;
  }

  /** Changes whenever a response may: when reviews or products change. */
  get version(): string {
    return `${this.#version} ${this.#options.catalogue.version}`;
  }

  /** Reviews of the shop, newest first, in wire form. */
  listShopReviews(): readonly Review[] {
    return this.#approved.get(null) ?? [];
  }

  /** Reviews of a product on sale, newest first, in wire form; null if there is no such product. */
  listProductReviews(idOrSlug: string): readonly Review[] | null {
    const { productsById, productsBySlug } = this.#options.catalogue.snapshot;
    const product = productsById.get(idOrSlug) ?? productsBySlug.get(idOrSlug);
    return product ? (this.#approved.get(product.id) ?? []) : null;
  }

  /** Replies to the reviews of the shop. */
  listShopReplies(): readonly ReviewReply[] {
    return this.#replies.get(null) ?? [];
  }

  /** Replies to the reviews of a product on sale; null if there is no such product. */
  listProductReplies(id: string): readonly ReviewReply[] | null {
    return this.#options.catalogue.snapshot.productsById.has(id) ? (this.#replies.get(id) ?? []) : null;
  }

  /** Ids of the approved reviews by buyers of a product on sale; null if there is no such product. */
  listVerifiedIds(id: string): readonly string[] | null {
    return this.#options.catalogue.snapshot.productsById.has(id) ? (this.#verified.get(id) ?? []) : null;
  }

  /** Stores a buyer's review, once per product; shown after approval. */
  async submit(buyer: Buyer, draft: ReviewDraft): Promise<ReviewResult> {
    const { userId } = buyer;
    const { product_id: productId, rating, text } = draft;
    const { db, catalogue, clock, hasBought } = this.#options;
    // Buyers may also review products that are no longer sold.
    if (!(await hasBought(userId, productId))) {
      return { ok: false, reason: catalogue.snapshot.productsById.has(productId) ? 'not-bought' : 'missing' };
    }
    const name = draft.name === undefined ? await this.findDefaultName(buyer) : normaliseUsername(draft.name);
    const refusedFor = draft.name === undefined ? null : await this.#checkName(name, buyer.username);
    if (refusedFor !== null) return { ok: false, reason: 'refused', fields: { name: refusedFor } };
    const content = { id: uuidv7(), name, rating, text: text.replaceAll(/\r\n?/g, '\n').trim(), created: clock.now() };
    const isNew = await insertReview(db, { ...content, userId, productId });
    if (!isNew) return { ok: false, reason: 'reviewed-already' };
    return { ok: true, review: { ...content, product_id: productId, state: 'waiting', reply: null } };
  }

  /** First name of the newest order, if it may be shown; else the username. */
  async findDefaultName({ userId, username }: Buyer): Promise<string> {
    const firstName = normaliseUsername((await this.#options.findFirstName(userId)) ?? '');
    return (await this.#checkName(firstName, username)) === null ? firstName : username;
  }

  /** @param name normalised, which may have made it longer */
  async #checkName(name: string, username: string): Promise<string | null> {
    if (name.length > MAX_NAME_LENGTH && name !== username) return `must have at most ${MAX_NAME_LENGTH} characters`;
    return this.#options.checkName(name, username);
  }

  /** Newest first. */
  listOwn(userId: string): Promise<OwnReviewRow[]> {
    return listOwn(this.#options.db, userId, MAX_OWN_REVIEWS);
  }

  /** Deletes the reviews of a user; they are hidden after the commit. */
  async erasePersonalData(tx: Db, userId: string): Promise<void> {
    const deleted = await deleteReviewsOf(tx, userId);
    if (deleted === 0) return;
    await incrementRevision(tx, TOPIC);
    // If it fails, the next poll of the revisions shows the change.
    runAfterCommit(tx, () => void this.#options.announce().catch(() => {}));
  }

  async listForStaff(state: ReviewState | null, page: number) {
    return { ...(await listForModeration(this.#options.db, { state, ...toRowRange(page) })), page };
  }

  moderate(id: string, isApproved: boolean, by: Actor): Changed {
    return this.#change(id, isApproved ? 'review.approved' : 'review.rejected', by, async (tx, _before, at) => {
      await store.setDecision(tx, id, isApproved, at);
      return null;
    });
  }

  listOfCustomer(userId: string, limit: number): Promise<store.CustomerReview[]> {
    return store.listReviewsOf(this.#options.db, userId, limit);
  }

  /**
   * Writes, edits or removes the shop's public reply to an approved review.
   * @param reply null removes it
   * @param seen the reply that the caller saw
   */
  reply(id: string, reply: string | null, seen: string | null, by: Actor): Changed {
    const text = reply?.replaceAll(/\r\n?/g, '\n').trim() ?? null;
    return this.#change(id, text === null ? 'review.reply_removed' : 'review.replied', by, async (tx, before, at) => {
      if (text !== null && before.state !== 'approved') return NOT_APPROVED;
      if (before.reply !== seen) return OUTDATED;
      await store.setReply(tx, id, text, at);
      return null;
    });
  }

  #change(
    id: string,
    action: string,
    by: Actor,
    work: (tx: Db, before: ModeratedReviewRow, at: Date) => Promise<Refusal | typeof OUTDATED | null>,
  ): Changed {
    const { announce, clock, db } = this.#options;
    const subject = { kind: 'review', id } as const;
    return changeDocument<ModeratedReviewRow, ModeratedReviewRow>(
      { db, clock, revisions: { announce } },
      {
        by,
        what: 'the reply',
        subject,
        topics: [TOPIC],
        lock: (tx) => store.lockReview(tx, id),
        write: async (tx, before, at) => {
          const refused = await work(tx, before, at);
          if (refused !== null) return refused;
          const saved = await store.findReview(tx, id);
          if (saved === null) throw new Error('a locked review was not found');
          return { saved, recorded: { action, before: pick(before), after: pick(saved) } };
        },
        readConflict: async () => {
          const changes = await listDocumentChanges(db, subject, null);
          const newest = changes.findLast(({ details }) => 'replied_at' in (details?.after ?? {}));
          const [at = null, name = null] = [newest?.at.toISOString(), newest?.details?.actorName];
          return { by: name, at, fields: [{ path: 'reply', label: 'Reply' }] };
        },
      },
    );
  }
}

/** Without texts: they are deleted with the account of the author. */
const pick = ({ state, repliedAt }: ModeratedReviewRow) => ({ state, replied_at: repliedAt });
