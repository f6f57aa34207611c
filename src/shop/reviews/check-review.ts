/** Rules for reviews. Used by browser and server. */
export const MAX_REVIEW_LENGTH = 2000;

/** Of the name to show. */
export const MAX_NAME_LENGTH = 60;

/** Also of the shop's reply. */
export const MAX_REPLY_LENGTH = 2000;

/** Error message of a text; null if valid. */
export function getReviewError(text: string): string | null {
  const { length } = text.trim();
  if (length === 0) return 'Write a few words about the product';
  return length > MAX_REVIEW_LENGTH ? `Your review is too long (${length} of ${MAX_REVIEW_LENGTH} characters)` : null;
}

/** Error message of a name to show; null if it may be sent. The server also applies the rules of usernames. */
export function getNameError(name: string): string | null {
  const { length } = name.trim();
  if (length === 0) return 'Enter the name to show';
  return length > MAX_NAME_LENGTH ? `The name is too long (${length} of ${MAX_NAME_LENGTH} characters)` : null;
}
