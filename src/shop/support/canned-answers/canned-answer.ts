/** Rules for canned answers. Used by browser and server. */
export const MAX_TITLE_LENGTH = 80;
export const MAX_ANSWER_LENGTH = 4000;

/** Placeholders of a canned answer, with what they stand for. */
export const PLACEHOLDERS = { name: 'the customer’s name', order: 'the number of the newest order' } as const;
type Placeholder = keyof typeof PLACEHOLDERS;

/** Values of one customer. Null: there is none. */
export type PlaceholderValues = Readonly<Record<Placeholder, string | null>>;

const PATTERN = /\{(name|order)\}/g;

/** Replaces the placeholders. One without a value stays, for the writer to complete. */
export const fillCannedAnswer = (text: string, values: PlaceholderValues): string =>
  text.replaceAll(PATTERN, (found, name) => values[name === 'order' ? 'order' : 'name'] ?? found);

/** Whether a text still has a placeholder. */
export const hasPlaceholder = (text: string): boolean => text.search(PATTERN) !== -1;

/** Adds a text to a message: alone if the message is blank, otherwise as a new paragraph. */
export const insertAnswer = (message: string, answer: string): string =>
  message.trim() === '' ? answer : `${message.trimEnd()}\n\n${answer}`;
