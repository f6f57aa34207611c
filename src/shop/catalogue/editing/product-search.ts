/** The last character of Unicode, after which no text with the same beginning is sorted. */
export const LAST_CHARACTER = '\u{10ffff}';
