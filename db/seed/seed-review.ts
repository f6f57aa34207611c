/** Type of the demo reviews. */
export interface SeedReview {
  readonly name: string;
  readonly rating: 3 | 4 | 5;
  /** Age of the review at the first start. */
  readonly daysAgo: number;
  readonly text: string;
}
