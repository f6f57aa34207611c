/** The shape that the demo's reviews are written in. */
export interface SeedReview {
  readonly name: string;
  readonly rating: 3 | 4 | 5;
  /** How long before the first start it was written. */
  readonly daysAgo: number;
  readonly text: string;
}
