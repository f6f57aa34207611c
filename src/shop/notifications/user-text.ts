/**
 * Text chosen by users appears in a mail only once its address is confirmed. Otherwise a stranger
 * could use the shop to write to the owner of the address.
 */

export interface Recipient {
  readonly username: string;
  readonly isConfirmed: boolean;
}

/** Name of the reader; null until the address is confirmed. */
export const getMailName = ({ username, isConfirmed }: Recipient): string | null => (isConfirmed ? username : null);

export const createGreeting = (username: string | null): string =>
  username === null ? 'Hello,' : `Hello ${username},`;

/** @param number of the order */
export const explainOrderMail = (username: string | null, number: string): string =>
  `You get this mail because ${username ?? 'an account with this address'} ordered at our shop (order ${number}).`;
