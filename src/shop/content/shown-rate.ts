/** The rate of a page's prices. */
export interface ShownRate {
  /** US dollars for one bitcoin. */
  readonly usd: number;
  /** ISO time; null: the rate never changes. */
  readonly updatedAt: string | null;
}
