/** What a ticket and a message must be; the browser and the server check the same. */
export const MAX_LENGTHS = { title: 120, theme: 80, description: 4000 } as const;
export const MAX_MESSAGE_LENGTH = 4000;

/** A ticket as it stands in the form. */
export interface TicketDraft {
  readonly title: string;
  readonly theme: string;
  readonly description: string;
}
export type TicketField = keyof TicketDraft;
export const TICKET_FIELDS = ['title', 'theme', 'description'] as const;

const NAMES: Readonly<Record<TicketField, string>> = { title: 'Title', theme: 'Theme', description: 'Description' };

/** What is wrong with each field, in words for its writer; nothing where nothing is. */
export type TicketErrors = { readonly [Field in TicketField]?: string };

/** Trims, and makes line ends of one kind: forms send them as CRLF. */
export const normaliseText = (text: string): string => text.replaceAll(/\r\n?/g, '\n').trim();

export function checkTicket(draft: TicketDraft): TicketErrors {
  const faults: Partial<Record<TicketField, string>> = {};
  for (const field of TICKET_FIELDS) {
    const fault = findError(NAMES[field], normaliseText(draft[field]), MAX_LENGTHS[field]);
    if (fault !== null) faults[field] = fault;
  }
  return faults;
}

/** Null when the text can be sent; also when it is blank, since blank text is not sent at all. */
export const getMessageError = (text: string): string | null => {
  const { length } = normaliseText(text);
  return length > MAX_MESSAGE_LENGTH ? `The message has ${length} characters: ${MAX_MESSAGE_LENGTH} at most` : null;
};

function findError(name: string, text: string, maximum: number): string | null {
  if (text === '') return `${name} is required`;
  return text.length > maximum ? `${name} has ${text.length} characters: ${maximum} at most` : null;
}
