/** What a review must be; the browser and the server check the same. */
export const MAX_REVIEW_LENGTH = 2000;

/** What is wrong with a text, in words for its writer; null when nothing is. */
export function getReviewError(text: string): string | null {
  const { length } = text.trim();
  if (length === 0) return 'Say in a few words how it is';
  return length > MAX_REVIEW_LENGTH ? `Your review has ${length} characters: ${MAX_REVIEW_LENGTH} at most` : null;
}
