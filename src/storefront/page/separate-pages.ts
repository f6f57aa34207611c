/**
 * Pages that the route manifest of other pages leaves out, since few visitors open them. A link to
 * one from another page loads the document.
 */
export const isSeparatePath = (path: string | undefined): boolean => /^\/?admin(?:\/|$)/.test(path ?? '');

/** The route that contains all pages of the back office. */
export const BACK_OFFICE = 'back-office';
