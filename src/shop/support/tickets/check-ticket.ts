/** Rules for tickets and messages. Used by browser and server. */
export const MAX_LENGTHS = { title: 120, theme: 80, description: 4000 } as const;
export const MAX_MESSAGE_LENGTH = 4000;

/** Field values of the ticket form. */
export interface TicketDraft {
  readonly title: string;
  readonly theme: string;
  readonly description: string;
}
export type TicketField = keyof TicketDraft;
const TICKET_FIELDS = ['title', 'theme', 'description'] as const;

const NAMES: Readonly<Record<TicketField, string>> = { title: 'Title', theme: 'Theme', description: 'Description' };

/** Error messages of the invalid fields. */
export type TicketErrors = { readonly [Field in TicketField]?: string };

/** Trims and normalises line ends: forms send CRLF. */
export const normaliseText = (text: string): string => text.replaceAll(/\r\n?/g, '\n').trim();

export function checkTicket(draft: TicketDraft): TicketErrors {
  const errors: Partial<Record<TicketField, string>> = {};
  for (const field of TICKET_FIELDS) {
    const message = findError(NAMES[field], normaliseText(draft[field]), MAX_LENGTHS[field]);
    if (message !== null) errors[field] = message;
  }
  return errors;
}

/** Null if the text is valid; also if it is blank, since blank text is not sent. */
export const getMessageError = (text: string): string | null => {
  const { length } = normaliseText(text);
  return length > MAX_MESSAGE_LENGTH ? `The message is too long (${length} of ${MAX_MESSAGE_LENGTH} characters)` : null;
};

function findError(name: string, text: string, maximum: number): string | null {
  if (text === '') return `${name} is required`;
  return text.length > maximum ? `${name} is too long (${text.length} of ${maximum} characters)` : null;
}
