/**
 * What users chose may stand in a mail only once its address is confirmed: until then the mail may go to somebody
 * else, to whom a stranger would write in the shop's name.
 */

export interface Recipient {
  readonly username: string;
  readonly isConfirmed: boolean;
}

/** What a mail calls its reader; null until the address is confirmed. */
export const getMailName = ({ username, isConfirmed }: Recipient): string | null => (isConfirmed ? username : null);

export const createGreeting = (username: string | null): string =>
  username === null ? 'Hello,' : `Hello ${username},`;

/** @param number of the order */
export const explainOrderMail = (username: string | null, number: string): string =>
  `You get this mail because ${username ?? 'an account with this address'} ordered at our shop (order ${number}).`;
