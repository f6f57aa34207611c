/** Rules for reviews. Used by browser and server. */
export const MAX_REVIEW_LENGTH = 2000;

/** Also of the shop's reply. */
export const MAX_REPLY_LENGTH = 2000;

/** Error message of a text; null if valid. */
export function getReviewError(text: string): string | null {
  const { length } = text.trim();
  if (length === 0) return 'Write a few words about the product';
  return length > MAX_REVIEW_LENGTH ? `Your review is too long (${length} of ${MAX_REVIEW_LENGTH} characters)` : null;
}
